// SPDX-License-Identifier: Apache-2.0
//
// The keys of a scenario file: one table, from which the reader, `--set key=value` and the
// reference page (`nvmearb list --keys`) come. A key that is not in it does not exist.
//
// Paths: "run.runtime" is key `runtime` of table [run]; "variant[].name" a key of every
// [[variant]]; "variant[].io_wrr.<cgroup>" any key of that table.
#ifndef NVMEARB_TB_SIM_SCENARIO_KEYS_H_
#define NVMEARB_TB_SIM_SCENARIO_KEYS_H_

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/value.h"

namespace nvmearb::sim {

/// Where in a scenario a value goes: the element of each array of tables that is being read.
struct Place {
  Scenario* scenario = nullptr;
  CgroupSpec* cgroup = nullptr;
  PathSpec* path = nullptr;
  JobSpec* job = nullptr;
  VariantSpec* variant = nullptr;
  EventSpec* event = nullptr;
  CompareSpec* compare = nullptr;
  std::string wildcard;  ///< the key's own name where the path ends in "<...>"
};

struct KeySpec {
  std::string path;
  ValueType type = ValueType::kText;
  std::string unit;  ///< of a number; empty: none
  double low = 0;    ///< inclusive limits of numbers, times (ps), bytes and list elements
  double high = 0;
  std::vector<std::string> choices;
  bool required = false;
  std::string doc;
  void (*set)(Place& place, const Value& value) = nullptr;
  const ParameterKey* parameter = nullptr;  ///< set instead of `set`: an override of host or device
};

/// All keys, in the order of the reference page.
const std::vector<KeySpec>& ScenarioKeys();

/// The key at `path`, or null. A last component that no key has matches "<...>".
const KeySpec* FindKey(std::string_view path);

/// True when a table or array of tables of that path exists: some key starts with path + "." .
bool IsTable(std::string_view path);

/// True when the table whose keys begin with `prefix` ("variant[].io_wrr.") takes any name.
bool TakesAnyName(std::string_view prefix);

/// Names that may follow `prefix` ("" or "run." or "variant[]."), in the table's order.
std::vector<std::string> NamesIn(std::string_view prefix);

/// What a key takes, as error messages and the reference page say it: "an integer from 1 to 4096".
std::string DescribeAllowed(const KeySpec& key);

/// The words of `words` nearest to `word`, best first, at most `limit`, none farther than about a
/// third of its length.
std::vector<std::string> Nearest(std::string_view word, const std::vector<std::string>& words,
                                 std::size_t limit);

/// Puts a checked value where it belongs.
void SetValue(const KeySpec& key, Place& place, const Value& value);

/// The reference page of all keys in Markdown.
std::string KeysMarkdown();

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_KEYS_H_
