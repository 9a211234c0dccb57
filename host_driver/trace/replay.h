// SPDX-License-Identifier: Apache-2.0
//
// Replay: makes the I/Os of a block trace on the simulated host.
#ifndef NVMEARB_TRACE_REPLAY_H_
#define NVMEARB_TRACE_REPLAY_H_

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host_driver/base/clock.h"
#include "host_driver/base/cpu_topology.h"
#include "host_driver/block/bio.h"
#include "host_driver/workload/cpu_time.h"
#include "host_driver/workload/load_generator.h"
#include "trace/stream_rules.h"
#include "trace/trace_reader.h"
#include "trace/volume_layout.h"

namespace nvmearb::trace {

struct ReplayOptions {
  double speedup = 1;             ///< > 0: times of the trace are divided by it
  std::uint32_t closed_loop = 0;  ///< not 0: times do not count, so many I/Os are kept in flight
  /// Open loop: with so many I/Os in flight the next one waits for a completion, which bounds
  /// memory when the drive cannot follow.
  std::uint32_t most_in_flight = 65536;
  host::TimePs runtime = 0;    ///< behind ramp_time; 0 = the whole trace
  host::TimePs ramp_time = 0;  ///< I/O is made but not counted
  bool cut_at_deadline = false;
  host::WorkloadCosts costs;
  unsigned series_points = 100;
  StreamRules rules;
  host::OptionStrings job_options;  ///< shown as "job options" of every stream
  int instance = 0;                 ///< JobSpec::instance of every stream
  std::uint32_t first_task = 0;     ///< Bio::task of the first of at most kMostTasks processes
};

struct ReplayHooks {
  host::BlockDevice* disk = nullptr;
  /// Cgroup of that path, "" for the default one. Never null.
  std::function<host::Cgroup*(const std::string& path)> cgroup;
};

/// Open loop: an I/O is made when its time has come, whether earlier ones are answered or not, and
/// its latency counts from that time: what it waits for because the host cannot follow is in slat.
/// Closed loop: the order of the trace with a fixed number in flight.
///
/// The submitting CPU is the trace's, modulo the CPUs there are; where the trace has none, CPUs
/// take turns. The submitting process is the trace's; where the trace has none, each device has
/// one. Preparing and reaping cost CPU time as for fio jobs. A flush of the trace is made and
/// waited for but not counted as an I/O.
///
/// A bad line ends the replay: no further I/O is made, and CheckInput() throws. Owns its reader.
/// Memory grows with the number of I/Os in flight and of different devices and streams, never with
/// the length of the trace. Not thread safe. Time base: `clock`.
class Replay final : public host::LoadGenerator {
 public:
  /// More streams than this are joined in one named "others".
  static constexpr std::size_t kMostStreams = 64;
  /// Processes beyond this submit as one.
  static constexpr std::size_t kMostTasks = 1024;

  Replay(host::Clock* clock, const host::CpuTopology& cpus, std::unique_ptr<TraceReader> reader,
         const ReplayOptions& options, const ReplayHooks& hooks);
  ~Replay() override;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void Start() override;
  [[nodiscard]] bool Finished() const override { return finished_; }
  void StopEarly() override;
  [[nodiscard]] host::RunProgress Progress() override;
  [[nodiscard]] std::vector<host::JobResult> Results() const override;
  void CheckInput() const override;
  /// What was read and what became of it; complete at the end.
  [[nodiscard]] std::vector<std::string> Notes() const override;
  /// Places for I/Os in flight that were ever needed at once.
  [[nodiscard]] std::size_t unit_count() const { return units_.size(); }

 private:
  struct Stream;
  struct Unit {
    host::Bio bio;
    Stream* stream = nullptr;
    host::TimePs start = 0;
    host::TimePs submit = 0;
  };

  void ReadNext();
  void TakeTime(std::uint64_t time_ns);
  void Pump();
  void OnDue(std::uint64_t ticket);
  void Issue();
  void OnSubmit(std::uint64_t index);
  void OnCompletion(std::uint64_t index);
  void Account(const Unit& unit, host::TimePs now);
  void BeginMeasuring();
  [[nodiscard]] Stream* StreamOf(const TraceRecord& record);
  [[nodiscard]] Stream* NewStream(const std::string& name, host::Cgroup* cgroup);
  [[nodiscard]] std::uint16_t CpuOf(const TraceRecord& record);
  [[nodiscard]] std::uint32_t TaskOf(const TraceRecord& record);

  host::Clock* clock_;
  unsigned cpu_count_;
  host::CpuTime cpu_time_;
  std::unique_ptr<TraceReader> reader_;
  ReplayOptions options_;
  ReplayHooks hooks_;
  VolumeLayout layout_;
  std::uint32_t limit_;  // in flight

  std::map<std::string, Stream*, std::less<>> stream_of_key_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::map<std::string, std::uint32_t, std::less<>> task_of_process_;
  std::deque<Unit> units_;
  std::vector<std::uint32_t> free_units_;

  // The next I/O of the trace.
  TraceRecord next_;
  bool has_next_ = false;
  host::TimePs next_due_ = 0;
  std::uint64_t ticket_ = 0;  // of the timer that counts
  bool armed_ = false;
  std::exception_ptr failure_;

  host::TimePs start_ = 0;
  host::TimePs ramp_end_ = 0;
  host::TimePs deadline_ = ~host::TimePs{0};
  host::TimePs end_ = 0;
  bool measuring_ = false;
  bool finished_ = false;
  std::uint32_t in_flight_ = 0;
  std::uint32_t next_cpu_ = 0;

  bool has_first_ = false;
  std::uint64_t first_ns_ = 0;
  std::uint64_t last_ns_ = 0;
  std::uint64_t records_ = 0;
  std::uint64_t backward_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t flushes_ = 0;
  std::uint64_t reaped_ios_ = 0;
  std::uint64_t reaped_bytes_ = 0;
  host::TimePs progress_time_ = 0;
  std::uint64_t progress_ios_ = 0;
};

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_REPLAY_H_
