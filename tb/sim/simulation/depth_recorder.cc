// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/depth_recorder.h"

#include <algorithm>

namespace nvmearb::sim {

DepthRecorder::DepthRecorder(std::uint64_t width_ps, std::size_t buckets)
    : width_ps_(width_ps), capacity_(buckets) {
  sums_.reserve(capacity_);
}

void DepthRecorder::OnEvent(const arbiter::Event& event) {
  using arbiter::EventKind;
  switch (event.kind) {
    case EventKind::kCreate: {
      Queue& queue = At(event.sqid);
      queue = {};
      queue.size = event.count;
      queue.row = static_cast<std::size_t>(event.sq_class);
      return;
    }
    case EventKind::kDoorbell: {
      if (event.is_cq) return;
      Queue& queue = At(event.sqid);
      if (queue.size == 0) return;
      Integrate(event.time_ps);
      const std::uint32_t added = (event.tail + queue.size - queue.tail) % queue.size;
      queue.tail = event.tail;
      queue.waiting += added;
      level_[queue.row] += added;
      return;
    }
    case EventKind::kFetch: {
      Integrate(event.time_ps);
      Queue& queue = At(event.sqid);
      queue.waiting -= event.count;
      level_[queue.row] -= event.count;
      level_[kDrive] += event.count;
      return;
    }
    case EventKind::kComplete:
      Integrate(event.time_ps);
      --level_[kDrive];
      return;
    case EventKind::kDelete: {
      Integrate(event.time_ps);
      Queue& queue = At(event.sqid);
      level_[queue.row] -= queue.waiting;
      queue = {};
      return;
    }
    case EventKind::kReset:
      Integrate(event.time_ps);
      level_.fill(0);
      queues_.clear();
      return;
    case EventKind::kConfig:
      weights_.fill(0);
      if (event.mechanism == arbiter::Mechanism::kWeightedRoundRobin) {
        std::copy(event.credit.begin(), event.credit.end(), weights_.begin());
      }
      return;
    case EventKind::kGrant:
    case EventKind::kReject:
      return;
  }
}

void DepthRecorder::Integrate(std::uint64_t now_ps) {
  while (last_ps_ < now_ps) {
    std::size_t bucket = last_ps_ / width_ps_;
    while (bucket >= capacity_) {
      Join();
      bucket = last_ps_ / width_ps_;
    }
    if (bucket >= sums_.size()) sums_.resize(bucket + 1);
    const std::uint64_t until = std::min<std::uint64_t>(now_ps, (bucket + 1) * width_ps_);
    const auto span = static_cast<double>(until - last_ps_);
    for (std::size_t row = 0; row < kRows; ++row) {
      sums_[bucket][row] += span * static_cast<double>(level_[row]);
    }
    last_ps_ = until;
  }
}

void DepthRecorder::Join() {
  sums_.resize(capacity_);
  for (std::size_t i = 0; i < capacity_; ++i) {
    auto& to = sums_[i / 2];
    if (i % 2 == 0) to = sums_[i];
    if (i % 2 == 0) continue;
    for (std::size_t row = 0; row < kRows; ++row) to[row] += sums_[i][row];
  }
  sums_.resize(capacity_ / 2);
  width_ps_ *= 2;
}

DepthSeries DepthRecorder::Take(std::uint64_t end_ps) {
  Integrate(end_ps);
  DepthSeries series;
  series.bucket_ps = width_ps_;
  const std::size_t whole = std::min<std::size_t>(sums_.size(), end_ps / width_ps_);
  for (std::size_t i = 0; i < whole; ++i) {
    auto& point = series.points.emplace_back();
    for (std::size_t row = 0; row < kRows; ++row) {
      point[row] = sums_[i][row] / static_cast<double>(width_ps_);
    }
  }
  return series;
}

}  // namespace nvmearb::sim
