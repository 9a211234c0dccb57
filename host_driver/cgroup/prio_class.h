// SPDX-License-Identifier: Apache-2.0
//
// PrioClassFile: `io.prio.class` (cgroup v2) and `blkio.prio.class` (v1), the I/O priority policy.
#ifndef NVMEARB_HOST_DRIVER_CGROUP_PRIO_CLASS_H_
#define NVMEARB_HOST_DRIVER_CGROUP_PRIO_CLASS_H_

#include <string>
#include <string_view>
#include <utility>

#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {

/// Write: one of no-change, none-to-rt, restrict-to-be, idle, with or without a newline at the end;
/// UserError "EINVAL" for anything else. Read: the same word. Takes effect for new requests.
class PrioClassFile : public CgroupFile {
 public:
  explicit PrioClassFile(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool on_root() const override { return false; }
  [[nodiscard]] std::string Read(const CgroupTree& tree, const Cgroup& cgroup) const override;
  void Write(CgroupTree& tree, Cgroup& cgroup, std::string_view text) override;

 private:
  std::string name_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_CGROUP_PRIO_CLASS_H_
