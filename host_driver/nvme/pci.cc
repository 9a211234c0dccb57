// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/pci.h"

#include <utility>

#include "nvme/base/check.h"

namespace nvmearb::host {

NvmePci::NvmePci(Clock& clock, nvme::DevicePort& device, HostMemory& memory,
                 const CpuTopology& cpus, const NvmeParams& params, const HostCosts& costs)
    : NvmePci(clock, device, memory, cpus, std::make_shared<NvmeParams>(params), costs) {}

NvmePci::NvmePci(Clock& clock, nvme::DevicePort& device, HostMemory& memory,
                 const CpuTopology& cpus, std::shared_ptr<NvmeParams> module,
                 const HostCosts& costs)
    : clock_(clock),
      device_(device),
      memory_(memory),
      cpus_(cpus),
      costs_(costs),
      module_(std::move(module)),
      params_(*module_) {
  module_->Validate(cpus_.cpu_count());
}

void NvmePci::AdminCommand(const nvme::Sqe& sqe, AdminHandler done) {
  NVMEARB_CHECK(admin_ != nullptr && state_ != State::kDead, "there is an admin queue");
  admin_->Submit(sqe, done);
}

}  // namespace nvmearb::host
