// SPDX-License-Identifier: Apache-2.0
//
// FakeBlockDevice: a device for tests of the workload: every I/O takes the same time, or a function
// of the bio, with any number in parallel.
#ifndef NVMEARB_HOST_DRIVER_WORKLOAD_FAKE_BLOCK_DEVICE_H_
#define NVMEARB_HOST_DRIVER_WORKLOAD_FAKE_BLOCK_DEVICE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/block/bio.h"

namespace nvmearb::host {

class FakeBlockDevice : public BlockDevice {
 public:
  FakeBlockDevice(Clock* clock, std::uint64_t capacity, TimePs latency)
      : clock_(clock), capacity_(capacity), latency_(latency) {}

  struct Seen {
    BioOp op;
    std::uint64_t offset;
    std::uint32_t bytes;
    std::uint16_t cpu;
    TimePs when;
    bool in_plug;
    std::uint32_t task;
  };

  [[nodiscard]] std::uint64_t CapacityBytes() const override { return capacity_; }

  void Submit(Bio* bio) override {
    if (recording) {
      seen.push_back(
          {bio->op, bio->offset, bio->bytes, bio->cpu, clock_->Now(), plugs_ > 0, bio->task});
    }
    ++submitted;
    max_in_flight = std::max(max_in_flight, ++in_flight);
    bio->status = submitted == fail_at ? 0x281 : 0;
    bio->waits = submitted == sleep_at;
    if (bio->waits) {
      clock_->At(clock_->Now() + latency_,
                 {[](void* context, std::uint64_t argument) {
                    auto* const self = static_cast<FakeBlockDevice*>(context);
                    self->plugs_while_asleep = self->plugs_;
                    auto* const sleeper = reinterpret_cast<Bio*>(argument);
                    sleeper->waits = false;
                    sleeper->admitted.function(sleeper->admitted.context,
                                               sleeper->admitted.argument);
                  },
                  this, reinterpret_cast<std::uint64_t>(bio)});
    }
    clock_->At(clock_->Now() + latency_, {[](void* context, std::uint64_t argument) {
                                            --static_cast<FakeBlockDevice*>(context)->in_flight;
                                            const Bio* done = reinterpret_cast<Bio*>(argument);
                                            done->done.function(done->done.context,
                                                                done->done.argument);
                                          },
                                          this, reinterpret_cast<std::uint64_t>(bio)});
  }
  void StartPlug(std::uint16_t) override { ++plugs_; }
  void FinishPlug(std::uint16_t) override { --plugs_; }

  std::vector<Seen> seen;
  bool recording = true;
  std::uint64_t submitted = 0;
  std::uint64_t fail_at = 0;   ///< the I/O of this number (from 1) fails
  std::uint64_t sleep_at = 0;  ///< the task sleeps in the Submit() of this one, for the latency
  int plugs_while_asleep = -1;
  unsigned in_flight = 0;
  unsigned max_in_flight = 0;

 private:
  Clock* clock_;
  std::uint64_t capacity_;
  TimePs latency_;
  int plugs_ = 0;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_WORKLOAD_FAKE_BLOCK_DEVICE_H_
