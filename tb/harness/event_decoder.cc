// SPDX-License-Identifier: Apache-2.0
#include "harness/event_decoder.h"

#include "harness/obs_layout.h"

namespace nvmearb::tb {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

// cfg_op_e of rtl/nvmearb_pkg.sv.
enum class SeenOp : unsigned {
  kReset = 0,
  kCreateCq = 1,
  kDeleteCq = 2,
  kCreateSq = 3,
  kDeleteSq = 4,
  kSetArb = 5,
  kSetMech = 6
};

std::uint16_t Get16(const std::uint32_t* words, Field field) {
  return static_cast<std::uint16_t>(Get(words, field));
}

std::uint8_t Get8(const std::uint32_t* words, Field field) {
  return static_cast<std::uint8_t>(Get(words, field));
}

}  // namespace

bool EventDecoder::DecodeConfig(const std::uint32_t* words, Event& event) {
  const auto field = [words](Field f) { return Get(words, f.At(obs::kCfg)); };
  switch (static_cast<SeenOp>(field(cfg_req::kOp))) {
    case SeenOp::kReset:
      mechanism_ = arbiter::Mechanism::kRoundRobin;
      settings_ = {};
      event.kind = EventKind::kReset;
      event.mechanism = mechanism_;
      return true;
    case SeenOp::kCreateSq:
      event.kind = EventKind::kCreate;
      event.sqid = static_cast<std::uint16_t>(field(cfg_req::kId));
      event.cqid = static_cast<std::uint16_t>(field(cfg_req::kCqid));
      event.sq_class = static_cast<SqClass>(field(cfg_req::kSqClass));
      event.count = static_cast<std::uint32_t>(field(cfg_req::kSizeZb)) + 1;
      return true;
    case SeenOp::kDeleteSq:
      event.kind = EventKind::kDelete;
      event.sqid = static_cast<std::uint16_t>(field(cfg_req::kId));
      return true;
    case SeenOp::kSetArb:
      settings_.ab = static_cast<std::uint8_t>(field(cfg_req::kAb));
      settings_.hpw_zb = static_cast<std::uint8_t>(field(cfg_req::kHpwZb));
      settings_.mpw_zb = static_cast<std::uint8_t>(field(cfg_req::kMpwZb));
      settings_.lpw_zb = static_cast<std::uint8_t>(field(cfg_req::kLpwZb));
      break;
    case SeenOp::kSetMech:
      mechanism_ = field(cfg_req::kWrr) != 0 ? arbiter::Mechanism::kWeightedRoundRobin
                                             : arbiter::Mechanism::kRoundRobin;
      break;
    case SeenOp::kCreateCq:
    case SeenOp::kDeleteCq:
      return false;
  }
  event.kind = EventKind::kConfig;
  event.mechanism = mechanism_;
  event.count = settings_.ab == 7 ? 0u : 1u << settings_.ab;
  for (int level = 0; level < arbiter::kLevelCount; ++level) {
    event.credit[static_cast<std::size_t>(level)] =
        static_cast<std::uint16_t>(settings_.WeightCount(level));
  }
  return true;
}

unsigned EventDecoder::Decode(const std::uint32_t* words, std::uint64_t cycle,
                              std::uint64_t time_ps, std::array<Event, kMaxEvents>& events) {
  Event blank;
  blank.cycle = cycle;
  blank.time_ps = time_ps;
  blank.credit = {Get16(words, obs::kCreditH), Get16(words, obs::kCreditM),
                  Get16(words, obs::kCreditL)};
  // The port shows the credits after the grant of a clock; what comes before it in the order of
  // the events happened under those of the clock before.
  const std::array<std::uint16_t, arbiter::kLevelCount> after = blank.credit;
  const bool granted = Get(words, obs::kGrantValid) != 0;
  if (granted && Get(words, obs::kCfgValid) == 0) blank.credit = credit_;
  credit_ = after;
  unsigned count = 0;
  const auto next = [&]() -> Event& { return events[count++] = blank; };

  if (Get(words, obs::kCfgValid) != 0) {
    Event& event = next();
    if (!DecodeConfig(words, event)) --count;
  }
  const bool accepted = Get(words, obs::kDbValid) != 0;
  if (accepted || Get(words, obs::kDbReject) != 0) {
    Event& event = next();
    event.kind = accepted ? EventKind::kDoorbell : EventKind::kReject;
    event.sqid = Get16(words, doorbell::kQid.At(obs::kDb));
    event.is_cq = Get(words, doorbell::kIsCq.At(obs::kDb)) != 0;
    event.tail = Get16(words, doorbell::kValue.At(obs::kDb));
    if (!accepted) {
      event.error = static_cast<arbiter::DoorbellError>(Get8(words, obs::kDbError));
    }
  }
  blank.credit = after;
  if (granted) {
    Event& event = next();
    event.kind = EventKind::kGrant;
    event.sqid = Get16(words, grant::kSqid.At(obs::kGrant));
    event.cqid = Get16(words, grant::kCqid.At(obs::kGrant));
    event.head = Get16(words, grant::kHead.At(obs::kGrant));
    event.count = Get16(words, grant::kCount.At(obs::kGrant));
    event.sq_class = static_cast<SqClass>(Get8(words, grant::kSqClass.At(obs::kGrant)));
    event.first = Get(words, grant::kFirst.At(obs::kGrant)) != 0;
  }
  if (Get(words, obs::kFetchValid) != 0) {
    Event& event = next();
    event.kind = EventKind::kFetch;
    event.sqid = Get16(words, obs::kFetchSqid);
    event.head = Get16(words, obs::kFetchHead);
    event.count = Get16(words, obs::kFetchCount);
  }
  if (Get(words, obs::kCompleteValid) != 0) {
    Event& event = next();
    event.kind = EventKind::kComplete;
    event.sqid = Get16(words, complete::kSqid.At(obs::kComplete));
    event.cqid = Get16(words, complete::kCqid.At(obs::kComplete));
    event.posted = Get(words, complete::kPosted.At(obs::kComplete)) != 0;
  }
  return count;
}

}  // namespace nvmearb::tb
