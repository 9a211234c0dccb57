// SPDX-License-Identifier: Apache-2.0
//
// ExactOrder: replays the events on the golden Arbiter and demands that every grant equals the
// golden one, to the command. Right whenever every doorbell precedes the first decision (and in any
// run of an engine without latency); in between, a pipelined design may rightly differ (rule 12),
// which is what the Judge is for. After the first difference it reports no more until the next
// reset, since everything that follows is a consequence.
#ifndef NVMEARB_TB_SCOREBOARD_EXACT_ORDER_H_
#define NVMEARB_TB_SCOREBOARD_EXACT_ORDER_H_

#include <cstdint>
#include <vector>

#include "arbiter/arbiter.h"
#include "arbiter/types.h"
#include "scoreboard/finding_log.h"

namespace nvmearb::tb {

class ExactOrder : public arbiter::EventSink {
 public:
  explicit ExactOrder(unsigned sq_count);

  void OnEvent(const arbiter::Event& event) override;
  /// Without it the CQ is taken to have room always.
  void OnCqCreated(std::uint16_t cqid, std::uint32_t size_count);
  /// Without it the SQ takes part until its deletion is acknowledged.
  void OnDeleteRequested(std::uint16_t sqid);

  [[nodiscard]] const std::vector<Finding>& findings() const { return log_.findings(); }
  [[nodiscard]] std::uint64_t compared_count() const { return compared_count_; }

 private:
  void Grant(const arbiter::Event& event);
  void Reset();

  FindingLog log_;
  arbiter::Arbiter golden_;
  arbiter::Mechanism mechanism_ = arbiter::Mechanism::kRoundRobin;
  std::vector<std::uint32_t> cq_size_count_;  ///< 0: not told
  bool is_lost_ = false;
  std::uint64_t compared_count_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_EXACT_ORDER_H_
