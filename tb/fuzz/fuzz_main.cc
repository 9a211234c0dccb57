// SPDX-License-Identifier: Apache-2.0
//
// The program that libFuzzer drives: --target=NAME picks what is fuzzed, --targets names all.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fuzz_targets.h"

namespace {

const nvmearb::fuzz::FuzzTarget* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument((*argv)[i]);
    for (const auto& one : nvmearb::fuzz::FuzzTargets()) {
      if (argument == "--targets") fmt::print("{}\n", one.name);
      if (argument == std::string(kOption) + one.name) target = &one;
    }
    if (argument == "--targets") std::exit(0);
  }
  if (target == nullptr) {
    fmt::print(stderr, "--target=NAME is missing or unknown; --targets names all\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nvmearb::fuzz::RunTarget(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
