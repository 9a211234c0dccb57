// SPDX-License-Identifier: Apache-2.0
//
// InterruptGuard: while it lives, the first Ctrl-C (SIGINT, SIGTERM) raises a flag, the second one
// ends the program at once.
#ifndef NVMEARB_TB_SIM_CLI_INTERRUPT_H_
#define NVMEARB_TB_SIM_CLI_INTERRUPT_H_

#include <csignal>

namespace nvmearb::sim {

class InterruptGuard {
 public:
  InterruptGuard() {
    flag_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { flag_ = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static const volatile std::sig_atomic_t* flag() { return &flag_; }

 private:
  inline static volatile std::sig_atomic_t flag_ = 0;
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_INTERRUPT_H_
