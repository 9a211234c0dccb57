// SPDX-License-Identifier: Apache-2.0
//
// A conformance check: a function with GoogleTest assertions, the ID of its line in checks.csv, and
// a fault of the device that it has to report.
//
//   CONFORMANCE_CHECK(DB, 10, OverfillRaisesAnEventAndHaltsTheSq, kNoEvents) { ... }
//
// makes the test Conformance.DB_10_OverfillRaisesAnEventAndHaltsTheSq of conformance_test, and
// ConformanceCanFail.DB_10_... of conformance_can_fail_test, which passes when the check fails on a
// device with Fault::kNoEvents. An ID may have several checks.
#ifndef NVMEARB_TB_CONFORMANCE_CHECK_H_
#define NVMEARB_TB_CONFORMANCE_CHECK_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/fault.h"
#include "conformance/host.h"

namespace nvmearb::conformance {

struct Check {
  std::string name;  ///< "DB_10_Overfill..."
  void (*run)();
  Fault fault;
  const char* file;
  int line;
};

/// All checks of the program; filled before main().
inline std::vector<Check>& Checks() {
  static std::vector<Check> checks;
  return checks;
}

struct CheckRegistration {
  explicit CheckRegistration(const Check& check) { Checks().push_back(check); }
};

}  // namespace nvmearb::conformance

#define CONFORMANCE_CHECK(group, number, sentence, fault_name)                                  \
  static void Check_##group##_##number##_##sentence();                                          \
  static const ::nvmearb::conformance::CheckRegistration check_##group##_##number##_##sentence( \
      {#group "_" #number "_" #sentence, &Check_##group##_##number##_##sentence,                \
       ::nvmearb::conformance::Fault::fault_name, __FILE__, __LINE__});                         \
  static void Check_##group##_##number##_##sentence()

/// Runs the block behind it once for each build with `least`..`most` queues, as `build`.
#define FOR_BUILDS(least, most)                                                 \
  for (const ::nvmearb::conformance::Build& build : BuildsBetween(least, most)) \
    for (::testing::ScopedTrace build_trace(__FILE__, __LINE__, build.name),    \
         *build_once = &build_trace;                                            \
         build_once != nullptr; build_once = nullptr)

#endif  // NVMEARB_TB_CONFORMANCE_CHECK_H_
