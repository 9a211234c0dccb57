// SPDX-License-Identifier: Apache-2.0
//
// StreamRules: which I/Os of a trace belong together, and in which cgroup they are made.
#ifndef NVMEARB_TRACE_STREAM_RULES_H_
#define NVMEARB_TRACE_STREAM_RULES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace_record.h"

namespace nvmearb::trace {

/// What tells the I/Os of a trace apart.
enum class StreamKey { kDevice, kProcess, kAll };

/// Every key (name of a device or process) that a rule names goes to that rule's cgroup; "*" names
/// all others. I/Os of one cgroup are one stream, reported as one job of the cgroup's name. Keys
/// without a rule stay in the default cgroup, each a stream of its own name.
struct StreamRules {
  StreamKey by = StreamKey::kDevice;
  std::vector<std::pair<std::string, std::string>> cgroup_of;  ///< key, path of the cgroup

  [[nodiscard]] std::string_view KeyOf(const TraceRecord& record) const {
    if (by == StreamKey::kAll) return "all";
    const std::string_view key = by == StreamKey::kDevice ? record.device : record.process;
    return key.empty() ? "unknown" : key;
  }

  /// The rule of `key`, or null.
  [[nodiscard]] const std::string* CgroupOf(std::string_view key) const {
    const std::string* any = nullptr;
    for (const auto& [name, cgroup] : cgroup_of) {
      if (name == key) return &cgroup;
      if (name == "*") any = &cgroup;
    }
    return any;
  }
};

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_STREAM_RULES_H_
