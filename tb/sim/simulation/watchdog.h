// SPDX-License-Identifier: Apache-2.0
//
// Watchdog: notices that a simulation does not move although the program runs: no heartbeat for so
// many wall seconds. The first time it raises Expired() and calls Kernel::Stop(), which ends a loop
// of events at one simulated time; if that does not help either, it ends the program with exit
// code 3.
#ifndef NVMEARB_TB_SIM_SIMULATION_WATCHDOG_H_
#define NVMEARB_TB_SIM_SIMULATION_WATCHDOG_H_

#include <csignal>

#include "ssd/kernel.h"

namespace nvmearb::sim {

/// One at a time in a process: it owns the real-time interval timer and SIGALRM, which is ignored
/// afterwards.
class Watchdog {
 public:
  Watchdog(ssd::Kernel* kernel, unsigned seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void Beat() { silent_seconds_ = 0; }
  [[nodiscard]] static bool Expired() { return expired_ != 0; }

 private:
  static void OnAlarm(int signal);

  inline static volatile std::sig_atomic_t silent_seconds_ = 0;
  inline static volatile std::sig_atomic_t limit_seconds_ = 0;
  inline static volatile std::sig_atomic_t expired_ = 0;
  inline static ssd::Kernel* kernel_ = nullptr;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_WATCHDOG_H_
