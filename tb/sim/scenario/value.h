// SPDX-License-Identifier: Apache-2.0
//
// Value: one typed value of a scenario key, and ValueType: what a key may hold. Both a TOML value
// and the text of `--set key=value` end as a Value, so that the two have the same types and limits.
#ifndef NVMEARB_TB_SIM_SCENARIO_VALUE_H_
#define NVMEARB_TB_SIM_SCENARIO_VALUE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nvmearb::sim {

enum class ValueType {
  kText,      ///< any string
  kChoice,    ///< one of the key's words
  kInteger,   ///< TOML integer
  kNumber,    ///< TOML integer or float
  kFlag,      ///< true or false
  kTime,      ///< string with a unit (ps ns us ms s m h), held in picoseconds
  kBytes,     ///< integer, or string with k/m/g (powers of 1024), held in bytes
  kTexts,     ///< array of strings
  kIntegers,  ///< array of integers
};

/// The member that a type uses: text (kText, kChoice), integer (kInteger, kTime, kBytes), number
/// (kNumber), flag, texts, integers.
struct Value {
  std::string text;
  std::int64_t integer = 0;
  double number = 0;
  bool flag = false;
  std::vector<std::string> texts;
  std::vector<std::int64_t> integers;
};

/// Picoseconds of a text such as "1.515us". False when it is not one, is negative or does not fit.
[[nodiscard]] bool ParseTime(std::string_view text, std::int64_t* picoseconds);

/// Bytes of a text such as "128k" or "8000000". False when it is not one or does not fit.
[[nodiscard]] bool ParseBytes(std::string_view text, std::int64_t* bytes);

/// Shortest text of a time that ParseTime() reads back: "80us", "1515ns".
[[nodiscard]] std::string FormatTime(std::int64_t picoseconds);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_VALUE_H_
