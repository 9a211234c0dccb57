// SPDX-License-Identifier: Apache-2.0
//
// FuzzTargets: everything that reads what a user wrote: scenarios, fio job files and command lines,
// and traces of each format. A target takes any bytes; it returns when they were understood or
// refused with a host::UserError of one line, and everything else is a fault.
#ifndef NVMEARB_TB_FUZZ_FUZZ_TARGETS_H_
#define NVMEARB_TB_FUZZ_FUZZ_TARGETS_H_

#include <string>
#include <string_view>
#include <vector>

namespace nvmearb::fuzz {

struct FuzzTarget {
  std::string name;  ///< "scenario", "fio", "fio-command-line", "trace-msr", ...
  void (*run)(std::string_view input, const std::string& option);
  std::string option;  ///< of a trace: the format; empty: told from the first lines
};

[[nodiscard]] const std::vector<FuzzTarget>& FuzzTargets();

/// Runs the input; aborts when it is neither understood nor refused properly. No exception leaves.
void RunTarget(const FuzzTarget& target, std::string_view input) noexcept;

}  // namespace nvmearb::fuzz

#endif  // NVMEARB_TB_FUZZ_FUZZ_TARGETS_H_
