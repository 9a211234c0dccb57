// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace nvmearb::sim {
namespace {

constexpr double kShowEverySeconds = 0.2;
constexpr double kPsPerSecond = 1e12;

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

void ProgressLine::BeginVariant(const std::string& name) {
  ++variant_;
  name_ = name;
  variant_begin_ = Clock::now();
}

void ProgressLine::Update(const ProgressReport& report) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (visible_ && Seconds(now - shown_) < kShowEverySeconds) return;
  shown_ = now;
  visible_ = true;
  const double variant_wall = Seconds(now - variant_begin_);
  const double speed = variant_wall > 0 ? static_cast<double>(report.io_count) / variant_wall : 0;
  // Variants take about equally long, so the whole is estimated from what is done of all of them.
  const double done = (variant_ - 1 + std::min(report.fraction, 1.0)) / variant_count_;
  std::string eta = "-";
  if (done > 0.01) {
    const auto left = static_cast<int>(Seconds(now - begin_) * (1 - done) / done + 0.5);
    eta = fmt::format("{}:{:02}", left / 60, left % 60);
  }
  const std::string line =
      fmt::format("{} ({} of {})  {:3.0f} %  {:.2f} s simulated  {:.0f}k I/O/s  ETA {}", name_,
                  variant_, variant_count_, report.fraction * 100,
                  static_cast<double>(report.simulated_ps) / kPsPerSecond, speed / 1000, eta);
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace nvmearb::sim
