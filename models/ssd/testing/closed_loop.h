// SPDX-License-Identifier: Apache-2.0
//
// ClosedLoop: jobs with a fixed number of I/Os outstanding, on a TestHost. The shape tests and the
// speed measurement of models/ssd drive a drive with it.
#ifndef NVMEARB_MODELS_SSD_TESTING_CLOSED_LOOP_H_
#define NVMEARB_MODELS_SSD_TESTING_CLOSED_LOOP_H_

#include <cstdint>
#include <vector>

#include "nvme/base/random.h"
#include "nvme/io_commands.h"
#include "ssd/kernel.h"
#include "ssd/testing/test_host.h"

namespace nvmearb::ssd {

/// One SQ with `depth` I/Os outstanding, each of `commands` commands of `command_bytes`.
struct LoopJob {
  std::uint16_t qid = 1;
  std::uint8_t qprio = 0;
  nvme::IoOpcode opcode = nvme::IoOpcode::kRead;
  std::uint32_t command_bytes = 4096;
  std::uint32_t commands = 1;
  std::uint32_t depth = 32;
};

class ClosedLoop {
 public:
  /// Time from the CQE of an I/O to the doorbell of the next one.
  static constexpr TimePs kTurnAroundPs = 5'000'000;

  /// What a job did between Start() and Stop() of the measurement.
  struct Result {
    std::uint64_t ios = 0;
    std::uint64_t failed = 0;
    std::uint64_t latency_sum_ps = 0;

    [[nodiscard]] double MeanLatencyUs() const {
      return ios == 0 ? 0 : static_cast<double>(latency_sum_ps) / static_cast<double>(ios) * 1e-6;
    }
  };

  /// `host` is enabled. Creates a queue pair per job.
  ClosedLoop(Kernel* kernel, TestHost* host, std::vector<LoopJob> jobs);

  /// Submits everything, runs `ramp` without and then `measure` with counting.
  void Run(TimePs ramp, TimePs measure);

  [[nodiscard]] const Result& result(std::size_t job) const { return states_[job].result; }
  /// I/Os per second of the jobs with this QPRIO.
  [[nodiscard]] double RatePerSecond(std::uint8_t qprio) const;

 private:
  static constexpr std::uint32_t kSizeCount = 1024;
  struct State {
    LoopJob job;
    std::vector<TimePs> begun;        // by I/O slot
    std::vector<std::uint32_t> left;  // commands of that I/O
    Result result;
  };

  void Submit(std::uint64_t argument);
  void Reap(std::uint64_t qid);

  Kernel* kernel_;
  TestHost* host_;
  std::vector<State> states_;
  std::vector<std::uint32_t> job_of_qid_;
  std::vector<bool> reap_waiting_;
  base::Random random_{42};
  TimePs measured_ps_ = 0;
  bool counting_ = false;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_TESTING_CLOSED_LOOP_H_
