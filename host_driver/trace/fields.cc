// SPDX-License-Identifier: Apache-2.0
#include "trace/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace nvmearb::trace {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return Lower(a) == b; });
}

/// A field as messages show it.
std::string Shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return fmt::format("\"{}{}\"", text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

}  // namespace

Fields::Fields(std::string_view line, char separator) {
  std::size_t at = 0;
  for (;;) {
    if (separator == ' ') {
      while (at < line.size() && IsBlank(line[at])) ++at;
      if (at == line.size()) return;
    }
    std::size_t end = at;
    while (end < line.size() && (separator == ' ' ? !IsBlank(line[end]) : line[end] != separator)) {
      ++end;
    }
    if (size_ < kMost) fields_[size_] = Trimmed(line.substr(at, end - at));
    ++size_;
    if (end == line.size()) return;
    at = end + 1;
  }
}

void Fields::Expect(std::size_t low, std::size_t high, std::string_view layout) const {
  if (size_ >= low && size_ <= high) return;
  throw BadLine(fmt::format("{} field{}", size_, size_ == 1 ? "" : "s"), std::string(layout));
}

std::uint64_t ParseWhole(std::string_view text, std::string_view what, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() ||
      number > most) {
    throw BadLine(fmt::format("{} {}", what, Shown(text)),
                  fmt::format("a whole number from 0 to {}", most));
  }
  return number;
}

std::uint64_t ParseSeconds(std::string_view text, std::string_view what) {
  constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
  constexpr std::size_t kDigits = 9;
  const auto refuse = [&] {
    throw BadLine(fmt::format("{} {}", what, Shown(text)), "seconds such as 12.000345");
  };
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  const auto digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (whole.empty() || !digits(whole) || !digits(fraction)) refuse();
  std::uint64_t seconds = 0;
  const auto parsed = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
  if (parsed.ec != std::errc() || seconds > ~std::uint64_t{0} / kNsPerSecond - 1) refuse();
  fraction = fraction.substr(0, kDigits);
  std::uint64_t ns = 0;
  for (std::size_t i = 0; i < kDigits; ++i) {
    ns = ns * 10 + (i < fraction.size() ? static_cast<std::uint64_t>(fraction[i] - '0') : 0);
  }
  return seconds * kNsPerSecond + ns;
}

std::uint64_t ParseOffset(std::string_view text, std::string_view what, std::uint64_t unit) {
  return ParseWhole(text, what, kMostOffset / unit) * unit;
}

std::uint64_t ParseLength(std::string_view text, std::string_view what, std::uint64_t unit) {
  return ParseWhole(text, what, kMostBytes / unit) * unit;
}

host::BioOp ParseReadWrite(std::string_view text, std::string_view what) {
  if (EqualsIgnoringCase(text, "r") || EqualsIgnoringCase(text, "read")) return host::BioOp::kRead;
  if (EqualsIgnoringCase(text, "w") || EqualsIgnoringCase(text, "write")) {
    return host::BioOp::kWrite;
  }
  throw BadLine(fmt::format("{} {}", what, Shown(text)), "R, W, Read or Write");
}

host::BioOp ParseOpDigit(std::string_view text, std::string_view what, char digit_of_read) {
  if (text == "0" || text == "1") {
    return text[0] == digit_of_read ? host::BioOp::kRead : host::BioOp::kWrite;
  }
  throw BadLine(fmt::format("{} {}", what, Shown(text)),
                digit_of_read == '0' ? "0 (read) or 1 (write)" : "1 (read) or 0 (write)");
}

bool IsHeader(std::string_view line, std::string_view first) {
  const std::string_view field = Trimmed(line.substr(0, line.find(',')));
  return EqualsIgnoringCase(field, first);
}

}  // namespace nvmearb::trace
