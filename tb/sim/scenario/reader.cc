// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "host_driver/base/user_error.h"
#include "sim/scenario/check.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/settings.h"
#include "sim/scenario/toml.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

/// Walks the TOML tree beside the table of keys.
class Reader {
 public:
  Reader(std::string file, Scenario* scenario) : file_(std::move(file)), scenario_(scenario) {}

  void Read(const toml::table& root) {
    Place place;
    place.scenario = scenario_;
    ReadTable(root, "", place, 1);
    RequireSome("job", scenario_->jobs.empty());
    RequireSome("variant", scenario_->variants.empty());
  }

 private:
  [[nodiscard]] std::string Where(int line, std::string_view path) const {
    return fmt::format("{}:{}: {}", file_, line, path);
  }

  void RequireSome(const char* array, bool empty) const {
    if (!empty) return;
    throw UserError(fmt::format("{}:1: {}", file_, array), "missing",
                    fmt::format("a scenario needs at least one [[{}]]", array));
  }

  void ReadTable(const toml::table& table, const std::string& prefix, Place& place, int line) {
    for (const auto& [key, node] : table) {
      const std::string path = prefix + std::string(key.str());
      const int key_line = static_cast<int>(key.source().begin.line);
      ReadNode(node, path, std::string(key.str()), prefix, place, key_line);
    }
    for (const KeySpec& key : ScenarioKeys()) {
      if (!key.required || key.path.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string name = key.path.substr(prefix.size());
      if (name.find_first_of(".[<") != std::string::npos || table.contains(name)) continue;
      throw UserError(Where(line, key.path), "missing", "required: " + DescribeAllowed(key));
    }
  }

  void ReadNode(const toml::node& node, const std::string& path, const std::string& name,
                const std::string& prefix, Place& place, int line) {
    // A quoted name is one name: "run.seed" is not the key seed of [run].
    if (name.find_first_of(".[]<>") != std::string::npos && !TakesAnyName(prefix)) {
      throw UserError(Where(line, path), "unknown key", Suggest(name, prefix));
    }
    if (const toml::array* array = node.as_array();
        array != nullptr && IsTable(path + "[]") && FindKey(path) == nullptr) {
      for (const toml::node& element : *array) {
        const int element_line = static_cast<int>(element.source().begin.line);
        if (!element.is_table()) {
          throw UserError(Where(element_line, path), "not a table",
                          fmt::format("each is written as [[{}]]", path));
        }
        Place inner = Append(path, place, element_line);
        ReadTable(*element.as_table(), path + "[].", inner, element_line);
      }
      return;
    }
    if (const toml::table* table = node.as_table(); table != nullptr) {
      if (IsTable(path + "[]")) {
        throw UserError(Where(line, path), "a single table",
                        fmt::format("there may be several, so it is written as [[{}]]", path));
      }
      if (IsTable(path)) {
        ReadTable(*table, path + ".", place, static_cast<int>(node.source().begin.line));
        return;
      }
    }
    const KeySpec* key = FindKey(path);
    if (key == nullptr && (IsTable(path) || IsTable(path + "[]"))) {
      throw UserError(Where(line, path), "not a table",
                      IsTable(path) ? fmt::format("it has keys of its own: [{}]", path)
                                    : fmt::format("there may be several: [[{}]]", path));
    }
    if (key == nullptr) throw UserError(Where(line, path), "unknown key", Suggest(name, prefix));
    place.wildcard = name;
    SetValue(*key, place, Convert(node, *key, path, line));
  }

  static std::string Suggest(const std::string& name, const std::string& prefix) {
    const std::vector<std::string> names = NamesIn(prefix);
    const std::vector<std::string> nearest = Nearest(name, names, 1);
    return fmt::format("{}allowed here: {}",
                       nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest[0]),
                       fmt::join(names, ", "));
  }

  Place Append(const std::string& array, const Place& outer, int line) {
    Place place = outer;
    if (array == "cgroup") place.cgroup = &scenario_->cgroups.emplace_back();
    if (array == "path") place.path = &scenario_->paths.emplace_back();
    if (array == "job") place.job = &scenario_->jobs.emplace_back();
    if (array == "variant") place.variant = &scenario_->variants.emplace_back();
    if (array == "event") place.event = &scenario_->events.emplace_back();
    if (array == "compare") place.compare = &scenario_->compares.emplace_back();
    if (place.cgroup != nullptr) place.cgroup->line = line;
    if (place.path != nullptr) place.path->line = line;
    if (place.job != nullptr) place.job->line = line;
    if (place.variant != nullptr) place.variant->line = line;
    if (place.event != nullptr) place.event->line = line;
    if (place.compare != nullptr) place.compare->line = line;
    return place;
  }

  Value Convert(const toml::node& node, const KeySpec& key, const std::string& path, int line) {
    const std::string where = Where(line, path);
    Value value;
    const auto wrong = [&]() -> UserError {
      std::ostringstream found;
      if (node.is_string()) {
        found << '"' << **node.as_string() << '"';
      } else {
        found << toml::node_view<const toml::node>(node);
      }
      return UserError(where, found.str(), "allowed: " + DescribeAllowed(key));
    };
    switch (key.type) {
      case ValueType::kText:
      case ValueType::kChoice:
        if (!node.is_string()) throw wrong();
        value.text = **node.as_string();
        break;
      case ValueType::kInteger:
        if (!node.is_integer()) throw wrong();
        value.integer = **node.as_integer();
        break;
      case ValueType::kNumber:
        if (!node.is_number()) throw wrong();
        value.number = *node.value<double>();
        break;
      case ValueType::kFlag:
        if (!node.is_boolean()) throw wrong();
        value.flag = **node.as_boolean();
        break;
      case ValueType::kTime:
        if (!node.is_string() || !ParseTime(**node.as_string(), &value.integer)) throw wrong();
        break;
      case ValueType::kBytes:
        if (node.is_integer()) {
          value.integer = **node.as_integer();
        } else if (!node.is_string() || !ParseBytes(**node.as_string(), &value.integer)) {
          throw wrong();
        }
        break;
      case ValueType::kTexts:
        if (!node.is_array() || node.as_array()->empty()) throw wrong();
        for (const toml::node& element : *node.as_array()) {
          if (!element.is_string()) throw wrong();
          value.texts.push_back(**element.as_string());
        }
        break;
      case ValueType::kIntegers:
        if (!node.is_array()) throw wrong();
        for (const toml::node& element : *node.as_array()) {
          if (!element.is_integer()) throw wrong();
          value.integers.push_back(**element.as_integer());
        }
        break;
    }
    if (!InRange(key, value)) throw wrong();
    return value;
  }

  std::string file_;
  Scenario* scenario_;
};

}  // namespace

Scenario ParseScenario(const std::string& text, const std::string& path,
                       const std::vector<std::string>& settings) {
  Scenario scenario;
  const std::filesystem::path file(path);
  scenario.path = path;
  scenario.name = file.stem().string();
  scenario.folder = file.parent_path().string();
  if (scenario.folder.empty()) scenario.folder = ".";
  scenario.run.stall_ps = kDefaultStallPs;
  Reader(path, &scenario).Read(ParseToml(text, path));
  CheckReasons(scenario);
  for (const std::string& setting : settings) ApplySetting(setting, &scenario);
  CheckScenario(scenario);
  return scenario;
}

Scenario ReadScenario(const std::string& path, const std::vector<std::string>& settings) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(path, "cannot be opened", "a readable scenario file");
  std::ostringstream text;
  text << file.rdbuf();
  return ParseScenario(text.str(), path, settings);
}

}  // namespace nvmearb::sim
