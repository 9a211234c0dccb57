// SPDX-License-Identifier: Apache-2.0
//
// conformance_can_fail_test: every check, on a device with the fault that the check names. It
// passes when the check reports at least one failure.
#include <gtest/gtest-spi.h>

#include "conformance/check.h"

namespace nvmearb::conformance {
namespace {

class CanFailTest : public testing::Test {
 public:
  explicit CanFailTest(const Check& check) : check_(check) {}
  void TestBody() override {
    testing::TestPartResultArray results;
    SetCurrentFault(check_.fault);
    {
      testing::ScopedFakeTestPartResultReporter reporter(&results);
      check_.run();
    }
    SetCurrentFault(Fault::kNone);
    bool failed = false;
    for (int i = 0; i < results.size(); ++i) failed |= results.GetTestPartResult(i).failed();
    EXPECT_TRUE(failed) << "the check does not notice a device with this fault";
    if (failed && std::getenv("NVMEARB_SHOW_FAILURES") != nullptr) {
      printf("%s\n", results.GetTestPartResult(0).message());
    }
  }

 private:
  const Check& check_;
};

void RegisterAll() {
  for (const Check& check : Checks()) {
    testing::RegisterTest("ConformanceCanFail", check.name.c_str(), nullptr, nullptr, check.file,
                          check.line, [&check] { return new CanFailTest(check); });
  }
}

}  // namespace
}  // namespace nvmearb::conformance

int main(int argc, char** argv) {
  nvmearb::conformance::RegisterAll();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
