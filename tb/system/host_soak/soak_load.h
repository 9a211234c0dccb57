// SPDX-License-Identifier: Apache-2.0
//
// SoakLoad: the threads of a RandomSetup on a disk, every bio under the eyes of a BioChecker.
#ifndef NVMEARB_TB_SYSTEM_HOST_SOAK_SOAK_LOAD_H_
#define NVMEARB_TB_SYSTEM_HOST_SOAK_SOAK_LOAD_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "bio_checker.h"
#include "nvme/base/random.h"
#include "random_setup.h"
#include "sim/simulation/machine.h"
#include "soak_run.h"

namespace nvmearb::system {

class SoakLoad {
 public:
  /// Makes the cgroups, too. Nothing is owned; `on_end` is called after every bio.
  SoakLoad(const RandomSetup& setup, sim::Machine* machine, BioChecker* checker, Sabotage sabotage,
           std::function<void()> on_end);

  void Start();
  /// Every bio was submitted.
  [[nodiscard]] bool Submitted() const { return checker_->begun() >= limit_; }
  /// So many more, after all have ended.
  void Extend(std::uint64_t bios);

 private:
  struct Slot {
    host::Bio bio;
    std::uint32_t thread = 0;
  };
  struct Thread {
    const SoakThread* spec = nullptr;
    host::Cgroup* cgroup = nullptr;
    std::uint16_t cpu = 0;
    std::uint32_t number = 0;
    std::vector<std::uint32_t> ready;  // slots
    std::uint64_t position = 0;
    unsigned in_batch = 0;   // bios submitted of it
    bool asleep = false;     // in Submit()
    bool scheduled = false;  // an event is on its way
  };

  void MakeCgroups();
  void Schedule(Thread* thread, host::TimePs delay);
  void Step(std::uint64_t thread);
  void Awake(std::uint64_t thread);
  void Go(Thread* thread);
  void Fill(Thread* thread, host::Bio* bio);
  void Done(std::uint64_t key);

  const RandomSetup& setup_;
  sim::Machine* machine_;
  BioChecker* checker_;
  Sabotage sabotage_;
  std::function<void()> on_end_;
  base::Random random_;
  std::uint64_t limit_;
  std::deque<Slot> slots_;  // addresses stay
  std::vector<Thread> threads_;
};

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_HOST_SOAK_SOAK_LOAD_H_
