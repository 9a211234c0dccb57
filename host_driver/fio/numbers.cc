// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/numbers.h"

#include <fmt/format.h>

#include <array>

namespace nvmearb::host::fio {

std::string ShortNumber(std::uint64_t value, unsigned digits, bool binary) {
  static constexpr std::array<const char*, 6> kDecimal = {"", "k", "M", "G", "T", "P"};
  static constexpr std::array<const char*, 6> kBinary = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  const std::uint64_t thousand = binary ? 1024 : 1000;
  std::size_t power = 0;
  std::uint64_t rest = 0;
  bool divided = false;
  std::string whole = std::to_string(value);
  while (whole.size() > digits && power + 1 < kDecimal.size()) {
    rest = value % thousand;
    value /= thousand;
    divided = true;
    ++power;
    whole = std::to_string(value);
  }
  const char* prefix = binary ? kBinary[power] : kDecimal[power];
  if (!divided) return whole + prefix;
  const double exact =
      static_cast<double>(value) + static_cast<double>(rest) / static_cast<double>(thousand);
  // The point takes a place too.
  const std::size_t room = whole.size() < digits ? digits - whole.size() : 0;
  const std::size_t decimals = room > 1 ? room - 1 : 0;
  std::string text = fmt::format("{:.{}f}", exact, decimals);
  // Halves go up where nothing is left for decimals, as in fio.
  if (decimals == 0) text = std::to_string(value + (rest >= thousand / 2 ? 1 : 0));
  return text + prefix;
}

std::string ShortBytes(std::uint64_t bytes, bool binary) {
  return ShortNumber(bytes, 4, binary) + "B";
}

LatencyUnit LatencyUnitFor(std::uint64_t min, std::uint64_t max, double stddev) {
  if (min > 2'000'000 && max > 99'999'999 && stddev > 1e6) return {1'000'000, "msec"};
  if (min > 2'000 && max > 99'999 && stddev > 1e3) return {1'000, "usec"};
  return {};
}

LatencyUnit PercentileUnitFor(std::uint64_t min, std::uint64_t max) {
  if (min > 2'000'000 && max > 99'999'999) return {1'000'000, "msec"};
  if (min > 2'000 && max > 99'999) return {1'000, "usec"};
  return {};
}

}  // namespace nvmearb::host::fio
