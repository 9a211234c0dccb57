// SPDX-License-Identifier: Apache-2.0
//
// WrrFile: `io.wrr` (cgroup v2) and `blkio.wrr` (v1), the user interface of weighted round robin.
#ifndef NVMEARB_HOST_DRIVER_CGROUP_WRR_H_
#define NVMEARB_HOST_DRIVER_CGROUP_WRR_H_

#include <string>
#include <string_view>

#include "host_driver/cgroup/cgroup.h"

namespace nvmearb::host {

/// Write: `MAJ ":" MIN blank+ LEVEL ["\n"]`, LEVEL one of none low medium high urgent.
/// Read: one line `MAJ:MIN LEVEL` per disk known to the cgroup.
///
/// Errors (as UserError): EINVAL for text that is not of this form, for an unknown level and for
/// the minor of a partition; ENODEV for an unknown disk. With `posted_bugs` an unknown level is
/// stored and reads back as "wrong", as in the posted series.
/// A new level counts for requests allocated from then on.
class WrrFile : public CgroupFile {
 public:
  WrrFile(std::string name, const CgroupOptions& options)
      : name_(std::move(name)), options_(options) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool on_root() const override { return options_.wrr_on_root; }
  [[nodiscard]] std::string Read(const CgroupTree& tree, const Cgroup& cgroup) const override;
  void Write(CgroupTree& tree, Cgroup& cgroup, std::string_view text) override;

 private:
  std::string name_;
  CgroupOptions options_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_CGROUP_WRR_H_
