// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/sweep_grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_driver/base/user_error.h"
#include "sim/scenario/keys.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

/// The key's own entry; the element's name stands where the table has brackets.
bool TakesArray(const std::string& path) {
  const std::size_t dot = path.find('.');
  const std::size_t second = dot == std::string::npos ? dot : path.find('.', dot + 1);
  const KeySpec* key = FindKey(path);
  if (key == nullptr && second != std::string::npos) {
    key = FindKey(path.substr(0, dot) + "[]" + path.substr(second));
  }
  return key != nullptr && (key->type == ValueType::kIntegers || key->type == ValueType::kTexts);
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (;;) {
    const std::size_t end = text.find(separator, from);
    parts.push_back(text.substr(from, end - from));
    if (end == std::string::npos) return parts;
    from = end + 1;
  }
}

}  // namespace

SweepGrid::SweepGrid(const std::vector<std::string>& settings) {
  std::vector<std::string> keys;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      throw UserError("--set " + setting, "no value", "--set key=value,value,...");
    }
    SweepAxis axis;
    axis.key = setting.substr(0, equals);
    axis.values = Split(setting.substr(equals + 1), TakesArray(axis.key) ? '/' : ',');
    if (std::find(keys.begin(), keys.end(), axis.key) != keys.end()) {
      throw UserError("--set " + axis.key, "again", "all values of a key in one --set");
    }
    keys.push_back(axis.key);
    for (const std::string& value : axis.values) {
      if (value.empty()) throw UserError("--set " + axis.key, "an empty value", "value,value,...");
    }
    if (axis.values.size() == 1) {
      fixed_.push_back(setting);
      continue;
    }
    size_ *= axis.values.size();
    if (size_ > kMostPoints) {
      throw UserError("--set " + axis.key, "too many combinations",
                      fmt::format("at most {}", kMostPoints));
    }
    axes_.push_back(std::move(axis));
  }
  if (axes_.empty()) {
    throw UserError("sweep", "nothing to vary", "--set key=value,value,... with several values");
  }
}

std::vector<std::string> SweepGrid::ValuesAt(std::size_t index) const {
  std::vector<std::string> values(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    values[i] = axes_[i].values[index % axes_[i].values.size()];
    index /= axes_[i].values.size();
  }
  return values;
}

std::vector<std::string> SweepGrid::SettingsAt(std::size_t index) const {
  std::vector<std::string> settings = fixed_;
  const std::vector<std::string> values = ValuesAt(index);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    settings.push_back(axes_[i].key + "=" + values[i]);
  }
  return settings;
}

}  // namespace nvmearb::sim
