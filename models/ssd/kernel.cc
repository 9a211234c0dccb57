// SPDX-License-Identifier: Apache-2.0
#include "ssd/kernel.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "nvme/base/check.h"

// The shared library of SystemC brings a main() along that calls sc_main(). Programs of this
// project have a main() of their own and start the simulation with Kernel::RunUntil(); one that was
// linked so that SystemC's main() came first must not pass for a test that did nothing and
// succeeded.
int sc_main(int /*argc*/, char* /*argv*/[]) {
  std::fputs("linked with the main() of SystemC instead of the program's own\n", stderr);
  return EXIT_FAILURE;
}

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kPhaseShift = 63;
constexpr std::size_t kHeapCapacity = 4096;

// The resolution is 1 ps, checked in the constructor.
sc_core::sc_time ToScTime(TimePs ps) { return sc_core::sc_time::from_value(ps); }

/// An entry whose key orders it by phase, then by the order of the calls.
EventHeap::Entry MakeEntry(TimePs when, Kernel::Phase phase, std::uint64_t sequence,
                           Kernel::Function function, void* context, std::uint64_t argument) {
  return {when, (static_cast<std::uint64_t>(phase) << kPhaseShift) | sequence, function, context,
          argument};
}

}  // namespace

Kernel::Kernel(sc_core::sc_module_name name) : sc_core::sc_module(name), heap_(kHeapCapacity) {
  NVMEARB_CHECK(sc_core::sc_get_time_resolution() == sc_core::sc_time(1, sc_core::SC_PS),
                "the SystemC time resolution has to be 1 ps");
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&wake_);
  sc_core::sc_spawn([this] { Pump(); }, "pump", &options);
}

void Kernel::Reset() {
  NVMEARB_CHECK(!in_callback_, "a run is reset from outside of it");
  wake_.cancel();
  heap_.clear();
  clock_ = {};
  systemc_known_ = false;
  sequence_ = 0;
  base_ = sc_core::sc_time_stamp().value();
  now_ = 0;
  stop_ = false;
}

void Kernel::At(TimePs when, Function function, void* context, std::uint64_t argument,
                Phase phase) {
  NVMEARB_CHECK(when >= now_, "a callback in the past");
  heap_.Push(MakeEntry(when, phase, sequence_++, function, context, argument));
  if (!in_callback_ && sc_core::sc_is_running() && when <= end_) WakeAt(when);
}

void Kernel::AtClock(TimePs when, Function function, void* context, std::uint64_t argument) {
  NVMEARB_CHECK(when >= now_, "a callback in the past");
  const EventHeap::Entry entry =
      MakeEntry(when, Phase::kClockEdge, sequence_++, function, context, argument);
  if (clock_.function != nullptr && clock_.context != context) {
    heap_.Push(entry);
  } else {
    clock_ = entry;
  }
  if (!in_callback_ && sc_core::sc_is_running() && when <= end_) WakeAt(when);
}

EventHeap::Entry Kernel::PopFirst() {
  if (!ClockIsFirst()) return heap_.Pop();
  const EventHeap::Entry entry = clock_;
  clock_.function = nullptr;
  return entry;
}

TimePs Kernel::SystemCNow() const { return sc_core::sc_time_stamp().value() - base_; }

TimePs Kernel::SystemCNext() const {
  if (!systemc_known_) {
    systemc_next_ = LookUpSystemC();
    systemc_known_ = in_callback_;
  }
  return systemc_next_;
}

TimePs Kernel::LookUpSystemC() const {
  if (!sc_core::sc_pending_activity()) return kNever;
  return SystemCNow() + sc_core::sc_time_to_pending_activity().value();
}

TimePs Kernel::NextTime() const {
  return std::min({FirstTime(), SystemCNext(), end_ == kNever ? kNever : end_ + 1});
}

void Kernel::AdvanceTo(TimePs when) {
  // The SystemC part of NextTime() cannot change under a callback that only moves time.
  NVMEARB_CHECK(when >= now_ && when <= end_ && when < FirstTime(),
                "time moved past a waiting event");
  now_ = when;
}

sc_core::sc_time Kernel::LocalDelay() const { return ToScTime(now_ - SystemCNow()); }

void Kernel::CatchUp() {
  if (!in_callback_) now_ = std::max(now_, SystemCNow());
}

/// `when` may lie before SystemC's time after an earlier Stop(): then at once.
void Kernel::WakeAt(TimePs when) {
  const TimePs now = SystemCNow();
  wake_.notify(ToScTime(when > now ? when - now : 0));
}

void Kernel::Pump() {
  in_callback_ = true;
  systemc_known_ = false;
  while (!stop_ && IsDue()) {
    if (FirstTime() > SystemCNext()) break;
    const EventHeap::Entry entry = PopFirst();
    now_ = std::max(now_, entry.when);
    entry.function(entry.context, entry.argument);
  }
  in_callback_ = systemc_known_ = false;
  NVMEARB_CHECK(now_ <= LookUpSystemC(), "a callback notified SystemC without TouchSystemC()");
  if (stop_) {
    sc_core::sc_pause();
  } else if (IsDue()) {
    WakeAt(FirstTime());  // something else in SystemC is due first: let it run
  }
}

bool Kernel::RunUntil(TimePs end) {
  NVMEARB_CHECK(!in_callback_, "RunUntil is for the program, not for callbacks");
  stop_ = false;
  end_ = end;
  if (IsDue()) WakeAt(FirstTime());
  if (end == kNever) {
    sc_core::sc_start(sc_core::sc_max_time() - sc_core::sc_time_stamp(),
                      sc_core::SC_EXIT_ON_STARVATION);
  } else if (end > SystemCNow()) {
    sc_core::sc_start(ToScTime(end - SystemCNow()), sc_core::SC_RUN_TO_TIME);
  }
  // sc_start() returns before the evaluation of its end time: callbacks of that time are still
  // here.
  while (!stop_ && IsDue()) {
    wake_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  if (!stop_ && end != kNever) now_ = std::max(now_, end);
  return Waits() || sc_core::sc_pending_activity();
}

}  // namespace nvmearb::ssd
