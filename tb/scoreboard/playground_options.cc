// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/playground_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <system_error>

#include "host_driver/base/user_error.h"
#include "scoreboard/event_names.h"

namespace nvmearb::tb {

using arbiter::SqClass;
using host::UserError;

namespace {

constexpr std::uint32_t kLargestAdminQueueCount = 4096;  // AQA.ASQS has 12 bits

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// `where` is the option with its argument, `what` the part in question.
std::uint64_t ParseNumber(std::string_view text, std::uint64_t least, std::uint64_t most,
                          const std::string& where, std::string_view what) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || value < least || value > most) {
    throw UserError(where, fmt::format("{} is '{}'", what, text),
                    fmt::format("{}..{} is allowed", least, most));
  }
  return value;
}

SqClass ParseClass(std::string_view text, const std::string& where) {
  for (std::size_t i = 0; i < kClassNames.size(); ++i) {
    if (text == kClassNames[i]) return static_cast<SqClass>(i);
    if (text.size() == 1 && (text[0] | 0x20) == kClassNames[i][0]) return static_cast<SqClass>(i);
  }
  throw UserError(where, fmt::format("CLASS is '{}'", text),
                  fmt::format("{} or their first letter is allowed", fmt::join(kClassNames, ", ")));
}

std::uint16_t ParseSqid(std::string_view text, const std::string& where,
                        const ssd::FrontEndLimits& limits) {
  const std::uint64_t sqid = ParseNumber(text, 0, 65534, where, "ID");
  if (sqid >= limits.sq_count) {
    throw UserError(where, fmt::format("ID is {}", sqid),
                    fmt::format("this build has {} queues, so 0..{} is allowed", limits.sq_count,
                                limits.sq_count - 1));
  }
  return static_cast<std::uint16_t>(sqid);
}

ArbitrateOptions::Queue ParseQueue(const std::string& text, const ssd::FrontEndLimits& limits) {
  const std::string where = "--sq " + text;
  const std::vector<std::string_view> parts = Split(text, ':');
  if (parts.size() != 3) throw UserError(where, "is not ID:CLASS:COUNT", "example: --sq 1:high:12");
  ArbitrateOptions::Queue queue;
  queue.sqid = ParseSqid(parts[0], where, limits);
  queue.sq_class = ParseClass(parts[1], where);
  if ((queue.sqid == 0) != (queue.sq_class == SqClass::kAdmin)) {
    throw UserError(where,
                    queue.sqid == 0 ? fmt::format("SQ 0 is {}", ClassName(queue.sq_class))
                                    : fmt::format("SQ {} is admin", queue.sqid),
                    queue.sqid == 0 ? "SQ 0 is the admin queue: write 0:admin:COUNT"
                                    : "only SQ 0 is admin; urgent, high, medium or low is allowed");
  }
  queue.count = static_cast<std::uint32_t>(
      ParseNumber(parts[2], 0, MostCommandsOf(queue.sqid, limits), where, "COUNT"));
  return queue;
}

ArbitrateOptions::After ParseAfter(const std::string& text, const ssd::FrontEndLimits& limits) {
  const std::string where = "--after " + text;
  const std::vector<std::string_view> parts = Split(text, ':');
  if (parts.size() != 3) {
    throw UserError(where, "is not GRANTS:ID:COUNT", "example: --after 5:0:1");
  }
  ArbitrateOptions::After after;
  after.granted_count = ParseNumber(parts[0], 0, 0xffffffff, where, "GRANTS");
  after.sqid = ParseSqid(parts[1], where, limits);
  after.count = static_cast<std::uint32_t>(
      ParseNumber(parts[2], 1, MostCommandsOf(after.sqid, limits), where, "COUNT"));
  return after;
}

void ParseWeights(const std::string& text, arbiter::ArbitrationSettings* settings) {
  if (text.empty()) return;
  const std::string where = "--weights " + text;
  const std::vector<std::string_view> parts = Split(text, ',');
  if (parts.size() != 3) {
    throw UserError(where, fmt::format("{} values", parts.size()),
                    "three are needed, H,M,L, each 0..255 (0's based: 0 is a weight of 1)");
  }
  auto weight = [&](std::size_t i, std::string_view what) {
    return static_cast<std::uint8_t>(ParseNumber(parts[i], 0, 255, where, what));
  };
  settings->hpw_zb = weight(0, "H");
  settings->mpw_zb = weight(1, "M");
  settings->lpw_zb = weight(2, "L");
}

/// Every SQ once, every --after of a known SQ, no queue overfull, every --after reached.
void CheckTogether(const ArbitrateOptions& options, const ssd::FrontEndLimits& limits) {
  if (options.queues.empty()) {
    throw UserError("arbitrate", "no queue", "give at least one --sq ID:CLASS:COUNT");
  }
  std::map<std::uint16_t, std::uint64_t> totals;
  std::uint64_t submitted_count = 0;
  for (const ArbitrateOptions::Queue& queue : options.queues) {
    if (!totals.emplace(queue.sqid, queue.count).second) {
      throw UserError("--sq", fmt::format("SQ {} is given twice", queue.sqid),
                      "add the counts up, or use --after for later commands");
    }
    submitted_count += queue.count;
  }
  std::vector<ArbitrateOptions::After> afters = options.afters;
  std::stable_sort(afters.begin(), afters.end(),
                   [](const auto& a, const auto& b) { return a.granted_count < b.granted_count; });
  for (const ArbitrateOptions::After& after : afters) {
    const std::string where =
        fmt::format("--after {}:{}:{}", after.granted_count, after.sqid, after.count);
    const auto total = totals.find(after.sqid);
    if (total == totals.end()) {
      throw UserError(where, fmt::format("SQ {} is not among the queues", after.sqid),
                      fmt::format("add --sq {}:CLASS:0", after.sqid));
    }
    if (after.granted_count > submitted_count) {
      throw UserError(where, "is never reached",
                      fmt::format("{} commands are granted by then", submitted_count));
    }
    submitted_count += after.count;
    total->second += after.count;
    const std::uint32_t most = MostCommandsOf(after.sqid, limits);
    if (total->second > most) {
      throw UserError(where,
                      fmt::format("SQ {} gets {} commands in all", after.sqid, total->second),
                      fmt::format("{} is the most, one queue full", most));
    }
  }
}

}  // namespace

std::uint32_t MostCommandsOf(std::uint16_t sqid, const ssd::FrontEndLimits& limits) {
  const std::uint32_t size_count = sqid == 0
                                       ? std::min(kLargestAdminQueueCount, limits.queue_size_count)
                                       : limits.queue_size_count;
  return size_count - 1;
}

ArbitrateOptions ParseArbitrateOptions(const ArbitrateArguments& arguments,
                                       const ssd::FrontEndLimits& limits) {
  ArbitrateOptions options;
  if (arguments.ams == "wrr") {
    options.mechanism = arbiter::Mechanism::kWeightedRoundRobin;
  } else if (arguments.ams != "rr") {
    throw UserError("--ams " + arguments.ams, "unknown mechanism", "rr or wrr is allowed");
  }
  if (arguments.ab < 0 || arguments.ab > 7) {
    throw UserError(fmt::format("--ab {}", arguments.ab), "out of range",
                    "0..7 is allowed: bursts of 2^ab commands, 7 = no limit");
  }
  options.settings.ab = static_cast<std::uint8_t>(arguments.ab);
  ParseWeights(arguments.weights, &options.settings);
  for (const std::string& text : arguments.sqs) {
    options.queues.push_back(ParseQueue(text, limits));
  }
  for (const std::string& text : arguments.afters) {
    options.afters.push_back(ParseAfter(text, limits));
  }
  CheckTogether(options, limits);
  return options;
}

}  // namespace nvmearb::tb
