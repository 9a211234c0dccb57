// SPDX-License-Identifier: Apache-2.0
//
// RandomSetup: a whole machine with its load and its faults, made from a seed: scheduler and its
// attributes, arbitration, queues, tags, paths, cgroups, threads, and what goes wrong when.
#ifndef NVMEARB_TB_SYSTEM_HOST_SOAK_RANDOM_SETUP_H_
#define NVMEARB_TB_SYSTEM_HOST_SOAK_RANDOM_SETUP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "host_driver/block/bio.h"
#include "host_driver/cgroup/cgroup.h"
#include "sim/simulation/engines.h"
#include "sim/simulation/parameters.h"

namespace nvmearb::system {

struct SoakGroup {
  std::string path;
  std::string level;  ///< for io.wrr
  std::string prio_class;
  unsigned bfq_weight = 100;
  unsigned io_weight = 100;
};

/// A task that keeps `depth` bios in flight.
struct SoakThread {
  std::string cgroup;  ///< path; empty: the root
  host::IoprioClass ioprio_class = host::IoprioClass::kNone;
  std::uint8_t ioprio_level = 4;
  bool sync = false;
  bool polled = false;
  bool random = true;
  bool moves = false;  ///< to another CPU, now and then
  unsigned depth = 1;
  unsigned batch = 1;  ///< bios that it submits in one go, behind a plug
  host::TimePs think = 0;
  unsigned write_pct = 0;
  unsigned flush_pct = 0;
  unsigned discard_pct = 0;
  std::uint32_t least_bytes = 4096;  ///< multiples of 4096
  std::uint32_t most_bytes = 4096;
  std::uint64_t region = 0;  ///< bytes it addresses, from the beginning of the disk
};

enum class FaultKind : std::uint8_t {
  kReset,            ///< somebody resets the controller
  kLoseCompletions,  ///< timeout, abort, reset
  kLoseInterrupts,   ///< timeout finds the completion
  kFatal,            ///< CSTS.CFS
  kLinkDown,         ///< and up again after `length`
  kLinkSilent,
  kSlow,  ///< the link takes `value` ps, until after `length`
  kAna,   ///< `value` is the state, until after `length`
  kPolicy,
  kWeights,   ///< Set Features 01h
  kLevel,     ///< another io.wrr level of a cgroup
  kAttribute  ///< of the scheduler
};
[[nodiscard]] const char* Name(FaultKind kind);

struct SoakFault {
  FaultKind kind = FaultKind::kReset;
  std::uint64_t after = 0;  ///< bios that have ended
  std::size_t controller = 0;
  host::TimePs length = 0;
  std::uint64_t value = 0;
  std::string name;  ///< of policy, cgroup, attribute
};

struct RandomSetup {
  std::uint64_t seed = 0;
  sim::Parameters parameters;
  std::vector<SoakGroup> groups;
  std::vector<SoakThread> threads;
  std::vector<SoakFault> faults;  ///< by `after`
  std::uint64_t bios = 0;         ///< to be submitted in all
  bool may_fail = false;          ///< the host may give up: few retries, short ctrl_loss_tmo
};

/// `bios`: to be submitted. The same seed makes the same set-up everywhere.
[[nodiscard]] RandomSetup MakeRandomSetup(std::uint64_t seed, std::uint64_t bios);
/// Some lines that say what it is.
[[nodiscard]] std::string Describe(const RandomSetup& setup);

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_HOST_SOAK_RANDOM_SETUP_H_
