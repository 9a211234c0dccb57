// SPDX-License-Identifier: Apache-2.0
//
// Orders of service on a device that holds one command at a time: everything is rung while one slow
// command fills it, so that every doorbell precedes the first decision.
#ifndef NVMEARB_TB_CONFORMANCE_ORDER_H_
#define NVMEARB_TB_CONFORMANCE_ORDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/host.h"

namespace nvmearb::conformance {

struct Load {
  std::uint16_t sqid;
  unsigned count;
  Work work = Work::kQuick;
};

/// A slow command of SQ `blocker`, which must be empty, takes the only slot. Marks.
inline void FillDevice(Host& host, std::uint16_t blocker) {
  const std::uint64_t before = host.sq(blocker).fetched;
  host.Submit(blocker, 1, Work::kSlow);
  host.RunUntil([&] { return host.sq(blocker).fetched > before; });
  host.RunClocks(20);
  host.Mark();
}

/// Rings `loads` in this order behind a full device and returns the order of service. `blocker`: an
/// SQ that may be one of them; its class must not use credits that matter (Urgent uses none).
inline std::string OrderOf(Host& host, const std::vector<Load>& loads, std::uint16_t blocker) {
  FillDevice(host, blocker);
  for (const Load& load : loads) host.Submit(load.sqid, load.count, load.work);
  host.RunUntilDone();
  return host.Order();
}

/// "1x4 2x2" and so on, `times` times.
inline std::string Repeat(const std::string& order, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += (i == 0 ? "" : " ") + order;
  return text;
}

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_ORDER_H_
