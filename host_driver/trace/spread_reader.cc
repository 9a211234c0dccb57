// SPDX-License-Identifier: Apache-2.0
#include "trace/spread_reader.h"

namespace nvmearb::trace {

void SpreadReader::Kept::Keep(const TraceRecord& from) {
  record = from;
  device.assign(from.device);
  process.assign(from.process);
  record.device = device;
  record.process = process;
}

void SpreadReader::Fill() {
  given_ = 0;
  kept_count_ = 0;
  const auto keep = [this](const TraceRecord& record) {
    if (kept_count_ == kept_.size()) kept_.emplace_back();
    kept_[kept_count_++].Keep(record);
  };
  if (has_ahead_) keep(ahead_.record);
  has_ahead_ = false;
  TraceRecord record;
  while (kept_count_ < kMostAhead) {
    if (at_end_ || !inner_->Next(&record)) {
      at_end_ = true;
      break;
    }
    if (kept_count_ != 0 && record.time_ns != kept_[0].record.time_ns) {
      ahead_.Keep(record);
      has_ahead_ = true;
      break;
    }
    keep(record);
  }
  if (kept_count_ == 0) return;
  const std::uint64_t tick = kept_[0].record.time_ns;
  const bool continues = until_ns_ != 0 && until_ns_ - tick < tick_ns_ && until_ns_ > tick;
  from_ns_ = continues ? until_ns_ : tick;
  const std::uint64_t left = tick + tick_ns_ - from_ns_;
  // Half of what is left when there may be more of this tick.
  until_ns_ = from_ns_ + (kept_count_ == kMostAhead ? left / 2 : left);
}

bool SpreadReader::Next(TraceRecord* record) {
  if (given_ == kept_count_) Fill();
  if (given_ == kept_count_) return false;
  *record = kept_[given_].record;
  record->time_ns = from_ns_ + (until_ns_ - from_ns_) / kept_count_ * given_;
  ++given_;
  return true;
}

}  // namespace nvmearb::trace
