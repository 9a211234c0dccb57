// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "scoreboard/event_log.h"
#include "sim/simulation/depth_recorder.h"
#include "sim/simulation/fio_results.h"
#include "sim/simulation/grant_recorder.h"
#include "sim/simulation/measure.h"
#include "sim/simulation/run_events.h"
#include "sim/simulation/watchdog.h"
#include "sim/simulation/workload.h"

namespace nvmearb::sim {
namespace {

constexpr ssd::TimePs kSlice = 1'000'000'000;            // 1 ms
constexpr ssd::TimePs kDrainLimit = 10'000'000'000'000;  // 10 s
// The page's plot of grants: as many as can be told apart, of slow scenarios what comes in time.
constexpr std::uint64_t kGrantSpanPs = 20'000'000'000;
constexpr std::size_t kGrantLimit = 1000;
constexpr std::uint64_t kDepthWidthPs = 1'000'000;  // 1 us, and doubled as needed
constexpr std::size_t kDepthBuckets = 256;

/// Runs the workload in slices, watching for progress, interrupts and stalls.
class Loop {
 public:
  Loop(Machine* machine, Workload* workload, const Scenario& scenario,
       const SimulationOptions& options)
      : machine_(machine),
        workload_(workload),
        stall_ps_(static_cast<ssd::TimePs>(scenario.run.stall_ps)),
        options_(options),
        watchdog_(&machine->kernel(), options.watchdog_seconds) {}

  /// Until every job is done and nothing is outstanding. Returns true when interrupted.
  bool Run() {
    ssd::Kernel& kernel = machine_->kernel();
    last_completion_ = kernel.Now();
    while (!workload_->Finished()) {
      if (!interrupted_ && options_.interrupt != nullptr && *options_.interrupt != 0) {
        interrupted_ = true;
        workload_->StopEarly();
        give_up_ = kernel.Now() + kDrainLimit;
      }
      if (interrupted_ && kernel.Now() >= give_up_) break;
      const bool more = kernel.RunUntil(kernel.Now() + kSlice);
      watchdog_.Beat();
      workload_->CheckInput();
      CheckProgress(more);
      Report();
    }
    return interrupted_;
  }

 private:
  void CheckProgress(bool more) {
    const IoCounts io = machine_->io();
    const ssd::TimePs now = machine_->kernel().Now();
    if (io.completed != completed_ || io.InFlight() == 0) {
      completed_ = io.completed;
      last_completion_ = now;
    }
    const bool waiting = io.InFlight() > 0;
    std::string why;
    if (Watchdog::Expired()) {
      why =
          fmt::format("no simulated progress within {} s of wall time", options_.watchdog_seconds);
    } else if (waiting && !more) {
      why = "nothing is scheduled any more";
    } else if (waiting && now - last_completion_ >= stall_ps_) {
      why = fmt::format("no completion for {} (run.stall)",
                        FormatTime(static_cast<std::int64_t>(stall_ps_)));
    } else if (!waiting && !more && !workload_->Finished()) {
      why = "the jobs wait for something that never comes";
    }
    if (why.empty()) return;
    throw NoProgress(
        last_completion_,
        fmt::format("no progress at {:.6f} s: {}, {} I/O outstanding\n{}",
                    static_cast<double>(now) / 1e12, why, io.InFlight(), machine_->Describe()));
  }

  void Report() {
    if (!options_.progress) return;
    const host::RunProgress progress = workload_->Progress();
    options_.progress({progress.fraction, progress.ios, machine_->kernel().Now()});
  }

  Machine* machine_;
  Workload* workload_;
  ssd::TimePs stall_ps_;
  const SimulationOptions& options_;
  Watchdog watchdog_;
  std::uint64_t completed_ = 0;
  ssd::TimePs last_completion_ = 0;
  ssd::TimePs give_up_ = 0;
  bool interrupted_ = false;
};

/// What a driver has left over. `complete`: nothing is outstanding.
void CheckDriver(const Controller& controller, const std::string& whose, bool complete,
                 std::vector<std::string>* findings) {
  const host::NvmeStats& driver = controller.driver->stats();
  if (driver.invalid_cids > 0) {
    findings->push_back(fmt::format("{}{} completions of commands that were not outstanding", whose,
                                    driver.invalid_cids));
  }
  if (!complete) return;
  if (driver.submitted != driver.completed + driver.cancelled) {
    findings->push_back(
        fmt::format("{}{} commands submitted, {} completed, {} taken back by resets", whose,
                    driver.submitted, driver.completed, driver.cancelled));
  }
  const host::BlkMq& block = controller.driver->block();
  unsigned tags = 0;
  for (unsigned i = 0; i < block.hctx_count(); ++i) tags += block.hctx(i).tags.used();
  if (tags > 0) findings->push_back(fmt::format("{}{} tags leaked", whose, tags));
}

std::vector<std::string> FindingsOf(Machine* machine, bool complete) {
  std::vector<std::string> findings = machine->Findings(complete);
  const IoCounts io = machine->io();
  if (complete && io.InFlight() != 0) {
    findings.push_back(fmt::format("{} I/O lost: submitted and never completed", io.InFlight()));
  }
  if (io.failed > 0) findings.push_back(fmt::format("{} I/O ended with an error", io.failed));
  const host::MultipathHead* const head = machine->multipath();
  for (std::size_t i = 0; i < machine->controllers().size(); ++i) {
    const std::string whose = head == nullptr ? "" : head->paths()[i]->name + ": ";
    CheckDriver(*machine->controllers()[i], whose, complete, &findings);
    if (head == nullptr || !complete || head->paths()[i]->nr_active == 0) continue;
    findings.push_back(
        fmt::format("{}{} requests count as active", whose, head->paths()[i]->nr_active));
  }
  return findings;
}

}  // namespace

VariantResult RunVariant(const Scenario& scenario, const VariantSpec& variant,
                         const SimulationOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string where =
      fmt::format("{}:{}: variant {}", scenario.path, variant.line, variant.name);
  const Parameters parameters = MachineOf(scenario, variant);
  std::optional<tb::EventLog> log;
  GrantRecorder grants(kGrantSpanPs, kGrantLimit);
  tb::TeeSink sinks;
  if (!options.events_path.empty()) sinks.Add(&log.emplace(options.events_path));
  DepthRecorder depths(kDepthWidthPs, kDepthBuckets);
  if (options.collect_page) {
    sinks.Add(&grants);
    sinks.Add(&depths);
  }
  const bool listens = log.has_value() || options.collect_page;

  Machine machine(parameters, options.machine, listens ? &sinks : nullptr, where);
  machine.BringUp();
  Workload workload(scenario, variant, parameters, &machine);
  if (options.warn) options.warn(workload.warnings());
  RunEvents events(scenario, variant, &machine);
  workload.Start();
  events.Start();
  Loop loop(&machine, &workload, scenario, options);

  VariantResult result;
  result.name = variant.name;
  result.note = variant.note;
  result.interrupted = loop.Run();
  const bool complete = workload.Finished();
  if (log.has_value()) log->Close();
  Measure(scenario, machine, workload, options.collect_page, &result);
  if (options.fio_text) FioText(machine, workload, options.fio_formats, &result);
  result.findings = FindingsOf(&machine, complete);
  const std::vector<std::string>& refused = events.failures();
  result.findings.insert(result.findings.end(), refused.begin(), refused.end());
  const std::vector<std::string> happened = events.Notes();
  result.notes.insert(result.notes.end(), happened.begin(), happened.end());
  result.first_finding = machine.FirstFindingInFull();
  if (!result.findings.empty()) result.fault_ps = machine.FirstFindingTime();
  result.grants = grants.Take();
  if (options.collect_page) {
    const std::uint64_t measured_from_ps = result.depths.measured_from_ps;
    result.depths = depths.Take(machine.kernel().Now());
    result.depths.measured_from_ps = measured_from_ps;
    result.weights = depths.weights();
  }
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace nvmearb::sim
