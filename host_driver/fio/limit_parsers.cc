// SPDX-License-Identifier: Apache-2.0
//
// Limits that end a job, what is reported how, and the order of a job's files.
#include "host_driver/fio/option_parsers.h"

namespace nvmearb::host::fio {

void ParseMaxLatency(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) { return ParseTime(option, text, kUs); };
  PerDirection<TimePs>(option, parse, &context.spec->max_latency);
}

void ParseRateMin(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    return ParseSize(option, text, context.kb_base);
  };
  PerDirection<std::uint64_t>(option, parse, &context.spec->rate_min_bytes_per_s);
}

void ParseRateIopsMin(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    return ParseSize(option, text, context.kb_base);
  };
  PerDirection<std::uint64_t>(option, parse, &context.spec->rate_min_iops);
}

void ParseFileServiceType(const RawOption& option, const OptionContext& context) {
  const std::vector<std::string> parts = Split(option.value, ':');
  JobSpec& spec = *context.spec;
  if (parts[0] == "roundrobin") {
    spec.file_service = FileService::kRoundRobin;
  } else if (parts[0] == "random") {
    spec.file_service = FileService::kRandom;
  } else if (parts[0] == "sequential") {
    spec.file_service = FileService::kSequential;
  } else if (ParseFileDistribution(option, parts, &spec.file_distribution)) {
    spec.file_service = FileService::kRandom;
    return;
  } else {
    BadValue(option, "unknown way",
             "roundrobin, random or sequential, with :8 for eight I/Os of each file, or zipf:1.2, "
             "pareto:0.2, normal:10");
  }
  if (parts.size() > 2) BadValue(option, "too many parts", "roundrobin:8");
  if (parts.size() < 2) return;
  constexpr std::uint64_t kMost = 1'000'000'000;
  spec.file_service_ios =
      static_cast<std::uint32_t>(ParseNumber(option, parts[1], context.kb_base, 1, kMost));
}

void ParseUnifiedRwReporting(const RawOption& option, const OptionContext& context) {
  const bool mixed = option.value == "mixed" || option.value == "1";
  const bool both = option.value == "both" || option.value == "2";
  if (!mixed && !both && option.value != "none" && option.value != "0") {
    BadValue(option, "unknown way", "none, mixed or both");
  }
  context.spec->unified_rw = mixed;
  context.spec->unified_both = both;
}

}  // namespace nvmearb::host::fio
