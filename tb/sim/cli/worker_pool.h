// SPDX-License-Identifier: Apache-2.0
//
// WorkerPool: runs pieces of work in child processes, some at a time, and gathers what each wrote.
// Processes, because a process simulates one machine at a time (decision 0012).
#ifndef NVMEARB_TB_SIM_CLI_WORKER_POOL_H_
#define NVMEARB_TB_SIM_CLI_WORKER_POOL_H_

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace nvmearb::sim {

struct WorkerResult {
  bool ran = false;    ///< came to its end, whatever that was
  int exit_code = -1;  ///< 128 + signal when it was killed
  std::string text;    ///< what the work returned
};

struct WorkerPool {
  unsigned jobs = 1;  ///< children at a time, >= 1
  /// In a child: does piece `index`, sets its text and returns the exit code.
  std::function<int(std::size_t index, std::string* text)> work;
  /// In this process, whenever something changed and a few times a second.
  std::function<void(std::size_t done, std::size_t running)> progress;
  /// Not zero: no further piece is begun; those that run are waited for (Ctrl-C reaches them, too).
  const volatile std::sig_atomic_t* interrupt = nullptr;
  /// True: no further piece is begun after one that ended with another code than 0, 1 or 130.
  bool stop_at_error = true;

  /// Runs pieces 0..count-1. Results are in their order, whatever the order in which they ended.
  [[nodiscard]] std::vector<WorkerResult> Run(std::size_t count) const;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_WORKER_POOL_H_
