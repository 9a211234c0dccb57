// SPDX-License-Identifier: Apache-2.0
//
// One seed of the soak: a bare nvmearb_core of a size, and everything that may happen to it, chosen
// by the seed: mechanism, classes, bursts, weights that change under way, queues that come and go,
// full CQs, refused doorbells, holds, slow and fast fetch and completion, back-pressure, resets in
// the middle of it. Judged by the CoreJudge and by CoreTraffic's own books (every command granted
// once, in order, none left), with the assertions of the RTL on.
#ifndef NVMEARB_TB_SOAK_SOAK_RUN_H_
#define NVMEARB_TB_SOAK_SOAK_RUN_H_

#include <cstdint>
#include <string>

namespace nvmearb::tb {

struct SoakCounts {
  std::uint64_t grants = 0;
  std::uint64_t commands = 0;
  std::uint64_t clocks = 0;
  std::uint64_t resets = 0;
  std::uint64_t deletions = 0;
  std::uint64_t refused_doorbells = 0;

  SoakCounts& operator+=(const SoakCounts& other);
};

struct SoakOptions {
  /// Number of SQs, one of Traits().sizes; 0: the seed chooses.
  unsigned sq_count = 0;
  /// Clocks with traffic, before everything is let finish.
  unsigned clock_count = 20'000;
  /// Each n-th grant is falsified on its way to the judge; 0: none. For the tests of the soak.
  std::uint64_t falsify_every = 0;
};

struct SoakResult {
  SoakCounts counts;
  unsigned sq_count = 0;
  /// What was found wrong, with the events that led to it; empty when nothing was.
  std::string finding;
};

[[nodiscard]] SoakResult RunSoakSeed(std::uint64_t seed, const SoakOptions& options);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SOAK_SOAK_RUN_H_
