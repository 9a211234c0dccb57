// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/queue_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "nvme/base/check.h"
#include "nvme/registers.h"

namespace nvmearb::host {
namespace {

constexpr std::size_t Index(HctxType type) { return static_cast<std::size_t>(type); }

constexpr std::uint8_t kQprioUrgent = 0;
constexpr std::uint8_t kQprioHigh = 1;
constexpr std::uint8_t kQprioMedium = 2;
constexpr std::uint8_t kQprioLow = 3;

}  // namespace

unsigned QueuePlan::Total() const { return std::accumulate(count.begin(), count.end(), 0u); }

unsigned QueuePlan::WrrTotal() const {
  return static_cast<unsigned>(
      count[Index(HctxType::kWrrLow)] + count[Index(HctxType::kWrrMedium)] +
      count[Index(HctxType::kWrrHigh)] + count[Index(HctxType::kWrrUrgent)]);
}

HctxType QueuePlan::TypeOfQueue(unsigned qid) const {
  NVMEARB_CHECK(qid >= 1 && qid <= Total(), "an I/O queue of this plan");
  unsigned end = 0;
  for (std::size_t type = 0; type < kHctxTypeCount; ++type) {
    end += count[type];
    if (qid <= end) return static_cast<HctxType>(type);
  }
  return HctxType::kDefault;
}

std::string QueuePlan::Summary() const {
  return fmt::format("{}/{}/{}/{}/{}/{}/{} default/read/poll/low/medium/high/urgent queues",
                     count[Index(HctxType::kDefault)], count[Index(HctxType::kRead)],
                     count[Index(HctxType::kPoll)], count[Index(HctxType::kWrrLow)],
                     count[Index(HctxType::kWrrMedium)], count[Index(HctxType::kWrrHigh)],
                     count[Index(HctxType::kWrrUrgent)]);
}

unsigned QueuesToAskFor(const NvmeParams& params, unsigned cpu_count) {
  return params.quirk_shared_tags ? 1 : cpu_count + params.read_queues + params.poll_queues;
}

unsigned QueuesGranted(const NvmeParams& params, unsigned asked, unsigned granted_sq,
                       unsigned granted_cq, unsigned dstrd) {
  unsigned count = std::min({asked, granted_sq, granted_cq});
  // The last doorbell is the CQ head of queue `count`; db_bar_size() of Linux.
  const auto bar_end = [dstrd](unsigned queues) {
    return std::uint64_t{nvme::kRegDoorbells} + (queues + 1u) * 8u * (std::uint64_t{1} << dstrd);
  };
  while (count > 0 && params.bar_bytes != 0 && bar_end(count) > params.bar_bytes) --count;
  return count;
}

QueuePlan PlanQueues(const NvmeParams& params, unsigned nr_io) {
  NVMEARB_CHECK(nr_io >= 1, "a plan needs an I/O queue");
  QueuePlan plan;
  unsigned poll = params.poll_queues;
  unsigned want_vectors = nr_io - std::min(poll, nr_io) + 1;
  if (poll >= nr_io) {
    poll = nr_io - 1;
    want_vectors = 1;
  }
  if (params.quirk_single_vector) want_vectors = 1;
  plan.vectors = params.vectors == 0 ? want_vectors : std::min(want_vectors, params.vectors);
  plan.irq_queues = std::max(plan.vectors - 1, 1u);

  const PerHctxType<unsigned> asked = params.QueuesAsked();
  unsigned rest = plan.irq_queues - 1;
  for (const HctxType type : {HctxType::kRead, HctxType::kWrrLow, HctxType::kWrrMedium,
                              HctxType::kWrrHigh, HctxType::kWrrUrgent}) {
    const unsigned count = std::min(asked[Index(type)], rest);
    plan.count[Index(type)] = static_cast<std::uint16_t>(count);
    rest -= count;
  }
  plan.count[Index(HctxType::kDefault)] = static_cast<std::uint16_t>(1 + rest);
  plan.count[Index(HctxType::kPoll)] = static_cast<std::uint16_t>(poll);
  return plan;
}

std::uint8_t QprioOf(const NvmeParams& params, const QueuePlan& plan, bool wrr_enabled,
                     HctxType type) {
  const bool allocated = plan.WrrTotal() > 0;
  if (wrr_enabled && allocated) {
    switch (type) {
      case HctxType::kWrrUrgent:
        return kQprioUrgent;
      case HctxType::kWrrHigh:
        return kQprioHigh;
      case HctxType::kWrrLow:
        return kQprioLow;
      default:
        return kQprioMedium;
    }
  }
  if (!wrr_enabled) return !allocated && params.quirk_medium_prio ? kQprioMedium : kQprioUrgent;
  // WRR is on but no queue could be had for it. The posted code leaves 00b, which is urgent.
  return params.posted_bugs ? kQprioUrgent : kQprioMedium;
}

}  // namespace nvmearb::host
