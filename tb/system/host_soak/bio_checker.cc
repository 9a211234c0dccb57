// SPDX-License-Identifier: Apache-2.0
#include "bio_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "nvme/status.h"

namespace nvmearb::system {
namespace {

// What a bio ends with when the host gives it up; anything else is the drive's word.
bool IsOfTheHost(std::uint16_t status) {
  return status == static_cast<std::uint16_t>(nvme::Status::kHostPathError) ||
         status == static_cast<std::uint16_t>(nvme::Status::kHostAborted) ||
         status == static_cast<std::uint16_t>(nvme::Status::kAbortRequested);
}

}  // namespace

std::uint64_t BioChecker::Begin(std::uint32_t slot, const host::Bio& bio, host::TimePs now) {
  See(now);
  Open& open = open_.at(slot);
  if (open.life % 2 != 0) Note(fmt::format("slot {} is used while its bio is in flight", slot));
  ++open.life;
  open.op = bio.op;
  open.bytes = bio.bytes;
  open.offset = bio.offset;
  ++begun_;
  return (std::uint64_t{open.life} << 32) | slot;
}

void BioChecker::End(std::uint64_t key, const host::Bio& bio, host::TimePs now) {
  See(now);
  const std::uint32_t slot = SlotOf(key);
  Open& open = open_.at(slot);
  if (open.life != key >> 32) {
    Note(fmt::format("a bio of slot {} ended twice, at {} ps", slot, now));
    return;
  }
  ++open.life;
  ++ended_;
  if (bio.op != open.op || bio.bytes != open.bytes || bio.offset != open.offset) {
    Note(fmt::format("the bio of slot {} came back as another one", slot));
  }
  if (bio.status == 0) return;
  ++failed_;
  if (may_fail_ && IsOfTheHost(bio.status)) return;
  Note(fmt::format("the bio of slot {} ended with status {:#x} at {} ps", slot, bio.status, now));
}

void BioChecker::See(host::TimePs now) {
  if (now < last_) Note(fmt::format("time went back from {} to {} ps", last_, now));
  last_ = std::max(last_, now);
}

void BioChecker::ExpectAllEnded() {
  if (in_flight() == 0) return;
  const auto lost =
      std::find_if(open_.begin(), open_.end(), [](const Open& open) { return open.life % 2 != 0; });
  Note(fmt::format("{} bios never ended, one of them of slot {}: {} bytes at {}", in_flight(),
                   lost - open_.begin(), lost->bytes, lost->offset));
}

}  // namespace nvmearb::system
