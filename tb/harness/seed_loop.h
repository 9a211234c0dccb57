// SPDX-License-Identifier: Apache-2.0
//
// RunSeeds: what a program for a long random run does around its seeds.
#ifndef NVMEARB_TB_HARNESS_SEED_LOOP_H_
#define NVMEARB_TB_HARNESS_SEED_LOOP_H_

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

namespace nvmearb::tb {

namespace seed_loop {
inline volatile sig_atomic_t interrupted = 0;
}  // namespace seed_loop

/// What this process has used of a core, in minutes.
inline double CpuMinutes() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC / 60; }

/// Runs seeds from `seed` on until the campaign is over, has a finding, or SIGINT or SIGTERM comes;
/// prints the figures every `report_every` and at the end. Returns the exit code: 0, 1 after a
/// finding, 130 when interrupted. A Campaign has
///   bool IsOver();                      enough was done
///   std::string RunSeed(seed);          the finding, already printed with how to repeat it, or ""
///   void Print(next_seed);              the figures so far
///   void Write(next_seed, finding);     the report
///   std::string Passed(next_seed);      the last line of a run without a finding
template <typename Campaign>
int RunSeeds(Campaign& campaign, std::uint64_t seed, std::chrono::seconds report_every) {
  using Clock = std::chrono::steady_clock;
  const auto stop = [](int) { seed_loop::interrupted = 1; };
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  Clock::time_point report_at = Clock::now() + report_every;
  const auto print = [&] {
    campaign.Print(seed);
    std::fflush(stdout);
  };
  while (seed_loop::interrupted == 0 && !campaign.IsOver()) {
    if (const std::string finding = campaign.RunSeed(seed); !finding.empty()) {
      campaign.Write(seed, finding);
      return 1;
    }
    ++seed;
    if (Clock::now() < report_at) continue;
    report_at = Clock::now() + report_every;
    print();
  }
  print();
  fmt::print("{}\n", campaign.Passed(seed));
  campaign.Write(seed, "");
  return seed_loop::interrupted != 0 ? 130 : 0;
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_SEED_LOOP_H_
