// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/replay_map.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "host_driver/base/user_error.h"
#include "sim/scenario/toml.h"

namespace nvmearb::sim {
namespace {

using host::UserError;

constexpr const char* kAllowed = "by = \"device\", \"process\" or \"all\", and a table [map]";

std::string Where(const std::string& path, const toml::key& key) {
  return fmt::format("{}:{}: {}", path, key.source().begin.line, key.str());
}

void TakeTable(const std::string& path, const toml::table& table, TraceSpec* trace) {
  for (const auto& [key, node] : table) {
    const toml::value<std::string>* const cgroup = node.as_string();
    if (cgroup == nullptr) throw UserError(Where(path, key), "not a string", "name = \"cgroup\"");
    trace->map[std::string(key.str())] = **cgroup;
  }
}

}  // namespace

void ReadMapFile(const std::string& path, TraceSpec* trace) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError("--map-file", path + " cannot be opened", kAllowed);
  std::ostringstream text;
  text << file.rdbuf();
  const toml::table root = ParseToml(text.str(), path);
  for (const auto& [key, node] : root) {
    if (key.str() == "map" && node.is_table()) {
      TakeTable(path, *node.as_table(), trace);
    } else if (key.str() == "by" && node.is_string()) {
      trace->by = **node.as_string();
      if (trace->by != "device" && trace->by != "process" && trace->by != "all") {
        throw UserError(Where(path, key), fmt::format("\"{}\"", trace->by), kAllowed);
      }
    } else {
      throw UserError(Where(path, key), "unknown key", kAllowed);
    }
  }
}

void TakeMapping(const std::string& text, TraceSpec* trace) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UserError("--map", fmt::format("\"{}\" is not KEY=CGROUP", text),
                    "such as postgres=gold or '*=bronze'");
  }
  const auto [entry, is_new] = trace->map.emplace(text.substr(0, equals), text.substr(equals + 1));
  if (!is_new) {
    throw UserError("--map", fmt::format("\"{}\" again", entry->first), "one cgroup for a key");
  }
}

}  // namespace nvmearb::sim
