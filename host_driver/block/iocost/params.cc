// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/iocost/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

struct Key {
  const char* name;
  double low;
  double high;
  double* value;
};

// Calls set(key, value) for each key=value of the text.
template <typename Set>
void ForEachPair(std::string_view text, const std::string& where, Set set) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t blank = std::min(text.find_first_of(" \t\n", at), text.size());
    const std::string_view word = text.substr(at, blank - at);
    at = blank + 1;
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      throw UserError(where, fmt::format("EINVAL: '{}'", word), "key=value");
    }
    set(word.substr(0, equals), std::string(word.substr(equals + 1)));
  }
}

// Sets a number of `keys`; false when the key is none of them.
bool SetNumber(const std::vector<Key>& keys, std::string_view name, const std::string& text,
               const std::string& where) {
  for (const Key& key : keys) {
    if (name != key.name) continue;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= key.low && value <= key.high)) {
      throw UserError(where, fmt::format("EINVAL: {}={}", name, text),
                      fmt::format("a number from {} to {}", key.low, key.high));
    }
    *key.value = value;
    return true;
  }
  return false;
}

[[noreturn]] void Unknown(std::string_view name, const std::string& text, const std::string& where,
                          const std::vector<Key>& keys, const char* others) {
  std::string names = others;
  for (const Key& key : keys) names += fmt::format(", {}", key.name);
  throw UserError(where, fmt::format("EINVAL: {}={}", name, text), "allowed: " + names);
}

}  // namespace

void IocostParams::UseDefaults(bool fast) {
  const IocostParams defaults;
  if (!user_qos) {
    read_pct = write_pct = 0;
    read_lat_us = write_lat_us = fast ? 5'000 : defaults.read_lat_us;
    min_pct = defaults.min_pct;
    max_pct = defaults.max_pct;
  }
  if (user_model) return;
  read_bps = fast ? 3'102'524'156 : defaults.read_bps;
  read_seq_iops = fast ? 724'816 : defaults.read_seq_iops;
  read_rand_iops = fast ? 778'122 : defaults.read_rand_iops;
  write_bps = fast ? 1'742'780'862 : defaults.write_bps;
  write_seq_iops = fast ? 425'702 : defaults.write_seq_iops;
  write_rand_iops = fast ? 443'193 : defaults.write_rand_iops;
}

void IocostParams::SetQos(std::string_view text, const std::string& where) {
  constexpr double kMinuteUs = 60e6;
  const std::vector<Key> keys = {
      {"rpct", 0, 100, &read_pct},  {"rlat", 1, kMinuteUs, &read_lat_us},
      {"wpct", 0, 100, &write_pct}, {"wlat", 1, kMinuteUs, &write_lat_us},
      {"min", 1, 10'000, &min_pct}, {"max", 1, 10'000, &max_pct}};
  ForEachPair(text, where, [&](std::string_view name, const std::string& value) {
    if (name == "enable" && (value == "0" || value == "1")) {
      enable = value == "1";
    } else if (name == "ctrl" && (value == "auto" || value == "user")) {
      user_qos = value == "user";
    } else if (SetNumber(keys, name, value, where)) {
      user_qos = true;
    } else {
      Unknown(name, value, where, keys, "enable=0|1, ctrl=auto|user");
    }
  });
  if (min_pct > max_pct) throw UserError(where, "EINVAL: min above max", "min <= max");
}

void IocostParams::SetModel(std::string_view text, const std::string& where) {
  constexpr double kMost = 1e12;
  const std::vector<Key> keys = {{"rbps", 1, kMost, &read_bps},
                                 {"rseqiops", 1, kMost, &read_seq_iops},
                                 {"rrandiops", 1, kMost, &read_rand_iops},
                                 {"wbps", 1, kMost, &write_bps},
                                 {"wseqiops", 1, kMost, &write_seq_iops},
                                 {"wrandiops", 1, kMost, &write_rand_iops}};
  ForEachPair(text, where, [&](std::string_view name, const std::string& value) {
    if (name == "ctrl" && (value == "auto" || value == "user")) {
      user_model = value == "user";
    } else if (name == "model" && value == "linear") {
    } else if (SetNumber(keys, name, value, where)) {
      user_model = true;
    } else {
      Unknown(name, value, where, keys, "ctrl=auto|user, model=linear");
    }
  });
}

}  // namespace nvmearb::host
