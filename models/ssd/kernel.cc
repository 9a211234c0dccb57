// SPDX-License-Identifier: Apache-2.0
#include "ssd/kernel.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kPhaseShift = 63;

sc_core::sc_time ToScTime(TimePs ps) {
  return sc_core::sc_time::from_value(ps);  // the resolution is fixed to 1 ps in the constructor
}

TimePs FromScTime(const sc_core::sc_time& time) { return time.value(); }

}  // namespace

Kernel::Kernel(sc_core::sc_module_name name) : sc_core::sc_module(name) {
  NVMEARB_CHECK(sc_core::sc_get_time_resolution() == sc_core::sc_time(1, sc_core::SC_PS),
                "the SystemC time resolution has to be 1 ps");
  heap_.reserve(4096);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&wake_);
  sc_core::sc_spawn([this] { Pump(); }, "pump", &options);
}

void Kernel::At(TimePs when, Function function, void* context, std::uint64_t argument,
                Phase phase) {
  NVMEARB_CHECK(when >= now_, "a callback in the past");
  heap_.push_back({when, (static_cast<std::uint64_t>(phase) << kPhaseShift) | sequence_++, function,
                   context, argument});
  std::push_heap(heap_.begin(), heap_.end(), Later);
}

TimePs Kernel::SystemCNext() const {
  if (!sc_core::sc_pending_activity()) return kNever;
  return FromScTime(sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity());
}

TimePs Kernel::NextTime() const {
  const TimePs own = heap_.empty() ? kNever : heap_.front().when;
  return std::min({own, SystemCNext(), end_ == kNever ? kNever : end_ + 1});
}

void Kernel::AdvanceTo(TimePs when) {
  NVMEARB_CHECK(when >= now_ && when < NextTime(), "time moved past a waiting event");
  now_ = when;
}

sc_core::sc_time Kernel::LocalDelay() const {
  return ToScTime(now_) - sc_core::sc_time_stamp();
}

void Kernel::Pump() {
  while (!stop_ && !heap_.empty() && heap_.front().when <= end_ &&
         heap_.front().when <= SystemCNext()) {
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    now_ = entry.when;
    entry.function(entry.context, entry.argument);
  }
  if (!stop_ && !heap_.empty() && heap_.front().when <= end_) {
    // Something else in SystemC is due first: let it run, then come back.
    wake_.notify(ToScTime(std::max(heap_.front().when, now_)) - sc_core::sc_time_stamp());
  }
}

bool Kernel::RunUntil(TimePs end) {
  stop_ = false;
  end_ = end;
  wake_.notify(sc_core::SC_ZERO_TIME);
  const TimePs from = FromScTime(sc_core::sc_time_stamp());
  if (end > from && end != kNever) {
    sc_core::sc_start(ToScTime(end - from), sc_core::SC_RUN_TO_TIME);
  } else {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  if (!stop_ && end != kNever) now_ = std::max(now_, end);
  return !heap_.empty();
}

}  // namespace nvmearb::ssd
