// SPDX-License-Identifier: Apache-2.0
//
// WeightFile: `io.bfq.weight` of bfq and `io.weight` of iocost.
#ifndef NVMEARB_HOST_DRIVER_CGROUP_WEIGHT_H_
#define NVMEARB_HOST_DRIVER_CGROUP_WEIGHT_H_

#include <string>
#include <string_view>
#include <utility>

#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {

enum class WeightOf { kBfq, kIocost };

/// Write: `[default ]N`, N from 1 to 1000 (bfq) or 10000 (iocost); UserError "EINVAL" otherwise.
/// Weights of single disks (`MAJ:MIN N`) are not modelled: one weight counts on all of them.
/// Read: `default N`. Takes effect when the cgroup becomes busy the next time.
class WeightFile : public CgroupFile {
 public:
  WeightFile(std::string name, WeightOf of) : name_(std::move(name)), of_(of) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool on_root() const override { return false; }
  [[nodiscard]] std::string Read(const CgroupTree& tree, const Cgroup& cgroup) const override;
  void Write(CgroupTree& tree, Cgroup& cgroup, std::string_view text) override;

 private:
  std::string name_;
  WeightOf of_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_CGROUP_WEIGHT_H_
