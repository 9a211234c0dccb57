// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/exact_order.h"

#include <fmt/format.h>

#include <optional>

namespace nvmearb::tb {

using arbiter::EventKind;

namespace {

/// Decisions wait for slots in the design; by the time a grant is seen it had them.
constexpr std::uint32_t kPlentyOfSlots = 1u << 31;
constexpr std::uint32_t kLargestQueueCount = 65536;

arbiter::ArbitrationSettings SettingsOf(const arbiter::Event& config) {
  arbiter::ArbitrationSettings settings;
  settings.ab = 7;
  for (std::uint8_t ab = 0; ab < 7; ++ab) {
    if (config.count == 1u << ab) settings.ab = ab;
  }
  settings.hpw_zb = static_cast<std::uint8_t>(config.credit[0] - 1);
  settings.mpw_zb = static_cast<std::uint8_t>(config.credit[1] - 1);
  settings.lpw_zb = static_cast<std::uint8_t>(config.credit[2] - 1);
  return settings;
}

}  // namespace

ExactOrder::ExactOrder(unsigned sq_count) : golden_(sq_count), cq_size_count_(sq_count, 0) {
  Reset();
}

void ExactOrder::Reset() {
  golden_.Reset(mechanism_, {});
  golden_.GiveSlots(kPlentyOfSlots);
  is_lost_ = false;
}

void ExactOrder::OnCqCreated(std::uint16_t cqid, std::uint32_t size_count) {
  if (cqid >= golden_.sq_count()) return;
  cq_size_count_[cqid] = size_count;
  if (!golden_.CqExists(cqid)) golden_.CreateCq(cqid, size_count);
}

void ExactOrder::OnDeleteRequested(std::uint16_t sqid) {
  if (golden_.SqExists(sqid)) golden_.DeleteSq(sqid);
}

void ExactOrder::OnEvent(const arbiter::Event& event) {
  log_.Record(event);
  if (event.sqid >= golden_.sq_count() || event.cqid >= golden_.sq_count()) return;
  if (is_lost_ && event.kind != EventKind::kReset) return;
  switch (event.kind) {
    case EventKind::kReset:
      Reset();
      break;
    case EventKind::kConfig:
      if (event.mechanism != mechanism_) {
        // Only ever follows a reset, but the admin queue may have been created in between.
        mechanism_ = event.mechanism;
        const bool has_admin = golden_.SqExists(0);
        const std::uint32_t size_count = has_admin ? golden_.sq(0).size_count() : 0;
        const std::uint32_t cq_size_count = has_admin ? golden_.cq(0).size_count() : 0;
        Reset();
        if (has_admin) {
          golden_.CreateCq(0, cq_size_count);
          golden_.CreateSq({0, 0, size_count, arbiter::SqClass::kAdmin});
        }
      }
      golden_.SetArbitration(SettingsOf(event));
      break;
    case EventKind::kCreate:
      if (!golden_.CqExists(event.cqid)) {
        const std::uint32_t told_count = cq_size_count_[event.cqid];
        golden_.CreateCq(event.cqid, told_count != 0 ? told_count : kLargestQueueCount);
      }
      if (!golden_.SqExists(event.sqid)) {
        golden_.CreateSq({event.sqid, event.cqid, event.count, event.sq_class});
      }
      break;
    case EventKind::kDelete:
      if (golden_.SqExists(event.sqid)) golden_.DeleteSq(event.sqid);
      break;
    case EventKind::kDoorbell:
    case EventKind::kReject:
      if (!event.is_cq) {
        golden_.RingSqTail(event.sqid, event.tail);
      } else if (cq_size_count_[event.sqid] != 0) {
        golden_.RingCqHead(event.sqid, event.tail);
      }
      break;
    case EventKind::kGrant:
      Grant(event);
      break;
    case EventKind::kFetch:
      if (event.count <= golden_.sq(event.sqid).OutstandingCount()) {
        golden_.CommitFetch(event.sqid, event.count);
      }
      break;
    case EventKind::kComplete:
      if (golden_.CqExists(event.cqid) &&
          golden_.cq(event.cqid).room() + 1 < golden_.cq(event.cqid).size_count()) {
        const bool is_told = cq_size_count_[event.cqid] != 0;
        golden_.Complete(event.sqid, event.cqid, event.posted && is_told);
      }
      break;
  }
}

void ExactOrder::Grant(const arbiter::Event& event) {
  ++compared_count_;
  const std::uint32_t limit = event.count == 0 ? 1 : event.count;
  const std::optional<arbiter::Grant> grant = golden_.Decide(limit);
  const bool equal = grant && grant->sqid == event.sqid && grant->head == event.head &&
                     grant->count == event.count && grant->first == event.first &&
                     golden_.credit() == event.credit;
  if (equal) return;
  is_lost_ = true;
  const auto& credit = golden_.credit();
  log_.Report(Rule::kExactOrder, event.sqid,
              grant ? fmt::format("golden grant is SQ {} head {} count {}{} credits {}/{}/{}",
                                  grant->sqid, grant->head, grant->count,
                                  grant->first ? " new visit" : "", credit[0], credit[1], credit[2])
                    : std::string("the golden arbiter has nothing to grant"));
}

}  // namespace nvmearb::tb
