// SPDX-License-Identifier: Apache-2.0
#include "host_driver/cgroup/prio_class.h"

#include <fmt/format.h>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

constexpr const char* kPolicies[] = {"no-change", "none-to-rt", "restrict-to-be", "idle"};

}  // namespace

std::string PrioClassFile::Read(const CgroupTree&, const Cgroup& cgroup) const {
  return fmt::format("{}\n", kPolicies[static_cast<std::size_t>(cgroup.prio_policy())]);
}

void PrioClassFile::Write(CgroupTree&, Cgroup& cgroup, std::string_view text) {
  std::string_view word = text;
  if (!word.empty() && word.back() == '\n') word.remove_suffix(1);
  for (std::size_t i = 0; i < std::size(kPolicies); ++i) {
    if (word != kPolicies[i]) continue;
    cgroup.set_prio_policy(static_cast<PrioPolicy>(i));
    return;
  }
  throw UserError(fmt::format("{} of cgroup {}", name_, cgroup.path()),
                  fmt::format("EINVAL: unknown policy '{}'", word),
                  fmt::format("one of {}", fmt::join(kPolicies, ", ")));
}

}  // namespace nvmearb::host
