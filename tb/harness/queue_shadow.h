// SPDX-License-Identifier: Apache-2.0
//
// QueueShadow: where the queues stand according to the events, for messages about a run that stands
// still.
#ifndef NVMEARB_TB_HARNESS_QUEUE_SHADOW_H_
#define NVMEARB_TB_HARNESS_QUEUE_SHADOW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arbiter/types.h"

namespace nvmearb::tb {

/// A monitor; a few stores per event. Not thread safe.
class QueueShadow {
 public:
  explicit QueueShadow(unsigned sq_count) : sqs_(sq_count) {}

  void OnEvent(const arbiter::Event& event);

  /// One line per SQ that exists: size, tail, issue head, fetched head, CQ head, commands in the
  /// device.
  [[nodiscard]] std::string Describe() const;

 private:
  struct Sq {
    bool exists = false;
    arbiter::SqClass sq_class = arbiter::SqClass::kAdmin;
    std::uint16_t cqid = 0;
    std::uint32_t size_count = 0;
    std::uint32_t tail = 0;
    std::uint32_t issue_head = 0;
    std::uint32_t fetched_head = 0;
    std::uint32_t cq_head = 0;  // of the CQ of the same id
    std::uint64_t granted_count = 0;
    std::uint64_t completed_count = 0;
  };
  std::vector<Sq> sqs_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_QUEUE_SHADOW_H_
