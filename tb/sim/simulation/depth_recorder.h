// SPDX-License-Identifier: Apache-2.0
//
// DepthRecorder: how many commands wait in the submission queues of each class, and how many are in
// the drive, as means over time; and the weights in force at the end. Reads the observation port
// only.
#ifndef NVMEARB_TB_SIM_SIMULATION_DEPTH_RECORDER_H_
#define NVMEARB_TB_SIM_SIMULATION_DEPTH_RECORDER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "arbiter/types.h"
#include "sim/report/result.h"

namespace nvmearb::sim {

/// Memory is fixed after the last queue's creation: when `buckets` are full, pairs are joined and
/// the width doubles. Waiting: from the doorbell to the capture of the SQE; in the drive: from
/// there to the completion.
class DepthRecorder : public arbiter::EventSink {
 public:
  /// `width_ps` > 0 of the first buckets; `buckets` even.
  DepthRecorder(std::uint64_t width_ps, std::size_t buckets);

  void OnEvent(const arbiter::Event& event) override;

  /// Whole buckets up to `end_ps`; nothing may happen afterwards.
  [[nodiscard]] DepthSeries Take(std::uint64_t end_ps);
  /// Effective weights high, medium, low of the last configuration; zeros in round robin.
  [[nodiscard]] const std::array<unsigned, 3>& weights() const { return weights_; }

 private:
  static constexpr std::size_t kDrive = DepthSeries::kDrive;
  static constexpr std::size_t kRows = DepthSeries::kRows;
  static_assert(kDrive == arbiter::kSqClassCount, "the row after those of the classes");
  struct Queue {
    std::uint32_t size = 0;
    std::uint32_t tail = 0;
    std::uint32_t waiting = 0;
    std::size_t row = 0;
  };

  Queue& At(std::uint16_t sqid) {
    if (sqid >= queues_.size()) queues_.resize(sqid + std::size_t{1});
    return queues_[sqid];
  }
  /// Adds what was there since the last event to the buckets.
  void Integrate(std::uint64_t now_ps);
  void Join();

  std::uint64_t width_ps_;
  std::size_t capacity_;
  std::uint64_t last_ps_ = 0;
  std::array<std::int64_t, kRows> level_{};
  std::vector<std::array<double, kRows>> sums_;  // command x ps
  std::vector<Queue> queues_;
  std::array<unsigned, 3> weights_{};
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_DEPTH_RECORDER_H_
