// SPDX-License-Identifier: Apache-2.0
//
// fio's output for people.
#ifndef NVMEARB_HOST_DRIVER_FIO_OUTPUT_NORMAL_H_
#define NVMEARB_HOST_DRIVER_FIO_OUTPUT_NORMAL_H_

#include <string>
#include <vector>

#include "host_driver/fio/report.h"

namespace nvmearb::host::fio {

/// What fio prints before a run: a line per job with its pattern, block sizes, engine and depth,
/// and how many it starts.
[[nodiscard]] std::string NormalHeader(const std::vector<JobSpec>& jobs);

/// Records and group status after a run. "pid" is the job's number from 1.
[[nodiscard]] std::string ToNormal(const Report& report);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OUTPUT_NORMAL_H_
