// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/value.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace nvmearb::sim {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t scale;
};

constexpr std::array<Unit, 7> kTimeUnits = {{{"ps", 1},
                                             {"ns", 1'000},
                                             {"us", 1'000'000},
                                             {"ms", 1'000'000'000},
                                             {"s", 1'000'000'000'000},
                                             {"m", 60'000'000'000'000},
                                             {"h", 3'600'000'000'000'000}}};

constexpr std::array<Unit, 7> kByteUnits = {{{"", 1},
                                             {"k", 1 << 10},
                                             {"K", 1 << 10},
                                             {"m", 1 << 20},
                                             {"M", 1 << 20},
                                             {"g", 1 << 30},
                                             {"G", 1 << 30}}};

/// Decimal number with an optional fraction, then a unit; exact where the result is a whole number.
template <std::size_t N>
bool ParseScaled(std::string_view text, const std::array<Unit, N>& units, std::int64_t* result) {
  std::size_t digits = 0;
  while (digits < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[digits])) != 0 || text[digits] == '.')) {
    ++digits;
  }
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + digits, number);
  if (digits == 0 || parsed.ec != std::errc() || parsed.ptr != text.data() + digits) return false;
  for (const Unit& unit : units) {
    if (unit.name != text.substr(digits)) continue;
    const double scaled = number * static_cast<double>(unit.scale);
    if (scaled > 9e18) return false;
    *result = std::llround(scaled);
    return true;
  }
  return false;
}

}  // namespace

bool ParseTime(std::string_view text, std::int64_t* picoseconds) {
  return ParseScaled(text, kTimeUnits, picoseconds);
}

bool ParseBytes(std::string_view text, std::int64_t* bytes) {
  return ParseScaled(text, kByteUnits, bytes);
}

std::string FormatTime(std::int64_t picoseconds) {
  if (picoseconds == 0) return "0s";
  Unit best = kTimeUnits[0];
  for (const Unit& unit : kTimeUnits) {
    if (unit.scale <= kTimeUnits[4].scale && picoseconds % unit.scale == 0) best = unit;
  }
  return fmt::format("{}{}", picoseconds / best.scale, best.name);
}

}  // namespace nvmearb::sim
