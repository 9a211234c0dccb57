// SPDX-License-Identifier: Apache-2.0
//
// rtl_speed [COMMANDS]: how fast the front end runs on its own: a closed loop of 24 queues of 64
// commands in three classes, a device that completes one command every 1.5 us, and nothing else.
// Prints commands and clock edges per wall second; nothing here judges.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "block/front_end_rig.h"
#include "harness/fifo.h"

namespace nvmearb::tb {
namespace {

/// Completes the oldest command every `period_ps`, and submits a new one to its queue.
class Loop {
 public:
  Loop(FrontEndRig* rig, ssd::TimePs period_ps) : rig_(rig), period_ps_(period_ps) {}

  void Start() { rig_->kernel().Call<&Loop::Step>(rig_->kernel().Now() + period_ps_, this); }

  void Step(std::uint64_t) {
    if (!rig_->waiting().empty()) {
      const FrontEndRig::Waiting command = rig_->waiting().front();
      rig_->waiting().pop();
      rig_->FinishNow(command);
      rig_->Submit(command.sqid, 1);
    }
    Start();
  }

 private:
  FrontEndRig* rig_;
  ssd::TimePs period_ps_;
};

int Main(int argc, char** argv) {
  const std::uint64_t commands = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  FrontEndRig::Config config;
  config.complete = false;
  config.slot_count = 256;
  FrontEndRig rig(&MakeRtlFrontEndOf<129>, config);
  rig.KeepRecords(false);
  if (!rig.Enable(true)) {
    fmt::print("the controller does not get ready\n");
    return 1;
  }
  if (!rig.SetArbitration({3, 5, 2, 0})) return 1;
  for (std::uint16_t id = 1; id <= 24; ++id) {
    const auto sq_class = static_cast<arbiter::SqClass>(1 + (id - 1) / 8);
    if (!rig.Create(id, 128, sq_class)) {
      fmt::print("queue {} is not created\n", id);
      return 1;
    }
  }
  for (unsigned id = 1; id <= 24; ++id) rig.Submit(id, 64);
  Loop loop(&rig, 1'500'000);
  loop.Start();
  const RtlStatistics before = rig.rtl().Statistics();
  const auto start = std::chrono::steady_clock::now();
  while (rig.rtl().Statistics().command_count - before.command_count < commands) {
    rig.Run(100'000'000);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const RtlStatistics& after = rig.rtl().Statistics();
  const double done = static_cast<double>(after.command_count - before.command_count);
  const double ticks = static_cast<double>(after.tick_count - before.tick_count);
  fmt::print(
      "{:.0f} commands in {:.3f} s: {:.0f} commands/s, {:.2f} edges per command, "
      "{:.2f} wakes per command, {:.0f} edges/s{}\n",
      done, wall.count(), done / wall.count(), ticks / done,
      static_cast<double>(after.wake_count - before.wake_count) / done, ticks / wall.count(),
      rig.trouble().empty() ? "" : "; TROUBLE: " + rig.trouble());
  return rig.trouble().empty() && !rig.rtl().AssertionFailed() ? 0 : 1;
}

}  // namespace
}  // namespace nvmearb::tb

int main(int argc, char** argv) { return nvmearb::tb::Main(argc, argv); }
