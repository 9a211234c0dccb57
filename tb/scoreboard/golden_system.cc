// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/golden_system.h"

#include <algorithm>
#include <optional>

namespace nvmearb::tb {

using arbiter::Event;
using arbiter::EventKind;

void Replay(const Recording& recording, Judge* judge) {
  for (const Note& note : recording) {
    switch (note.kind) {
      case Note::Kind::kEvent:
        judge->OnEvent(note.event);
        break;
      case Note::Kind::kCqCreated:
        judge->OnCqCreated(note.id, note.value);
        break;
      case Note::Kind::kDeleteRequested:
        judge->OnDeleteRequested(note.id);
        break;
      case Note::Kind::kDeleteAnswered:
        judge->OnDeleteAnswered(note.id);
        break;
      case Note::Kind::kSlots:
        judge->OnSlotsGiven(note.value);
        break;
      case Note::Kind::kDelivered:
        judge->OnDelivered(note.id, static_cast<std::uint16_t>(note.value));
        break;
    }
  }
}

void Replay(const Recording& recording, ExactOrder* exact) {
  for (const Note& note : recording) {
    if (note.kind == Note::Kind::kEvent) exact->OnEvent(note.event);
    if (note.kind == Note::Kind::kCqCreated) exact->OnCqCreated(note.id, note.value);
    if (note.kind == Note::Kind::kDeleteRequested) exact->OnDeleteRequested(note.id);
  }
}

std::vector<std::size_t> Find(const Recording& recording, EventKind kind) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < recording.size(); ++i) {
    if (recording[i].kind == Note::Kind::kEvent && recording[i].event.kind == kind) {
      indices.push_back(i);
    }
  }
  return indices;
}

GoldenSystem::GoldenSystem(unsigned sq_count, arbiter::Mechanism mechanism,
                           const arbiter::ArbitrationSettings& settings,
                           std::uint64_t latest_clocks, std::uint64_t seed)
    : golden_(sq_count),
      random_(seed, 77),
      latest_clocks_(latest_clocks),
      sqs_(sq_count),
      host_cqs_(sq_count) {
  golden_.Reset(mechanism, {});
  Event reset = Blank(EventKind::kReset);
  Emit(reset);
  golden_.SetArbitration(settings);
  EmitConfig();
}

Event GoldenSystem::Blank(EventKind kind) const {
  Event event;
  event.kind = kind;
  event.cycle = cycle_;
  event.time_ps = cycle_ * 4000;
  event.credit = golden_.credit();
  return event;
}

void GoldenSystem::Emit(const Event& event) {
  Note note;
  note.event = event;
  recording_.push_back(note);
}

void GoldenSystem::Tell(Note::Kind kind, std::uint16_t id, std::uint32_t value) {
  Note note;
  note.kind = kind;
  note.id = id;
  note.value = value;
  recording_.push_back(note);
}

void GoldenSystem::EmitConfig() {
  Event event = Blank(EventKind::kConfig);
  event.mechanism = golden_.mechanism();
  event.count = golden_.settings().ab == 7 ? 0u : 1u << golden_.settings().ab;
  Emit(event);
}

void GoldenSystem::Advance(std::uint64_t clocks) {
  for (std::uint64_t i = 0; i < clocks; ++i) {
    ++cycle_;
    while (!arrivals_.empty() && arrivals_.front().cycle <= cycle_) {
      Deliver(arrivals_.front());
      arrivals_.pop_front();
    }
    FinishDeletes();
  }
}

void GoldenSystem::Arrive(Arrival::Kind kind, std::uint16_t id, std::uint32_t value) {
  std::uint64_t when = cycle_ + random_.InRange(0, latest_clocks_);
  if (!arrivals_.empty()) when = std::max(when, arrivals_.back().cycle);
  const Arrival arrival{when, kind, id, value};
  if (arrivals_.empty() && when == cycle_) {
    Deliver(arrival);
  } else {
    arrivals_.push_back(arrival);
  }
}

void GoldenSystem::Deliver(const Arrival& arrival) {
  switch (arrival.kind) {
    case Arrival::Kind::kTail:
      golden_.RingSqTail(arrival.id, static_cast<std::uint16_t>(arrival.value));
      break;
    case Arrival::Kind::kHead:
      golden_.RingCqHead(arrival.id, static_cast<std::uint16_t>(arrival.value));
      break;
    case Arrival::Kind::kSlots:
      golden_.GiveSlots(arrival.value);
      break;
    case Arrival::Kind::kDelete:
      golden_.DeleteSq(arrival.id);
      sqs_[arrival.id].is_removed = true;
      break;
    case Arrival::Kind::kRelease:
      golden_.Complete(0, arrival.id, false);
      break;
    case Arrival::Kind::kPost:
      golden_.Complete(0, arrival.id, true);
      break;
  }
}

void GoldenSystem::CreateCq(std::uint16_t cqid, std::uint32_t size_count) {
  golden_.CreateCq(cqid, size_count);
  host_cqs_[cqid] = arbiter::CqRing(size_count);
  Tell(Note::Kind::kCqCreated, cqid, size_count);
}

void GoldenSystem::CreateSq(std::uint16_t sqid, std::uint16_t cqid, std::uint32_t size_count,
                            arbiter::SqClass sq_class) {
  golden_.CreateSq({sqid, cqid, size_count, sq_class});
  sqs_[sqid] = {};
  sqs_[sqid].exists = true;
  sqs_[sqid].size_count = size_count;
  Event event = Blank(EventKind::kCreate);
  event.sqid = sqid;
  event.cqid = cqid;
  event.count = size_count;
  event.sq_class = sq_class;
  Emit(event);
}

void GoldenSystem::RequestDelete(std::uint16_t sqid) {
  Tell(Note::Kind::kDeleteRequested, sqid, 0);
  sqs_[sqid].is_deleting = true;
  Arrive(Arrival::Kind::kDelete, sqid, 0);
}

void GoldenSystem::FinishDeletes() {
  for (std::size_t i = 0; i < sqs_.size(); ++i) {
    const auto sqid = static_cast<std::uint16_t>(i);
    if (!sqs_[i].is_removed || !golden_.IsDrained(sqid)) continue;
    sqs_[i] = {};
    Event event = Blank(EventKind::kDelete);
    event.sqid = sqid;
    Emit(event);
    Tell(Note::Kind::kDeleteAnswered, sqid, 0);
  }
}

void GoldenSystem::SetArbitration(const arbiter::ArbitrationSettings& settings) {
  golden_.SetArbitration(settings);
  EmitConfig();
}

std::uint32_t GoldenSystem::FreeCount(std::uint16_t sqid) const {
  const Sq& sq = sqs_[sqid];
  return sq.size_count - 1 -
         arbiter::RingDistance(sq.tail, golden_.sq(sqid).fetched_head(), sq.size_count);
}

void GoldenSystem::Submit(std::uint16_t sqid, std::uint32_t count) {
  count = std::min(count, FreeCount(sqid));
  Sq& sq = sqs_[sqid];
  if (count == 0 || !sq.exists || sq.is_deleting || golden_.IsHalted(sqid)) return;
  sq.tail = arbiter::RingAdvance(sq.tail, count, sq.size_count);
  Event event = Blank(EventKind::kDoorbell);
  event.sqid = sqid;
  event.tail = static_cast<std::uint16_t>(sq.tail);
  Emit(event);
  Arrive(Arrival::Kind::kTail, sqid, sq.tail);
}

void GoldenSystem::RingSq(std::uint16_t sqid, std::uint16_t value) {
  Event event = Blank(EventKind::kReject);
  event.sqid = sqid;
  event.tail = value;
  event.error = arbiter::DoorbellError::kInvalidRegister;
  if (golden_.SqExists(sqid)) {
    if (golden_.IsHalted(sqid)) return;
    if (golden_.sq(sqid).IsLegalTail(value)) {
      event.kind = EventKind::kDoorbell;
      sqs_[sqid].tail = value;
    }
    event.error = arbiter::DoorbellError::kInvalidValue;
  }
  Emit(event);
  golden_.RingSqTail(sqid, value);
}

void GoldenSystem::Consume(std::uint16_t cqid, std::uint32_t count) {
  arbiter::CqRing& cq = host_cqs_[cqid];
  count = std::min(count, cq.posted_count());
  if (count == 0) return;
  const std::uint32_t head = arbiter::RingAdvance(cq.head(), count, cq.size_count());
  cq.SetHead(head);
  Event event = Blank(EventKind::kDoorbell);
  event.is_cq = true;
  event.sqid = cqid;
  event.tail = static_cast<std::uint16_t>(head);
  Emit(event);
  Arrive(Arrival::Kind::kHead, cqid, head);
}

void GoldenSystem::GiveSlots(std::uint32_t count) {
  Tell(Note::Kind::kSlots, 0, count);
  Arrive(Arrival::Kind::kSlots, 0, count);
}

bool GoldenSystem::Grant(std::uint32_t max_count) {
  const std::optional<arbiter::Grant> grant = golden_.Decide(max_count);
  if (!grant) return false;
  granted_count_ += grant->count;
  Event event = Blank(EventKind::kGrant);
  event.sqid = grant->sqid;
  event.cqid = golden_.CqOf(grant->sqid);
  event.head = grant->head;
  event.count = grant->count;
  event.first = grant->first;
  event.sq_class = grant->sq_class;
  Emit(event);
  to_fetch_.push_back({grant->sqid, event.cqid, grant->count});
  return true;
}

bool GoldenSystem::Fetch() {
  if (to_fetch_.empty()) return false;
  const Command command = to_fetch_.front();
  to_fetch_.pop_front();
  Event event = Blank(EventKind::kFetch);
  event.sqid = command.sqid;
  event.count = command.count;
  event.head = golden_.CommitFetch(command.sqid, command.count);
  Emit(event);
  Sq& sq = sqs_[command.sqid];
  for (std::uint32_t i = 0; i < command.count; ++i) {
    sq.sqhd = arbiter::RingAdvance(sq.sqhd, 1, sq.size_count);
    Tell(Note::Kind::kDelivered, command.sqid, sq.sqhd);
    to_complete_.push_back({command.sqid, command.cqid, 1});
  }
  FinishDeletes();
  return true;
}

bool GoldenSystem::Complete(bool posted) {
  if (to_complete_.empty()) return false;
  const Command command = to_complete_.front();
  to_complete_.pop_front();
  Event event = Blank(EventKind::kComplete);
  event.sqid = command.sqid;
  event.cqid = command.cqid;
  event.posted = posted;
  Emit(event);
  if (posted) host_cqs_[command.cqid].Post();
  Arrive(posted ? Arrival::Kind::kPost : Arrival::Kind::kRelease, command.cqid, 0);
  return true;
}

void GoldenSystem::Drain(std::uint32_t max_count) {
  while (true) {
    const bool granted = Grant(max_count);
    const bool fetched = Fetch();
    const bool completed = Complete(true);
    bool consumed = false;
    for (std::size_t i = 0; i < host_cqs_.size(); ++i) {
      if (host_cqs_[i].posted_count() == 0) continue;
      Consume(static_cast<std::uint16_t>(i), host_cqs_[i].posted_count());
      consumed = true;
    }
    if (!granted && !fetched && !completed && !consumed && arrivals_.empty()) return;
    Advance(1);
  }
}

}  // namespace nvmearb::tb
