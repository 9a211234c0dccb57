// SPDX-License-Identifier: Apache-2.0
#include "harness/queue_shadow.h"

#include <fmt/format.h>

namespace nvmearb::tb {

using arbiter::EventKind;

void QueueShadow::OnEvent(const arbiter::Event& event) {
  if (event.kind == EventKind::kReset) {
    sqs_.assign(sqs_.size(), Sq{});
    return;
  }
  if (event.sqid >= sqs_.size()) return;
  Sq& sq = sqs_[event.sqid];
  switch (event.kind) {
    case EventKind::kCreate: {
      const std::uint32_t cq_head = sq.cq_head;
      sq = Sq{};
      sq.exists = true;
      sq.sq_class = event.sq_class;
      sq.cqid = event.cqid;
      sq.size_count = event.count;
      sq.cq_head = cq_head;
      break;
    }
    case EventKind::kDelete:
      sq.exists = false;
      break;
    case EventKind::kDoorbell:
      (event.is_cq ? sq.cq_head : sq.tail) = event.tail;
      break;
    case EventKind::kGrant:
      sq.issue_head = sq.size_count == 0 ? 0 : (event.head + event.count) % sq.size_count;
      sq.granted_count += event.count;
      break;
    case EventKind::kFetch:
      sq.fetched_head = event.head;
      break;
    case EventKind::kComplete:
      ++sq.completed_count;
      break;
    case EventKind::kConfig:
    case EventKind::kReject:
    case EventKind::kReset:
      break;
  }
}

std::string QueueShadow::Describe() const {
  static constexpr const char* kClasses[] = {"urgent", "high", "medium", "low", "admin"};
  std::string text;
  for (std::size_t id = 0; id < sqs_.size(); ++id) {
    const Sq& sq = sqs_[id];
    if (!sq.exists) continue;
    text += fmt::format(
        "SQ {} ({}): {} entries, tail {}, issued to {}, fetched to {}, {} in the device; "
        "CQ {} head {}\n",
        id, kClasses[static_cast<std::size_t>(sq.sq_class)], sq.size_count, sq.tail, sq.issue_head,
        sq.fetched_head, sq.granted_count - sq.completed_count, sq.cqid,
        sq.cqid < sqs_.size() ? sqs_[sq.cqid].cq_head : 0);
  }
  return text;
}

}  // namespace nvmearb::tb
