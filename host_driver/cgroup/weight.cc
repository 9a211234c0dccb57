// SPDX-License-Identifier: Apache-2.0
#include "host_driver/cgroup/weight.h"

#include <fmt/format.h>

#include <charconv>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {

std::string WeightFile::Read(const CgroupTree&, const Cgroup& cgroup) const {
  return fmt::format("default {}\n",
                     of_ == WeightOf::kBfq ? cgroup.bfq_weight() : cgroup.io_weight());
}

void WeightFile::Write(CgroupTree&, Cgroup& cgroup, std::string_view text) {
  const unsigned most = of_ == WeightOf::kBfq ? 1000 : 10'000;
  std::string_view number = text;
  if (!number.empty() && number.back() == '\n') number.remove_suffix(1);
  constexpr std::string_view kDefault = "default ";
  if (number.substr(0, kDefault.size()) == kDefault) number.remove_prefix(kDefault.size());
  unsigned weight = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, weight);
  if (error != std::errc{} || stop != end || weight < 1 || weight > most) {
    throw UserError(fmt::format("{} of cgroup {}", name_, cgroup.path()),
                    fmt::format("EINVAL: '{}'", text),
                    fmt::format("a weight from 1 to {}, such as '100' or 'default 100'", most));
  }
  if (of_ == WeightOf::kBfq) {
    cgroup.set_bfq_weight(weight);
  } else {
    cgroup.set_io_weight(weight);
  }
}

}  // namespace nvmearb::host
