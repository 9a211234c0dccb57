// SPDX-License-Identifier: Apache-2.0
//
// conformance_test: every check, on the device as it is.
#include "conformance/check.h"

namespace nvmearb::conformance {
namespace {

class CheckTest : public testing::Test {
 public:
  explicit CheckTest(const Check& check) : check_(check) {}
  void TestBody() override { check_.run(); }

 private:
  const Check& check_;
};

void RegisterAll() {
  for (const Check& check : Checks()) {
    testing::RegisterTest("Conformance", check.name.c_str(), nullptr, nullptr, check.file,
                          check.line, [&check] { return new CheckTest(check); });
  }
}

}  // namespace
}  // namespace nvmearb::conformance

int main(int argc, char** argv) {
  nvmearb::conformance::RegisterAll();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
