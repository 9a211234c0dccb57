// SPDX-License-Identifier: Apache-2.0
//
// Values of fio options: sizes, times, ranges, lists. Every function throws UserError with the
// place of the option, what was found and what is allowed.
//
// Stricter than fio where fio silently drops what it cannot read: "1k5", "1.5g" and "1.5" (s) are
// errors here, and 1, 1024 and 1 there.
#ifndef NVMEARB_HOST_DRIVER_FIO_UNITS_H_
#define NVMEARB_HOST_DRIVER_FIO_UNITS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host_driver/fio/fio_input.h"

namespace nvmearb::host::fio {

/// Throws UserError("where", "key=value: <found>", allowed).
[[noreturn]] void BadValue(const RawOption& option, const std::string& found,
                           const std::string& allowed);

/// A number with an optional suffix of bytes: k m g t p, each with an optional b, any case, 0x
/// prefix allowed. k is `kb_base` (1024 or 1000). As fio 3.33 does it: "kib" is the other base,
/// "ki" is the same as "k".
[[nodiscard]] std::uint64_t ParseSize(const RawOption& option, std::string_view text,
                                      unsigned kb_base);

/// ParseSize() within [low, high].
[[nodiscard]] std::uint64_t ParseNumber(const RawOption& option, std::string_view text,
                                        unsigned kb_base, std::uint64_t low, std::uint64_t high);

/// "10%" (0..100) or a size. fio's "z" (zones) is refused.
[[nodiscard]] SizeOrPercent ParseSizeOrPercent(const RawOption& option, std::string_view text,
                                               unsigned kb_base);

/// Picoseconds. Suffix us usec ms msec s sec m h d; a bare number counts `default_unit`.
[[nodiscard]] TimePs ParseTime(const RawOption& option, std::string_view text, TimePs default_unit);

/// 0 or 1.
[[nodiscard]] bool ParseBool(const RawOption& option, std::string_view text);

/// A decimal fraction such as 99.9.
[[nodiscard]] double ParseDecimal(const RawOption& option, std::string_view text);

/// Splits at every `separator`; empty parts are kept, blanks around parts are not.
[[nodiscard]] std::vector<std::string> Split(std::string_view text, char separator);

/// Without blanks at both ends.
[[nodiscard]] std::string Trim(std::string_view text);

/// "0-3,6:7" as a sorted list without repetition (fio takes , and : as separators).
[[nodiscard]] std::vector<std::uint16_t> ParseCpuList(const RawOption& option,
                                                      std::string_view text);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_UNITS_H_
