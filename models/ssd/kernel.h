// SPDX-License-Identifier: Apache-2.0
//
// Kernel: simulated time for the device, the host clock and the RTL harness, over SystemC.
//
// One SC_METHOD ("pump") executes timed callbacks from one heap. It runs ahead of the SystemC
// kernel while nothing else in the simulation is due earlier, so that a callback costs a heap
// operation and not three delta cycles, and other SystemC modules still see every event at its
// exact time. Now() is the time of the running callback; sc_time_stamp() may lag behind it, and TLM
// calls made from a callback carry LocalDelay() as their annotated delay (TLM-2.0 LRM, temporal
// decoupling).
//
// Order: by time, then phase (kEvent before kClockEdge), then the order of the calls to At(). A
// clock edge therefore samples everything that happened up to and including its own time.
//
// Local time: SystemC elaborates once per process and its time only grows, while a program may want
// to run one simulation after the other. So there is one Kernel in a process (see Platform), its
// time is counted from the last Reset(), and every run starts at 0 with an empty heap.
//
// Not thread safe. Callbacks are trivially copyable; no allocation beyond heap growth.
#ifndef NVMEARB_MODELS_SSD_KERNEL_H_
#define NVMEARB_MODELS_SSD_KERNEL_H_

#include <cstdint>
#include <systemc>

#include "ssd/event_heap.h"

namespace nvmearb::ssd {

using TimePs = std::uint64_t;
inline constexpr TimePs kNever = ~TimePs{0};

class Kernel : public sc_core::sc_module {
 public:
  /// A call to make later; the same shape as host::Callback (the layers do not know each other).
  using Function = void (*)(void* context, std::uint64_t argument);

  enum class Phase : std::uint64_t { kEvent = 0, kClockEdge = 1 };

  explicit Kernel(sc_core::sc_module_name name);

  /// Begins a new run: forgets every waiting callback, time is 0 again. Not from a callback.
  void Reset();

  /// Time of the running callback, in picoseconds since the last Reset().
  [[nodiscard]] TimePs Now() const { return now_; }

  /// Calls function(context, argument) at `when` >= Now(). May also be called by a SystemC process
  /// of somebody else, after CatchUp().
  void At(TimePs when, Function function, void* context, std::uint64_t argument,
          Phase phase = Phase::kEvent);

  /// Makes `(object->*Method)(argument)` at `when`.
  template <auto Method, typename T>
  void Call(TimePs when, T* object, std::uint64_t argument = 0, Phase phase = Phase::kEvent) {
    At(
        when,
        [](void* context, std::uint64_t value) { (static_cast<T*>(context)->*Method)(value); },
        object, argument, phase);
  }

  /// Time of the earliest callback still waiting or other SystemC activity; kNever if none.
  /// A callback may move time forward to any `when` < NextTime() with AdvanceTo() and act there:
  /// that is how the RTL harness runs several clocks in one wake-up. What SystemC waits for is
  /// looked up when the pump begins and again after TouchSystemC().
  [[nodiscard]] TimePs NextTime() const;
  void AdvanceTo(TimePs when);

  /// From a callback that has notified a SystemC event or let foreign SystemC code run (a
  /// transport, say), which may have. The pump checks at its end that nobody forgot it.
  void TouchSystemC() { systemc_known_ = false; }

  /// The one recurring callback of the RTL's clock, in Phase::kClockEdge, kept beside the heap: at
  /// most one is waiting, and a later call replaces it. Ordered as At() would order it.
  template <auto Method, typename T>
  void CallClock(TimePs when, T* object, std::uint64_t argument = 0) {
    AtClock(
        when,
        [](void* context, std::uint64_t value) { (static_cast<T*>(context)->*Method)(value); },
        object, argument);
  }

  /// Runs until `end` (callbacks due at `end` included), until nothing is left, or until Stop().
  /// May be called again. Returns false when nothing is left. Now() is `end` afterwards, and the
  /// time of the last callback after Stop() or when `end` is kNever.
  bool RunUntil(TimePs end);

  /// From a callback: RunUntil() returns behind it.
  void Stop() { stop_ = true; }

  /// Now() - sc_time_stamp(), for TLM calls made by a callback.
  [[nodiscard]] sc_core::sc_time LocalDelay() const;

  /// True while a callback runs.
  [[nodiscard]] bool InCallback() const { return in_callback_; }
  /// For SystemC processes of somebody else, before they touch anything that uses this Kernel:
  /// moves Now() to sc_time_stamp().
  void CatchUp();

 private:
  void AtClock(TimePs when, Function function, void* context, std::uint64_t argument);
  void Pump();
  /// When SystemC itself is due; looked up anew unless that is known.
  [[nodiscard]] TimePs SystemCNext() const;
  [[nodiscard]] TimePs LookUpSystemC() const;
  [[nodiscard]] bool ClockIsFirst() const {
    return clock_.function != nullptr &&
           (heap_.empty() || EventHeap::Earlier(clock_, heap_.front()));
  }
  /// Time of the earliest callback, kNever if none waits.
  [[nodiscard]] TimePs FirstTime() const {
    return ClockIsFirst() ? clock_.when : heap_.empty() ? kNever : heap_.front().when;
  }
  EventHeap::Entry PopFirst();
  [[nodiscard]] TimePs SystemCNow() const;
  void WakeAt(TimePs when);
  [[nodiscard]] bool IsDue() const { return Waits() && FirstTime() <= end_; }
  [[nodiscard]] bool Waits() const { return clock_.function != nullptr || !heap_.empty(); }

  EventHeap heap_;
  EventHeap::Entry clock_{};  // no function: none waits
  mutable TimePs systemc_next_ = 0;
  mutable bool systemc_known_ = false;
  std::uint64_t sequence_ = 0;
  TimePs base_ = 0;  // SystemC time of local time 0
  TimePs now_ = 0;
  TimePs end_ = 0;
  bool stop_ = false;
  bool in_callback_ = false;
  sc_core::sc_event wake_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_KERNEL_H_
