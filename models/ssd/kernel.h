// SPDX-License-Identifier: Apache-2.0
//
// Kernel: simulated time for the device, the host clock and the RTL harness, over SystemC.
//
// One SC_METHOD ("pump") executes timed callbacks from one heap. It runs ahead of the SystemC kernel
// while nothing else in the simulation is due earlier, so that a callback costs a heap operation and
// not three delta cycles, and other SystemC modules still see every event at its exact time. Now() is the time of
// the running callback; sc_time_stamp() may lag behind it, and TLM calls made from a callback carry
// LocalDelay() as their annotated delay (TLM-2.0 LRM, temporal decoupling).
//
// Order: by time, then phase (kEvent before kClockEdge), then the order of the calls to At(). A clock
// edge therefore samples everything that happened up to and including its own time.
//
// Not thread safe. Callbacks are trivially copyable; no allocation beyond heap growth.
#ifndef NVMEARB_MODELS_SSD_KERNEL_H_
#define NVMEARB_MODELS_SSD_KERNEL_H_

#include <cstdint>
#include <systemc>
#include <vector>

namespace nvmearb::ssd {

using TimePs = std::uint64_t;
inline constexpr TimePs kNever = ~TimePs{0};

class Kernel : public sc_core::sc_module {
 public:
  /// A call to make later; the same shape as host::Callback (the layers do not know each other).
  using Function = void (*)(void* context, std::uint64_t argument);

  enum class Phase : std::uint64_t { kEvent = 0, kClockEdge = 1 };

  explicit Kernel(sc_core::sc_module_name name);

  /// Time of the running callback, in picoseconds.
  [[nodiscard]] TimePs Now() const { return now_; }

  /// Calls function(context, argument) at `when` >= Now().
  void At(TimePs when, Function function, void* context, std::uint64_t argument,
          Phase phase = Phase::kEvent);

  /// Makes `(object->*Method)(argument)` at `when`.
  template <auto Method, typename T>
  void Call(TimePs when, T* object, std::uint64_t argument = 0, Phase phase = Phase::kEvent) {
    At(when,
       [](void* context, std::uint64_t value) { (static_cast<T*>(context)->*Method)(value); },
       object, argument, phase);
  }

  /// Time of the earliest callback still waiting or other SystemC activity; kNever if none.
  /// A callback may move time forward to any `when` < NextTime() with AdvanceTo() and act there:
  /// that is how the RTL harness runs several clocks in one wake-up.
  [[nodiscard]] TimePs NextTime() const;
  void AdvanceTo(TimePs when);

  /// Runs until `end` (callbacks due at `end` included), until nothing is left, or until Stop().
  /// May be called again. Returns false when nothing is left before `end`.
  bool RunUntil(TimePs end);
  void Stop() { stop_ = true; }

  /// Now() - sc_time_stamp(), for TLM calls.
  [[nodiscard]] sc_core::sc_time LocalDelay() const;

 private:
  struct Entry {
    TimePs when;
    std::uint64_t key;  // phase in the top bit, then the sequence number
    Function function;
    void* context;
    std::uint64_t argument;
  };
  static bool Later(const Entry& a, const Entry& b) {
    return a.when != b.when ? a.when > b.when : a.key > b.key;
  }

  void Pump();
  [[nodiscard]] TimePs SystemCNext() const;

  std::vector<Entry> heap_;
  std::uint64_t sequence_ = 0;
  TimePs now_ = 0;
  TimePs end_ = 0;
  bool stop_ = false;
  sc_core::sc_event wake_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_KERNEL_H_
