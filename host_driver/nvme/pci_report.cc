// SPDX-License-Identifier: Apache-2.0
//
// What the driver shows of itself and of the controller.
#include <fmt/format.h>

#include "host_driver/nvme/pci.h"

namespace nvmearb::host {

std::vector<RegisterValue> NvmePci::ReadRegisters() {
  std::vector<RegisterValue> values = {
      {"cap", nvme::kRegCap, 8, 0},       {"version", nvme::kRegVs, 4, 0},
      {"intms", nvme::kRegIntms, 4, 0},   {"intmc", nvme::kRegIntmc, 4, 0},
      {"cc", nvme::kRegCc, 4, 0},         {"csts", nvme::kRegCsts, 4, 0},
      {"nssr", nvme::kRegNssr, 4, 0},     {"aqa", nvme::kRegAqa, 4, 0},
      {"asq", nvme::kRegAsq, 8, 0},       {"acq", nvme::kRegAcq, 8, 0},
      {"cmbloc", nvme::kRegCmbloc, 4, 0}, {"cmbsz", nvme::kRegCmbsz, 4, 0}};
  for (RegisterValue& value : values) value.value = device_.MmioRead(value.offset, value.bytes);
  return values;
}

std::string NvmePci::DescribeQueues() const {
  std::string text;
  if (admin_ != nullptr) {
    text += fmt::format("queue 0 admin: {}, {} outstanding{}\n", admin_->queue().Describe(),
                        admin_->outstanding(), admin_->aer_outstanding() ? " and the AER" : "");
  }
  unsigned idle = 0;
  for (const auto& queue : queues_) {
    const Hctx* const hctx = queue->hctx;
    if (hctx == nullptr) continue;
    if (hctx->tags.used() == 0 && hctx->waiters.empty()) {
      ++idle;
      continue;
    }
    text += fmt::format("queue {} {}: {}, tags {}/{} in use, {} with the device, {} bios wait\n",
                        queue->ring.qid(), HctxTypeName(hctx->type), queue->ring.Describe(),
                        hctx->tags.used(), hctx->tags.depth(), hctx->started_count,
                        hctx->waiters.size());
  }
  return text + fmt::format(
                    "{} I/O queues idle; {} commands submitted, {} completed, {} failed, {} taken "
                    "back by resets\n",
                    idle, stats_.submitted, stats_.completed, stats_.failed, stats_.cancelled);
}

}  // namespace nvmearb::host
