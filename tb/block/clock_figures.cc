// SPDX-License-Identifier: Apache-2.0
#include "block/clock_figures.h"

#include "block/fetch_bench.h"
#include "block/fetch_builds.h"
#include "block/top_bench.h"

namespace nvmearb::tb {
namespace {

using arbiter::SqClass;

template <typename Build>
FetchRate FetchRateOf() {
  constexpr std::uint64_t kClocks = 8000;
  FetchBench<Build> bench(1);
  for (unsigned sqid = 0; sqid < FetchBench<Build>::kSqs; ++sqid) {
    bench.Create(sqid, 64, (std::uint64_t{sqid} + 1) << 24);
  }
  bench.Allow(FetchBench<Build>::kForEver);
  bench.Run(1000);
  const std::uint64_t before = bench.sqe_count();
  bench.Run(kClocks);
  return {Build::kDataW, bench.sqe_count() - before, kClocks};
}

/// `queue_count` queues of class high, or of all four classes in turn.
TopRate TopRateOf(const std::string& mix, bool wrr, unsigned queue_count, bool mixed) {
  constexpr unsigned kClocks = 500;
  TopBench bench(wrr);
  for (unsigned id = 1; id <= queue_count; ++id) {
    bench.Create(static_cast<std::uint16_t>(id), 2048,
                 mixed ? static_cast<SqClass>(id % 4) : SqClass::kHigh);
  }
  bench.GiveSlots(1000);
  for (unsigned id = 1; id <= queue_count; ++id) bench.Write(TopBench::SqDoorbell(id), 2000);
  bench.Run(50);
  const std::uint64_t before = bench.granted_count();
  bench.Run(kClocks);
  return {mix, static_cast<double>(bench.granted_count() - before) / kClocks};
}

}  // namespace

IdlePath MeasureIdlePath() {
  TopBench bench(true);
  bench.Create(1, 64, SqClass::kHigh);
  bench.GiveSlots(4);
  bench.Run(20);
  const std::uint64_t start = bench.clock();
  bench.Write(TopBench::SqDoorbell(1), 1);
  bench.Run(100);
  const auto since = [start](std::uint64_t clock) { return static_cast<unsigned>(clock - start); };
  return {since(bench.doorbell_clock), since(bench.grant_clock), since(bench.ar_clock),
          since(bench.data_clock), since(bench.sqe_clock)};
}

std::array<FetchRate, 4> MeasureFetchRates() {
  return {FetchRateOf<Fetch64>(), FetchRateOf<Fetch128>(), FetchRateOf<Fetch256>(),
          FetchRateOf<Fetch512>()};
}

std::vector<TopRate> MeasureTopRates() {
  return {TopRateOf("rr, six queues", false, 6, false), TopRateOf("wrr, one queue", true, 1, false),
          TopRateOf("wrr, two queues of one class", true, 2, false),
          TopRateOf("wrr, six queues of one class", true, 6, false),
          TopRateOf("wrr, six queues of four classes", true, 6, true)};
}

double MeasureDoorbellsPerClock() {
  constexpr unsigned kWrites = 300;
  TopBench bench(true);
  for (std::uint16_t id = 1; id < TopBench::kSqs; ++id) bench.Create(id, 1024, SqClass::kHigh);
  bench.Run(20);
  const std::uint64_t start = bench.clock();
  for (unsigned i = 0; i < kWrites; ++i) {
    bench.Write(TopBench::SqDoorbell(1 + i % 6), 1 + i / 6);  // no slots: nothing is granted
  }
  return kWrites / static_cast<double>(bench.clock() - start);
}

double MeasureCompletionsPerClock() {
  constexpr unsigned kCommands = 400;
  TopBench bench(false);
  bench.Create(1, 1024, SqClass::kHigh);
  bench.GiveSlots(kCommands);
  bench.Write(TopBench::SqDoorbell(1), kCommands);
  while (bench.sqe_count() < kCommands) bench.Clock();
  bench.Run(20);
  const std::uint64_t start = bench.clock();
  for (unsigned done = 0; done < kCommands;) done += bench.TryComplete(1);
  return kCommands / static_cast<double>(bench.clock() - start);
}

}  // namespace nvmearb::tb
