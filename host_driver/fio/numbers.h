// SPDX-License-Identifier: Apache-2.0
//
// Numbers as fio's normal output prints them.
#ifndef NVMEARB_HOST_DRIVER_FIO_NUMBERS_H_
#define NVMEARB_HOST_DRIVER_FIO_NUMBERS_H_

#include <cstdint>
#include <string>

namespace nvmearb::host::fio {

/// `value` in at most `digits` digits with a prefix: decimal "k M G T P", binary "Ki Mi Gi Ti Pi".
/// A fraction fills up the digits where there is room for a point: 40960000 is "39.1Mi" in four.
[[nodiscard]] std::string ShortNumber(std::uint64_t value, unsigned digits, bool binary);

/// "5580MiB" or, decimal, "5851MB".
[[nodiscard]] std::string ShortBytes(std::uint64_t bytes, bool binary);

/// Unit in which fio shows a set of latencies (ns): the divisor and the name.
struct LatencyUnit {
  std::uint64_t divisor = 1;
  const char* name = "nsec";
};
[[nodiscard]] LatencyUnit LatencyUnitFor(std::uint64_t min, std::uint64_t max, double stddev);
[[nodiscard]] LatencyUnit PercentileUnitFor(std::uint64_t min, std::uint64_t max);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_NUMBERS_H_
