// SPDX-License-Identifier: Apache-2.0
//
// rst_ni, low for one clock in the middle of anything, leaves nothing behind: from then on the core
// shows, clock by clock, what one shows that was just powered on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core_bench.h"
#include "core_traffic.h"

namespace nvmearb::tb {
namespace {

/// What an output means; what goes with a valid that is low means nothing. quiescent_o is left out:
/// behind its sweep the engine may or may not hold a turn for a decision that nobody wants.
std::vector<unsigned> Meaning(const CoreOut& o) {
  std::vector<unsigned> all = {o.cfg_ready,       o.cfg_done,        o.db_ready,
                               o.complete_ready,  o.err_valid,       o.grant_valid,
                               o.decided,         o.obs_cfg_valid,   o.obs_db_valid,
                               o.obs_grant_valid, o.obs_fetch_valid, o.obs_complete_valid};
  const auto add = [&all](bool valid, std::initializer_list<unsigned> values) {
    for (const unsigned value : values) all.push_back(valid ? value : 0);
  };
  add(true, {o.credit[0], o.credit[1], o.credit[2]});
  add(o.err_valid, {o.err_is_cq, o.err_info, o.err_qid});
  add(o.grant_valid, {o.grant_first, o.grant_sqid, o.grant_cqid, o.grant_head, o.grant_size_zb,
                      o.grant_count, o.grant_class});
  add(o.obs_cfg_valid, {o.obs_cfg_op, o.obs_cfg_id});
  add(o.obs_db_valid, {o.obs_db_reject, o.obs_db_is_cq, o.obs_db_qid, o.obs_db_value});
  add(o.obs_db_valid && o.obs_db_reject, {o.obs_db_error});
  add(o.obs_fetch_valid, {o.obs_fetch_sqid, o.obs_fetch_count, o.obs_fetch_head});
  add(o.obs_complete_valid, {o.obs_complete_sqid, o.obs_complete_cqid, o.obs_complete_posted});
  return all;
}

/// Gives another core the same inputs, and compares.
class Twin final : public CoreObserver {
 public:
  explicit Twin(unsigned sq_count) : dut_(MakeCore(sq_count)) {}

  void OnCycle(std::uint64_t cycle, const CoreIn& in, const CoreOut& out,
               const CoreConfig* /*config*/) override {
    dut_->in = in;
    CoreOut seen = out;
    if (falsify_at != 0 && cycle == falsify_at) seen.decided = !seen.decided;
    const std::vector<unsigned> mine = Meaning(dut_->Settle()), its = Meaning(seen);
    for (std::size_t i = 0; i < mine.size() && difference_.empty(); ++i) {
      if (mine[i] == its[i]) continue;
      difference_ = fmt::format("clock {}: output {} is {}, and {} after power-on", cycle, i,
                                its[i], mine[i]);
    }
    dut_->Rise();
  }
  [[nodiscard]] const std::string& difference() const { return difference_; }

  std::uint64_t falsify_at = 0;

 private:
  std::unique_ptr<CoreDut> dut_;
  std::string difference_;
};

TrafficOptions Options(std::uint64_t seed) {
  TrafficOptions o;
  o.seed = seed;
  o.wrr = seed % 3 != 0;
  o.tight_cqs = seed % 4 == 1;
  o.bad_doorbells = seed % 2 != 0;
  o.reconfigure = true;
  o.holds = seed % 5 == 0;
  o.max_count = 1 + static_cast<unsigned>(seed % 8);
  o.ready_percent = seed % 7 == 0 ? 30 : 100;
  o.doorbell_percent = seed % 4 == 0 ? 100 : 20;
  return o;
}

/// Runs a core for `clocks` of traffic and resets it in the middle.
std::unique_ptr<CoreDut> Used(unsigned sq_count, std::uint64_t seed, unsigned clocks) {
  CoreBench bench(sq_count);
  CoreTraffic traffic(&bench, Options(seed));
  traffic.BringUp();
  for (unsigned i = 0; i < clocks; ++i) traffic.Step();
  EXPECT_EQ(traffic.findings(), std::vector<std::string>{});
  std::unique_ptr<CoreDut> dut = bench.Release();
  dut->in.rst_n = false;
  dut->Settle();
  dut->Rise();
  dut->in = {};
  while (!dut->Settle().cfg_ready) dut->Rise();
  return dut;
}

std::uint64_t command_count = 0;  // of all second lives

/// What differs in a life that begins after the reset.
std::string SecondLife(std::unique_ptr<CoreDut> dut, std::uint64_t seed, std::uint64_t falsify_at) {
  const unsigned sq_count = dut->sq_count();
  CoreBench bench(std::move(dut));
  Twin twin(sq_count);
  twin.falsify_at = falsify_at;
  bench.Observe(&twin);
  TrafficOptions options = Options(seed);
  options.resets_first = false;
  CoreTraffic traffic(&bench, options);
  traffic.BringUp();
  for (unsigned i = 0; i < 400; ++i) traffic.Step();
  EXPECT_TRUE(traffic.WindDown());
  command_count += traffic.command_count();
  EXPECT_EQ(traffic.findings(), std::vector<std::string>{});
  EXPECT_FALSE(bench.dut().AssertionFailed());
  return twin.difference();
}

class CoreReset : public ::testing::TestWithParam<unsigned> {};

TEST_P(CoreReset, ForOneClockInTheMiddleOfAnythingLeavesNothingBehind) {
  const unsigned sq_count = GetParam();
  command_count = 0;
  const unsigned run_count = sq_count > 64 ? 20 : 120;
  for (unsigned run = 0; run < run_count; ++run) {
    const std::uint64_t seed = 100 * sq_count + run;
    SCOPED_TRACE(fmt::format("{} SQs seed {}", sq_count, seed));
    std::unique_ptr<CoreDut> dut = Used(sq_count, seed, 40 + run);
    ASSERT_EQ(SecondLife(std::move(dut), seed + 1, 0), "");
  }
  EXPECT_GT(command_count, 10u * run_count);
}

TEST(CoreReset, TestNoticesADifference) {
  const unsigned sq_count = Traits().sizes.front();
  EXPECT_NE(SecondLife(Used(sq_count, 1, 50), 2, 60), "");
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoreReset, ::testing::ValuesIn(Traits().sizes),
                         [](const auto& size) { return fmt::format("{}Sqs", size.param); });

}  // namespace
}  // namespace nvmearb::tb
