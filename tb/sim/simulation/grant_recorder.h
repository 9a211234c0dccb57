// SPDX-License-Identifier: Apache-2.0
//
// GrantRecorder: keeps the first grants of I/O queues for the page's plot.
#ifndef NVMEARB_TB_SIM_SIMULATION_GRANT_RECORDER_H_
#define NVMEARB_TB_SIM_SIMULATION_GRANT_RECORDER_H_

#include <utility>
#include <vector>

#include "arbiter/types.h"
#include "sim/report/result.h"

namespace nvmearb::sim {

/// From the first grant of an I/O queue on, for `span_ps`, at most `limit` grants.
class GrantRecorder : public arbiter::EventSink {
 public:
  GrantRecorder(std::uint64_t span_ps, std::size_t limit) : span_ps_(span_ps), limit_(limit) {}

  void OnEvent(const arbiter::Event& event) override {
    if (event.kind != arbiter::EventKind::kGrant || event.sqid == 0) return;
    if (grants_.empty()) first_ps_ = event.time_ps;
    if (event.time_ps - first_ps_ > span_ps_ || grants_.size() >= limit_) return;
    grants_.push_back({static_cast<double>(event.time_ps - first_ps_) / 1e6, event.sqid,
                       static_cast<std::uint8_t>(event.sq_class),
                       static_cast<std::uint16_t>(event.count)});
  }

  [[nodiscard]] std::vector<GrantPoint> Take() { return std::move(grants_); }

 private:
  std::uint64_t span_ps_;
  std::size_t limit_;
  std::uint64_t first_ps_ = 0;
  std::vector<GrantPoint> grants_;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_GRANT_RECORDER_H_
