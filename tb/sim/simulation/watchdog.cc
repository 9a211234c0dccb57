// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/watchdog.h"

#include <sys/time.h>
#include <unistd.h>

#include <cstring>

namespace nvmearb::sim {

Watchdog::Watchdog(ssd::Kernel* kernel, unsigned seconds) {
  kernel_ = kernel;
  limit_seconds_ = static_cast<std::sig_atomic_t>(seconds);
  silent_seconds_ = 0;
  expired_ = 0;
  struct sigaction action {};
  action.sa_handler = &Watchdog::OnAlarm;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval every_second = {{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &every_second, nullptr);
}

Watchdog::~Watchdog() {
  const itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &off, nullptr);
  // A signal of the timer may still be on its way: it must not meet the default action.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGALRM, &ignore, nullptr);
  kernel_ = nullptr;
}

void Watchdog::OnAlarm(int signal) {
  static_cast<void>(signal);
  silent_seconds_ = silent_seconds_ + 1;
  if (silent_seconds_ < limit_seconds_) return;
  if (expired_ == 0) {
    expired_ = 1;
    if (kernel_ != nullptr) kernel_->Stop();
    return;
  }
  if (silent_seconds_ < 2 * limit_seconds_) return;
  constexpr char kText[] = "nvmearb: the simulation hangs within one event; giving up\n";
  const auto written = write(STDERR_FILENO, kText, std::strlen(kText));
  static_cast<void>(written);
  _exit(3);
}

}  // namespace nvmearb::sim
