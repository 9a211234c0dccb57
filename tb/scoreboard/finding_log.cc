// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/finding_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scoreboard/event_names.h"

namespace nvmearb::tb {

std::string_view Name(Rule rule) {
  switch (rule) {
    case Rule::kClassOrder:
      return "class order";
    case Rule::kLevelOrder:
      return "level order";
    case Rule::kReplenish:
      return "replenish";
    case Rule::kCredit:
      return "credit";
    case Rule::kBurst:
      return "burst";
    case Rule::kVisit:
      return "visit";
    case Rule::kRingOrder:
      return "ring order";
    case Rule::kHead:
      return "head";
    case Rule::kPastTail:
      return "past the tail";
    case Rule::kCount:
      return "count";
    case Rule::kQueue:
      return "queue";
    case Rule::kHalted:
      return "halted";
    case Rule::kCqRoom:
      return "CQ room";
    case Rule::kSlots:
      return "slots";
    case Rule::kHold:
      return "hold";
    case Rule::kDoorbell:
      return "doorbell";
    case Rule::kFetch:
      return "fetch";
    case Rule::kDelivery:
      return "delivery";
    case Rule::kBytes:
      return "bytes";
    case Rule::kSqhd:
      return "SQHD";
    case Rule::kComplete:
      return "complete";
    case Rule::kIdle:
      return "idle";
    case Rule::kExactOrder:
      return "exact order";
    case Rule::kEvents:
      return "events";
  }
  return "?";
}

std::string Describe(const arbiter::Event& event) {
  std::string line = fmt::format("cycle {:>8} {:<8} {} {}", event.cycle, EventName(event.kind),
                                 event.is_cq ? "CQ" : "SQ", event.sqid);
  auto out = std::back_inserter(line);
  switch (event.kind) {
    case arbiter::EventKind::kCreate:
      fmt::format_to(out, " class {} cq {} size {}", ClassName(event.sq_class), event.cqid,
                     event.count);
      break;
    case arbiter::EventKind::kConfig:
      fmt::format_to(out, " {} burst {}", MechanismName(event.mechanism), event.count);
      break;
    case arbiter::EventKind::kDoorbell:
      fmt::format_to(out, " value {}", event.tail);
      break;
    case arbiter::EventKind::kReject:
      fmt::format_to(out, " value {} info {:02x}h", event.tail, static_cast<unsigned>(event.error));
      break;
    case arbiter::EventKind::kGrant:
      fmt::format_to(out, " {} head {} count {}{}", ClassName(event.sq_class), event.head,
                     event.count, event.first ? " new visit" : "");
      break;
    case arbiter::EventKind::kFetch:
      fmt::format_to(out, " count {} head after {}", event.count, event.head);
      break;
    case arbiter::EventKind::kComplete:
      fmt::format_to(out, " cq {}{}", event.cqid, event.posted ? "" : " not posted");
      break;
    case arbiter::EventKind::kDelete:
    case arbiter::EventKind::kReset:
      break;
  }
  fmt::format_to(out, " credits {}/{}/{}", event.credit[0], event.credit[1], event.credit[2]);
  return line;
}

std::string Describe(const Finding& finding) {
  std::string text = fmt::format("cycle {}: SQ {}: {}: {}\n", finding.cycle, finding.sqid,
                                 Name(finding.rule), finding.text);
  for (const arbiter::Event& event : finding.events) text += "    " + Describe(event) + "\n";
  return text;
}

void FindingLog::Report(Rule rule, std::uint16_t sqid, std::string text) {
  ++finding_count_;
  if (findings_.size() >= kKeptCount) return;
  Finding finding;
  finding.rule = rule;
  finding.sqid = sqid;
  finding.text = std::move(text);
  const std::uint64_t count = std::min<std::uint64_t>(event_count_, kEventCount);
  for (std::uint64_t i = event_count_ - count; i < event_count_; ++i) {
    finding.events.push_back(last_[i % kEventCount]);
  }
  finding.cycle = finding.events.empty() ? 0 : finding.events.back().cycle;
  findings_.push_back(std::move(finding));
}

}  // namespace nvmearb::tb
