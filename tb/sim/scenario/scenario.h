// SPDX-License-Identifier: Apache-2.0
//
// Scenario: what one file of sim_configs says, checked and typed. Plain data; the reader fills it
// (reader.h), `nvmearb run` executes it.
#ifndef NVMEARB_TB_SIM_SCENARIO_SCENARIO_H_
#define NVMEARB_TB_SIM_SCENARIO_SCENARIO_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/parameters.h"
#include "sim/scenario/value.h"

namespace nvmearb::sim {

/// A parameter of host or device that the scenario (or one variant) sets.
struct Override {
  const ParameterKey* key = nullptr;
  Value value;
};

/// No drive of ours needs so long for any command, starved classes included: some I/O completes.
inline constexpr std::int64_t kDefaultStallPs = 2'000'000'000'000;

struct RunSpec {
  std::optional<std::int64_t>
      runtime_ps;                       ///< replaces runtime= of every job; absent: the job's own
  std::optional<std::int64_t> ramp_ps;  ///< replaces ramp_time= of every job
  bool drain = false;                   ///< count what is in flight at the end of runtime_ps
  std::string reason;                   ///< why the two differ from the source's
  std::uint64_t seed = 1;
  std::int64_t stall_ps = 0;  ///< no completion for so long with I/O open: a stall
};

/// Where the published values of the comparisons are.
struct PublishedSpec {
  std::string file;      ///< CSV, relative to the scenario
  std::string workload;  ///< its column `workload`
};

struct CgroupSpec {
  std::string name;  ///< path below the root, "high" or "tenants/a"
  int line = 0;
};

/// One way to the drive: a controller behind a link (host_driver/multipath, ssd/fabric_link.h).
struct PathSpec {
  std::string name;
  std::string drive;  ///< paths with the same share one; empty: its own
  std::int64_t latency_ps = 0;
  std::int64_t jitter_ps = 0;
  std::int64_t command_ps = 0;
  std::int64_t bandwidth = 0;  ///< bytes/s; 0: unlimited
  std::optional<std::int64_t> numa_node;
  std::string ana = "optimized";
  int line = 0;
};

/// A block trace that is replayed; see trace/replay.h.
struct TraceSpec {
  std::string file;    ///< relative to the scenario; empty: the job is no trace
  std::string format;  ///< empty: told from the first lines
  double speedup = 1;
  std::uint32_t closed_loop = 0;           ///< I/Os in flight; 0: by the trace's times
  std::string by = "device";               ///< device, process or all
  std::map<std::string, std::string> map;  ///< device or process -> CgroupSpec
};

/// One fio process (a job file or a command line) in one cgroup, or a trace.
struct JobSpec {
  std::string name;
  std::string file;     ///< fio job file, relative to the scenario; or
  std::string command;  ///< fio's options as on its command line; or
  TraceSpec trace;
  std::vector<std::string> arguments;  ///< the same, cut up: what `nvmearb fio` was given
  std::string cgroup;                  ///< name of a CgroupSpec; empty: the root
  std::string published_job;
  int line = 0;
};

/// One run of all jobs.
struct VariantSpec {
  std::string name;
  std::string note;                                  ///< shown below the table
  std::map<std::string, std::string> io_wrr;         ///< cgroup -> level written to its io.wrr
  std::map<std::string, int> io_bfq_weight;          ///< cgroup -> io.bfq.weight
  std::map<std::string, int> io_weight;              ///< cgroup -> io.weight
  std::map<std::string, std::string> io_prio_class;  ///< cgroup -> policy written to io.prio.class
  std::optional<std::array<int, 3>> weights;         ///< effective high, medium, low (1..256)
  std::optional<int> burst;                          ///< AB, 0..7; 7 = no limit
  std::vector<Override> overrides;
  std::string published_policy;
  int line = 0;
};

/// What changes while a variant runs; see simulation/run_events.h.
struct EventSpec {
  std::int64_t at_ps = 0;                     ///< since the jobs were started
  std::vector<std::string> variants;          ///< empty: every variant
  std::optional<std::array<int, 3>> weights;  ///< Set Features 01h, as in VariantSpec
  std::optional<int> burst;
  std::map<std::string, std::string> io_wrr;      ///< cgroup -> level written to its io.wrr
  std::map<std::string, std::int64_t> iosched;    ///< attribute of the scheduler -> value
  std::string iopolicy;                           ///< written to the subsystem's; empty: not
  std::map<std::string, std::string> link;        ///< path -> up, down or silent
  std::map<std::string, std::string> ana;         ///< path -> ANA state
  std::map<std::string, std::int64_t> latency;    ///< path -> its link's latency
  std::map<std::string, std::int64_t> bandwidth;  ///< path -> its link's bandwidth
  int line = 0;
};

/// One or more values held against the published ones: every variant x job named.
struct CompareSpec {
  std::vector<std::string> variants;
  std::vector<std::string> jobs;
  std::string metric;
  std::string relative_to;  ///< variant; not the values are compared but their ratios to its
  bool order = false;       ///< not the values are compared but which variant's is larger
  double tie_pct = 0;       ///< with `order`: published values this near each other are equal
  double tolerance_pct = 0;
  std::string
      deviation;  ///< not empty: known not to hold, and why; printed, never counted as a pass
  int line = 0;
};

struct Scenario {
  std::string name;    ///< file name without folder and .toml
  std::string path;    ///< as opened
  std::string folder;  ///< of `path`; relative files start here
  std::string title;
  std::string source;
  RunSpec run;
  PublishedSpec published;
  std::vector<Override> overrides;
  std::vector<CgroupSpec> cgroups;
  std::vector<PathSpec> paths;
  std::vector<JobSpec> jobs;
  std::vector<VariantSpec> variants;
  std::vector<EventSpec> events;
  std::vector<CompareSpec> compares;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SCENARIO_SCENARIO_H_
