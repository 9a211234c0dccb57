// SPDX-License-Identifier: Apache-2.0
#include "soak_run.h"

#include <algorithm>

#include "core_bench.h"
#include "core_judge.h"
#include "core_traffic.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {

SoakCounts& SoakCounts::operator+=(const SoakCounts& other) {
  grants += other.grants;
  commands += other.commands;
  clocks += other.clocks;
  resets += other.resets;
  deletions += other.deletions;
  refused_doorbells += other.refused_doorbells;
  return *this;
}

namespace {

constexpr std::uint64_t kOptionsStream = 41, kResetStream = 42;

template <typename T, std::size_t N>
T OneOf(const T (&values)[N], base::Random& random) {
  return values[random.Below(N)];
}

TrafficOptions RandomTraffic(std::uint64_t seed, base::Random& random) {
  constexpr unsigned kReady[] = {100, 100, 60, 20};
  constexpr unsigned kDoorbells[] = {90, 50, 20, 5};
  constexpr unsigned kSlots[] = {2, 5, 40, 500};
  // A device that is slow for its slots would leave the core nothing to decide most of the time.
  constexpr unsigned kFetch[] = {1, 6, 30, 200};
  constexpr unsigned kComplete[] = {1, 10, 60, 300};
  TrafficOptions o;
  o.seed = seed;
  o.wrr = random.Below(3) != 0;
  o.tight_cqs = random.Below(3) == 0;
  o.bad_doorbells = random.Below(2) == 0;
  o.reconfigure = random.Below(2) == 0;
  // Under round robin SQ 0 overtakes during a hold; the judge knows no end of a hold to the clock.
  o.holds = random.Below(4) == 0 && o.wrr;
  o.max_count = random.Below(2) == 0 ? 1 : static_cast<unsigned>(random.InRange(1, 8));
  o.ready_percent = OneOf(kReady, random);
  o.doorbell_percent = OneOf(kDoorbells, random);
  const std::uint64_t slots = random.Below(4);
  o.slot_count = kSlots[slots];
  o.fetch_clocks = kFetch[random.Below(std::min<std::uint64_t>(slots + 2, 4))];
  o.complete_clocks = kComplete[random.Below(std::min<std::uint64_t>(slots + 2, 4))];
  return o;
}

std::string FirstFinding(CoreJudge& judge, const CoreTraffic& traffic, CoreDut& dut) {
  if (!judge.judge().findings().empty()) return Describe(judge.judge().findings().front());
  if (!traffic.findings().empty()) return traffic.findings().front();
  return dut.AssertionFailed() ? "an assertion of the RTL failed" : std::string();
}

}  // namespace

SoakResult RunSoakSeed(std::uint64_t seed, const SoakOptions& options) {
  base::Random random(seed, kOptionsStream);
  SoakResult result;
  const std::vector<unsigned>& sizes = Traits().sizes;
  const unsigned any_size = sizes[random.Below(sizes.size())];
  result.sq_count = options.sq_count != 0 ? options.sq_count : any_size;
  CoreBench bench(result.sq_count);
  // The edges that a quiescent core does not need (its contract), in half of the seeds.
  bench.skip_quiescent = random.Below(2) == 0;
  CoreJudge judge(result.sq_count);
  judge.FalsifyGrants(options.falsify_every);
  bench.Observe(&judge);
  CoreTraffic traffic(&bench, RandomTraffic(seed, random));
  traffic.BringUp();
  base::Random when(seed, kResetStream);
  const bool resets = random.Below(2) == 0;
  for (unsigned i = 0; i < options.clock_count && result.finding.empty(); ++i) {
    traffic.Step();
    if (resets && when.Below(3000) == 0) traffic.ResetUnderLoad();
    if (i % 1024 == 0) result.finding = FirstFinding(judge, traffic, bench.dut());
  }
  if (result.finding.empty()) {
    traffic.WindDown();
    judge.judge().ExpectQuiet();
    result.finding = FirstFinding(judge, traffic, bench.dut());
  }
  result.counts = {judge.grant_count(),   judge.command_count(),  bench.cycle(),
                   traffic.reset_count(), traffic.delete_count(), traffic.reject_count()};
  return result;
}

}  // namespace nvmearb::tb
