// SPDX-License-Identifier: Apache-2.0
//
// Checks on the pins of nvmearb_core: what no host of this project's drive can bring about.
#include <string>
#include <vector>

#include "conformance/check.h"
#include "core_bench.h"

namespace nvmearb::conformance {
namespace {

using arbiter::SqClass;

/// Grants, one command each, as "1 2 1"; run length is not coded.
class GrantLog final : public tb::CoreObserver {
 public:
  void OnCycle(std::uint64_t /*cycle*/, const tb::CoreIn& in, const tb::CoreOut& out,
               const tb::CoreConfig* /*config*/) override {
    if (out.err_valid) ++error_count;
    if (!out.grant_valid || !in.grant_ready) return;
    for (unsigned i = 0; i < out.grant_count; ++i) {
      order += (order.empty() ? "" : " ") + std::to_string(out.grant_sqid);
    }
  }
  std::string order;
  unsigned error_count = 0;
};

/// WRR 2:1:1, AB = 0; SQ 1 High, SQ 2 Medium; slots for all that comes.
void BringUp(tb::CoreBench& bench) {
  bench.in().max_count = 1;
  bench.Configure(tb::CoreConfig::Reset());
  bench.Configure(tb::CoreConfig::SetMech(true));
  bench.Configure(tb::CoreConfig::SetArb({0, 1, 0, 0}));
  const SqClass classes[] = {SqClass::kAdmin, SqClass::kHigh, SqClass::kMedium};
  for (unsigned id = 0; id <= 2; ++id) {
    bench.Configure(tb::CoreConfig::CreateCq(id, 64));
    bench.Configure(tb::CoreConfig::CreateSq(id, id, 64, classes[id]));
  }
  ASSERT_TRUE(bench.RunUntilQuiescent());
  bench.GiveSlots(100);
}

CONFORMANCE_CHECK(RST, 11, HoldFreezesGrantsAndKeepsDoorbells, kHoldIgnored) {
  // CSTS.PP belongs to the device side, and the drive of this project never pauses (decision 0041):
  // it reads 0 always. A device side that does raises hold_all_i of the core.
  for (const unsigned sq_count : {3u, 16u, 64u, 1024u}) {
    tb::CoreBench bench(sq_count);
    GrantLog log;
    bench.Observe(&log);
    ASSERT_NO_FATAL_FAILURE(BringUp(bench));
    bench.in().hold_all = CurrentFault() != Fault::kHoldIgnored;
    for (unsigned i = 0; i < 20; ++i) bench.Step();
    bench.Ring(false, 1, 2);
    bench.Ring(false, 2, 2);
    bench.Ring(false, 0, 1);
    bench.Ring(false, 1, 4);
    for (unsigned i = 0; i < 300; ++i) bench.Step();
    EXPECT_EQ(log.order, "") << "frozen";
    EXPECT_EQ(log.error_count, 0u) << "doorbells are accepted";
    bench.in().hold_all = false;
    ASSERT_TRUE(bench.RunUntilQuiescent());
    EXPECT_EQ(log.order, "0 1 1 2 1 1 2") << "kept, and in the order of the rules";
    EXPECT_FALSE(bench.dut().AssertionFailed());
  }
  Bench drive(BuildOf(16));
  ASSERT_TRUE(drive.host.Enable());
  EXPECT_FALSE(drive.host.Csts().pp);
}

CONFORMANCE_CHECK(X, 08, GrantThatWaitsDoesNotChangeTheOrder, kSettingsStale) {
  // The grant is read after 0 .. 40 clocks.
  for (unsigned wait = 0; wait <= 40; ++wait) {
    tb::CoreBench bench(16);
    GrantLog log;
    bench.Observe(&log);
    ASSERT_NO_FATAL_FAILURE(BringUp(bench));
    if (CurrentFault() == Fault::kSettingsStale) bench.Configure(tb::CoreConfig::SetArb({}));
    bench.Ring(false, 1, 6);
    bench.Ring(false, 2, 3);
    bench.in().grant_ready = false;
    unsigned waited = 0;
    for (unsigned i = 0; i < 1000; ++i) {
      const bool valid = bench.Step().grant_valid;
      waited = valid && !bench.in().grant_ready ? waited + 1 : 0;
      bench.in().grant_ready = valid && waited >= wait;
    }
    EXPECT_EQ(log.order, "1 1 2 1 1 2 1 1 2") << wait << " clocks";
    EXPECT_FALSE(bench.dut().AssertionFailed());
  }
}

}  // namespace
}  // namespace nvmearb::conformance
