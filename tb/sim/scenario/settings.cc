// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "host_driver/base/user_error.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

template <typename T>
bool ParseWhole(std::string_view text, T* number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

std::vector<std::string> SplitCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = text.find(',', from);
    parts.push_back(text.substr(from, comma - from));
    if (comma == std::string::npos) return parts;
    from = comma + 1;
  }
}

/// Points `element` at the entry of `list` with that name.
template <typename T>
void Select(std::vector<T>& list, const std::string& where, const char* array,
            const std::string& name, T** element) {
  std::vector<std::string> names;
  for (T& entry : list) {
    if (entry.name == name) *element = &entry;
    names.push_back(entry.name);
  }
  if (*element == nullptr) {
    throw UserError(where, fmt::format("there is no {} \"{}\"", array, name),
                    fmt::format("this scenario has {}", fmt::join(names, ", ")));
  }
}

}  // namespace

bool InRange(const KeySpec& key, const Value& value) {
  const auto within = [&key](double number) { return number >= key.low && number <= key.high; };
  switch (key.type) {
    case ValueType::kText:
      return !value.text.empty();
    case ValueType::kChoice:
      return std::find(key.choices.begin(), key.choices.end(), value.text) != key.choices.end();
    case ValueType::kInteger:
    case ValueType::kTime:
    case ValueType::kBytes:
      return within(static_cast<double>(value.integer));
    case ValueType::kNumber:
      return within(value.number);
    case ValueType::kFlag:
    case ValueType::kTexts:
      return true;
    case ValueType::kIntegers:
      return value.integers.size() == 3 &&
             std::all_of(value.integers.begin(), value.integers.end(),
                         [&](std::int64_t number) { return within(static_cast<double>(number)); });
  }
  return false;
}

bool ValueFromText(const KeySpec& key, const std::string& text, Value* value) {
  switch (key.type) {
    case ValueType::kText:
    case ValueType::kChoice:
      value->text = text;
      return true;
    case ValueType::kInteger:
      return ParseWhole(text, &value->integer);
    case ValueType::kNumber:
      return ParseWhole(text, &value->number);
    case ValueType::kFlag:
      value->flag = text == "true";
      return text == "true" || text == "false";
    case ValueType::kTime:
      return ParseTime(text, &value->integer);
    case ValueType::kBytes:
      return ParseBytes(text, &value->integer);
    case ValueType::kTexts:
      value->texts = SplitCommas(text);
      return true;
    case ValueType::kIntegers:
      for (const std::string& part : SplitCommas(text)) {
        if (!ParseWhole(part, &value->integers.emplace_back())) return false;
      }
      return true;
  }
  return false;
}

void ApplySetting(const std::string& setting, Scenario* scenario) {
  const std::size_t equals = setting.find('=');
  const std::string path = setting.substr(0, equals);
  const std::string where = "--set " + path;
  if (equals == std::string::npos) throw UserError(where, "no value", "--set key=value");
  Place place;
  place.scenario = scenario;
  std::string key_path = path;
  const std::size_t dot = path.find('.');
  const std::string array = path.substr(0, dot);
  if (dot != std::string::npos && IsTable(array + "[]")) {
    const std::size_t second = path.find('.', dot + 1);
    const std::string name = path.substr(dot + 1, second - dot - 1);
    if (second == std::string::npos || array == "compare" || array == "event") {
      throw UserError(
          where, "no key of a named element",
          "for example variant.NAME.weights=65,33,9 (event and compare entries have no names)");
    }
    if (array == "cgroup") Select(scenario->cgroups, where, "cgroup", name, &place.cgroup);
    if (array == "path") Select(scenario->paths, where, "path", name, &place.path);
    if (array == "job") Select(scenario->jobs, where, "job", name, &place.job);
    if (array == "variant") Select(scenario->variants, where, "variant", name, &place.variant);
    key_path = array + "[]" + path.substr(second);
  }
  // The file's brackets stand for an element's name, which is what is written here.
  const bool has_brackets = array.find_first_of("[]") != std::string::npos;
  if (has_brackets) {
    throw UserError(where, "unknown key", "the name stands for the brackets: variant.NAME.burst");
  }
  const KeySpec* key = FindKey(key_path);
  if (key == nullptr) {
    const std::size_t last = key_path.rfind('.');
    const std::string prefix = last == std::string::npos ? "" : key_path.substr(0, last + 1);
    std::vector<std::string> names = NamesIn(prefix);
    std::vector<std::string> nearest = Nearest(key_path.substr(prefix.size()), names, 1);
    if (names.empty()) names = NamesIn("");
    throw UserError(
        where, "unknown key",
        fmt::format(
            "{}allowed: {}",
            nearest.empty() ? "" : fmt::format("did you mean \"{}{}\"? ", prefix, nearest[0]),
            fmt::join(names, ", ")));
  }
  place.wildcard = key_path.substr(key_path.rfind('.') + 1);
  Value value;
  const std::string text = setting.substr(equals + 1);
  if (!ValueFromText(*key, text, &value) || !InRange(*key, value)) {
    throw UserError(where, fmt::format("\"{}\"", text), "allowed: " + DescribeAllowed(*key));
  }
  SetValue(*key, place, value);
}

}  // namespace nvmearb::sim
