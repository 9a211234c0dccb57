// SPDX-License-Identifier: Apache-2.0
//
// Every input of the corpus, and every example in the tree, through every target; without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz_targets.h"

namespace nvmearb::fuzz {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int RunFolder(const fs::path& folder, const FuzzTarget& target) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path().string());
    RunTarget(target, ReadFile(entry.path()));
    ++count;
  }
  return count;
}

TEST(Corpus, IsUnderstoodOrRefusedByItsTarget) {
  const fs::path source = NVMEARB_SOURCE_DIR;
  for (const FuzzTarget& target : FuzzTargets()) {
    const fs::path folder = source / "tb/fuzz/corpus" / target.name;
    if (fs::is_directory(folder)) {
      EXPECT_GT(RunFolder(folder, target), 0) << folder;
    }
    const bool is_trace = target.name.rfind("trace", 0) == 0;
    const char* examples = is_trace                    ? "host_driver/trace/testdata"
                           : target.name == "scenario" ? "sim_configs"
                                                       : "sim_configs/fio";
    EXPECT_GT(RunFolder(source / examples, target), 0);
  }
}

TEST(Corpus, HasNoFolderWithoutATarget) {
  for (const auto& entry :
       fs::directory_iterator(fs::path(NVMEARB_SOURCE_DIR) / "tb/fuzz/corpus")) {
    bool known = false;
    for (const FuzzTarget& target : FuzzTargets()) {
      known = known || entry.path().filename() == target.name;
    }
    EXPECT_TRUE(known) << entry.path();
  }
}

using CorpusDeathTest = testing::Test;

TEST(CorpusDeathTest, AnotherExceptionIsAFault) {
  const FuzzTarget bad{"bad", [](std::string_view, const std::string&) { throw 1; }, ""};
  EXPECT_DEATH(RunTarget(bad, ""), "");
}

}  // namespace
}  // namespace nvmearb::fuzz
