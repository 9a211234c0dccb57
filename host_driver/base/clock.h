// SPDX-License-Identifier: Apache-2.0
//
// Clock: host time. The simulator implements it over the SystemC kernel, unit tests over a plain
// event queue (host_driver/base/test_clock.h).
#ifndef NVMEARB_HOST_DRIVER_BASE_CLOCK_H_
#define NVMEARB_HOST_DRIVER_BASE_CLOCK_H_

#include <cstdint>

namespace nvmearb::host {

/// Simulated time in picoseconds since the start of the run (64 bits: 213 days).
using TimePs = std::uint64_t;
inline constexpr TimePs kNs = 1'000;
inline constexpr TimePs kUs = 1'000'000;
inline constexpr TimePs kMs = 1'000'000'000;
inline constexpr TimePs kSec = 1'000'000'000'000;

/// A call to make later: no allocation, trivially copyable. `function(context, argument)`.
struct Callback {
  void (*function)(void* context, std::uint64_t argument) = nullptr;
  void* context = nullptr;
  std::uint64_t argument = 0;
};

/// Makes a Callback that calls `(object->*Method)(argument)`.
template <auto Method, typename T>
Callback Bind(T* object, std::uint64_t argument = 0) {
  return {[](void* context, std::uint64_t value) { (static_cast<T*>(context)->*Method)(value); },
          object, argument};
}

class Clock {
 public:
  virtual ~Clock() = default;

  /// Current simulated time; never goes backwards.
  [[nodiscard]] virtual TimePs Now() const = 0;

  /// Calls `callback` at absolute time `when` >= Now(). Calls of the same time are made in the
  /// order in which they were asked for. Not cancellable: a user that changed its mind ignores
  /// the call.
  virtual void At(TimePs when, Callback callback) = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_CLOCK_H_
