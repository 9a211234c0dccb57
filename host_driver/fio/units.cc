// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "host_driver/base/user_error.h"

namespace nvmearb::host::fio {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

struct Number {
  std::uint64_t value = 0;
  std::string suffix;  // lower case
};

// Digits (or 0x digits) and what follows them.
Number ParseDigits(const RawOption& option, std::string_view text, const char* allowed) {
  const std::string trimmed = Trim(text);
  std::size_t i = 0;
  unsigned base = 10;
  if (trimmed.size() > 2 && trimmed[0] == '0' && (trimmed[1] == 'x' || trimmed[1] == 'X')) {
    base = 16;
    i = 2;
  }
  const std::size_t first = i;
  Number number;
  for (; i < trimmed.size(); ++i) {
    const auto c = static_cast<unsigned char>(trimmed[i]);
    unsigned digit = 0;
    if (std::isdigit(c)) {
      digit = c - '0';
    } else if (base == 16 && std::isxdigit(c)) {
      digit = static_cast<unsigned>(std::tolower(c)) - 'a' + 10;
    } else {
      break;
    }
    if (number.value > (kMax - digit) / base) BadValue(option, "the number is too large", allowed);
    number.value = number.value * base + digit;
  }
  if (i == first) BadValue(option, fmt::format("'{}' is not a number", trimmed), allowed);
  for (; i < trimmed.size(); ++i) {
    number.suffix += static_cast<char>(std::tolower(static_cast<unsigned char>(trimmed[i])));
  }
  return number;
}

std::uint64_t Multiply(const RawOption& option, std::uint64_t value, std::uint64_t factor) {
  if (factor != 0 && value > kMax / factor) BadValue(option, "the number is too large", "");
  return value * factor;
}

constexpr const char* kSizeHelp = "a whole number with an optional k m g t p, such as 4k or 1g";
constexpr const char* kTimeHelp =
    "a whole number with an optional us ms s m h d, such as 60 or 50ms";

}  // namespace

void BadValue(const RawOption& option, const std::string& found, const std::string& allowed) {
  const std::string text =
      option.has_value ? fmt::format("{}={}", option.key, option.value) : option.key;
  throw UserError(option.where, fmt::format("{}: {}", text, found), allowed);
}

std::uint64_t ParseSize(const RawOption& option, std::string_view text, unsigned kb_base) {
  const Number number = ParseDigits(option, text, kSizeHelp);
  std::string suffix = number.suffix;
  if (suffix.empty() || suffix == "b") return number.value;
  const std::size_t power = std::string_view("kmgtp").find(suffix[0]);
  const std::string unit = suffix.substr(1);
  if (power == std::string_view::npos ||
      !(unit.empty() || unit == "b" || unit == "i" || unit == "ib")) {
    BadValue(option, fmt::format("unknown size suffix '{}'", suffix), kSizeHelp);
  }
  const std::uint64_t base = unit == "ib" ? (kb_base == 1024 ? 1000u : 1024u) : kb_base;
  std::uint64_t value = number.value;
  for (std::size_t i = 0; i <= power; ++i) value = Multiply(option, value, base);
  return value;
}

std::uint64_t ParseNumber(const RawOption& option, std::string_view text, unsigned kb_base,
                          std::uint64_t low, std::uint64_t high) {
  const std::uint64_t value = ParseSize(option, text, kb_base);
  if (value < low || value > high) {
    BadValue(option, fmt::format("{} is out of range", value), fmt::format("{} to {}", low, high));
  }
  return value;
}

SizeOrPercent ParseSizeOrPercent(const RawOption& option, std::string_view text, unsigned kb_base) {
  const std::string trimmed = Trim(text);
  SizeOrPercent size;
  if (!trimmed.empty() && trimmed.back() == '%') {
    const std::string digits = trimmed.substr(0, trimmed.size() - 1);
    size.percent = static_cast<std::uint32_t>(ParseNumber(option, digits, kb_base, 0, 100));
    return size;
  }
  if (!trimmed.empty() && (trimmed.back() == 'z' || trimmed.back() == 'Z')) {
    BadValue(option, "zones are not modelled", kSizeHelp);
  }
  size.bytes = ParseSize(option, trimmed, kb_base);
  return size;
}

TimePs ParseTime(const RawOption& option, std::string_view text, TimePs default_unit) {
  const Number number = ParseDigits(option, text, kTimeHelp);
  const std::string& suffix = number.suffix;
  TimePs unit = 0;
  if (suffix.empty()) unit = default_unit;
  if (suffix == "us" || suffix == "usec") unit = kUs;
  if (suffix == "ms" || suffix == "msec") unit = kMs;
  if (suffix == "s" || suffix == "sec") unit = kSec;
  if (suffix == "m") unit = 60 * kSec;
  if (suffix == "h") unit = 3600 * kSec;
  if (suffix == "d") unit = 24 * 3600 * kSec;
  if (unit == 0) BadValue(option, fmt::format("unknown time suffix '{}'", suffix), kTimeHelp);
  const TimePs value = Multiply(option, number.value, unit);
  // Half of the clock's range leaves room for sums.
  if (value > kMax / 2) BadValue(option, "the time is too long", "at most 106 days");
  return value;
}

bool ParseBool(const RawOption& option, std::string_view text) {
  const std::string trimmed = Trim(text);
  if (trimmed == "0") return false;
  if (trimmed == "1") return true;
  BadValue(option, "not a truth value", "0 or 1");
}

double ParseDecimal(const RawOption& option, std::string_view text) {
  const std::string trimmed = Trim(text);
  double value = 0;
  double scale = 1;
  bool digits = false;
  bool point = false;
  for (const char c : trimmed) {
    if (c == '.' && !point) {
      point = true;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      digits = true;
      value = value * 10 + (c - '0');
      if (point) scale *= 10;
    } else {
      digits = false;
      break;
    }
  }
  if (!digits) BadValue(option, fmt::format("'{}' is not a number", trimmed), "such as 99.9");
  return value / scale;
}

std::string Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(Trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::uint16_t> ParseCpuList(const RawOption& option, std::string_view text) {
  constexpr std::uint64_t kMaxCpu = 4095;
  std::string commas(text);
  std::replace(commas.begin(), commas.end(), ':', ',');
  std::vector<std::uint16_t> cpus;
  for (const std::string& part : Split(commas, ',')) {
    const std::vector<std::string> ends = Split(part, '-');
    if (ends.size() > 2) BadValue(option, fmt::format("'{}' is no range", part), "such as 0-3,6");
    const std::uint64_t low = ParseNumber(option, ends.front(), 1024, 0, kMaxCpu);
    const std::uint64_t high = ParseNumber(option, ends.back(), 1024, 0, kMaxCpu);
    if (low > high) BadValue(option, fmt::format("'{}' runs backwards", part), "such as 0-3,6");
    for (std::uint64_t cpu = low; cpu <= high; ++cpu) {
      cpus.push_back(static_cast<std::uint16_t>(cpu));
    }
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

}  // namespace nvmearb::host::fio
