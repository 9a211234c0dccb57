// SPDX-License-Identifier: Apache-2.0
//
// Fields of a trace line, and the numbers in them.
#ifndef NVMEARB_TRACE_FIELDS_H_
#define NVMEARB_TRACE_FIELDS_H_

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "host_driver/block/bio.h"

namespace nvmearb::trace {

/// A line that is no line of its format: what was found and what was expected. The reader adds file
/// and line.
class BadLine : public std::runtime_error {
 public:
  BadLine(const std::string& found, std::string expected)
      : std::runtime_error(found), expected_(std::move(expected)) {}
  [[nodiscard]] const std::string& expected() const { return expected_; }

 private:
  std::string expected_;
};

inline constexpr std::uint64_t kSectorBytes = 512;
/// Limits of what a record may say, so that sums of the two stay far from 2^64.
inline constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

/// A line cut at a separator, without allocation. ',' gives empty fields, too, and takes blanks
/// around each; ' ' counts runs of blanks and tabs as one.
class Fields {
 public:
  static constexpr std::size_t kMost = 32;

  /// Further fields than kMost are not kept but counted.
  Fields(std::string_view line, char separator);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// index < min(size(), kMost)
  [[nodiscard]] std::string_view operator[](std::size_t index) const { return fields_[index]; }

  /// Throws BadLine unless there are `low` to `high` fields; `layout` names them.
  void Expect(std::size_t low, std::size_t high, std::string_view layout) const;

 private:
  std::array<std::string_view, kMost> fields_;
  std::size_t size_ = 0;
};

/// A whole decimal number 0..`most`. `what` names the field. Throws BadLine.
[[nodiscard]] std::uint64_t ParseWhole(std::string_view text, std::string_view what,
                                       std::uint64_t most);

/// Seconds with a decimal fraction, in ns; what is below a nanosecond is cut off. Throws BadLine.
[[nodiscard]] std::uint64_t ParseSeconds(std::string_view text, std::string_view what);

/// A count of 512-byte sectors or of bytes, in bytes, within the limits above. Throws BadLine.
[[nodiscard]] std::uint64_t ParseOffset(std::string_view text, std::string_view what,
                                        std::uint64_t unit);
[[nodiscard]] std::uint64_t ParseLength(std::string_view text, std::string_view what,
                                        std::uint64_t unit);

/// "r"/"w" or "read"/"write", any case. Throws BadLine.
[[nodiscard]] host::BioOp ParseReadWrite(std::string_view text, std::string_view what);

/// Of "0" and "1". Throws BadLine.
[[nodiscard]] host::BioOp ParseOpDigit(std::string_view text, std::string_view what,
                                       char digit_of_read);

/// True for a CSV header: its first field is `first`, in any case.
[[nodiscard]] bool IsHeader(std::string_view line, std::string_view first);

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_FIELDS_H_
