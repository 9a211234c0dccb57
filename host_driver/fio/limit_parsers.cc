// SPDX-License-Identifier: Apache-2.0
//
// Limits that end a job, and what is reported how.
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

void ParseUnifiedRwReporting(const RawOption& option, const OptionContext& context) {
  if (option.value == "both" || option.value == "2") {
    BadValue(option, "'both' is not supported", "none or mixed");
  }
  const bool mixed = option.value == "mixed" || option.value == "1";
  if (!mixed && option.value != "none" && option.value != "0") {
    BadValue(option, "unknown way", "none or mixed");
  }
  context.spec->unified_rw = mixed;
}

}  // namespace nvmearb::host::fio
