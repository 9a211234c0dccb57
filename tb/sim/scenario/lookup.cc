// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "host_driver/base/user_error.h"
#include "sim/scenario/keys.h"

namespace nvmearb::sim {

namespace fs = std::filesystem;
using host::UserError;

std::string ScenarioFolder(const std::string& option) {
  std::error_code ignored;
  if (!option.empty()) {
    if (!fs::is_directory(option, ignored)) {
      throw UserError("--scenarios", fmt::format("\"{}\" is not a folder", option),
                      "the folder that holds *.toml");
    }
    return option;
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& candidate :
       {program / "../../sim_configs", program / "../share/nvmearb/sim_configs",
        fs::path(NVMEARB_SCENARIO_FOLDER)}) {
    if (fs::is_directory(candidate, ignored)) return candidate.lexically_normal().string();
  }
  return NVMEARB_SCENARIO_FOLDER;
}

std::vector<std::string> ListScenarios(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string FindScenario(const std::string& name, const std::string& folder) {
  std::error_code ignored;
  const fs::path path(name);
  if (path.has_parent_path() || path.extension() == ".toml") {
    if (fs::is_regular_file(path, ignored)) return name;
    // A bare file name may also be meant as one of ours.
    if (!path.has_parent_path() && fs::is_regular_file(fs::path(folder) / path, ignored)) {
      return (fs::path(folder) / path).string();
    }
  }
  const fs::path ours = fs::path(folder) / (name + ".toml");
  if (!path.has_parent_path() && fs::is_regular_file(ours, ignored)) return ours.string();
  std::vector<std::string> names;
  for (const std::string& other : ListScenarios(folder)) {
    names.push_back(fs::path(other).stem().string());
  }
  std::vector<std::string> nearest = Nearest(path.stem().string(), names, 3);
  const bool near = !nearest.empty();
  throw UserError(fmt::format("scenario \"{}\"", name), "does not exist",
                  fmt::format("{} {}; `nvmearb list` shows all", near ? "nearest:" : "there are",
                              fmt::join(near ? nearest : names, ", ")));
}

}  // namespace nvmearb::sim
