// SPDX-License-Identifier: Apache-2.0
//
// Statistics: what a device counted since it was built. Plain numbers for reports.
#ifndef NVMEARB_MODELS_SSD_STATISTICS_H_
#define NVMEARB_MODELS_SSD_STATISTICS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "arbiter/types.h"

namespace nvmearb::ssd {

struct Statistics {
  /// Commands that left SQs of a class, index SqClass (kAdmin: admin commands).
  std::array<std::uint64_t, arbiter::kSqClassCount> fetched_by_class{};
  /// The same by SQ id.
  std::vector<std::uint64_t> fetched_by_sq;

  std::uint64_t reads_completed = 0;
  std::uint64_t writes_completed = 0;
  std::uint64_t other_completed = 0;  ///< Flush, and commands that failed a check
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  /// Sum over completed I/O commands of the time from fetch to completion.
  std::uint64_t latency_sum_ps = 0;

  std::uint64_t window_area_ps = 0;  ///< integral of the commands in the window over time
  std::uint32_t window_peak = 0;
  std::uint64_t stalls = 0;      ///< times a write found the buffer full
  std::uint64_t stalled_ps = 0;  ///< time that fetching stood still for it

  /// Adds what another device of the same kind counted; peaks, too, as if they had met.
  void Add(const Statistics& other) {
    for (std::size_t i = 0; i < fetched_by_class.size(); ++i) {
      fetched_by_class[i] += other.fetched_by_class[i];
    }
    for (std::size_t i = 0; i < fetched_by_sq.size(); ++i) {
      fetched_by_sq[i] += other.fetched_by_sq.at(i);
    }
    reads_completed += other.reads_completed;
    writes_completed += other.writes_completed;
    other_completed += other.other_completed;
    read_bytes += other.read_bytes;
    written_bytes += other.written_bytes;
    latency_sum_ps += other.latency_sum_ps;
    window_area_ps += other.window_area_ps;
    window_peak += other.window_peak;
    stalls += other.stalls;
    stalled_ps += other.stalled_ps;
  }

  [[nodiscard]] std::uint64_t IoCompleted() const {
    return reads_completed + writes_completed + other_completed;
  }
  /// Mean time in the device, 0 when nothing was completed.
  [[nodiscard]] double MeanLatencyPs() const {
    const std::uint64_t count = IoCompleted();
    return count == 0 ? 0.0 : static_cast<double>(latency_sum_ps) / static_cast<double>(count);
  }
  /// Mean number of commands in the window over `elapsed_ps`.
  [[nodiscard]] double MeanWindow(std::uint64_t elapsed_ps) const {
    return elapsed_ps == 0 ? 0.0
                           : static_cast<double>(window_area_ps) / static_cast<double>(elapsed_ps);
  }
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_STATISTICS_H_
