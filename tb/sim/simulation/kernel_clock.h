// SPDX-License-Identifier: Apache-2.0
//
// KernelClock: the host's Clock over the Kernel.
#ifndef NVMEARB_TB_SIM_SIMULATION_KERNEL_CLOCK_H_
#define NVMEARB_TB_SIM_SIMULATION_KERNEL_CLOCK_H_

#include "host_driver/base/clock.h"
#include "ssd/kernel.h"

namespace nvmearb::sim {

class KernelClock final : public host::Clock {
 public:
  explicit KernelClock(ssd::Kernel* kernel) : kernel_(kernel) {}
  [[nodiscard]] host::TimePs Now() const override { return kernel_->Now(); }
  void At(host::TimePs when, host::Callback callback) override {
    kernel_->At(when, callback.function, callback.context, callback.argument);
  }

 private:
  ssd::Kernel* kernel_;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_KERNEL_CLOCK_H_
