// SPDX-License-Identifier: Apache-2.0
//
// Output in the formats of --output-format.
#ifndef NVMEARB_HOST_DRIVER_FIO_OUTPUT_H_
#define NVMEARB_HOST_DRIVER_FIO_OUTPUT_H_

#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"
#include "host_driver/fio/report.h"

namespace nvmearb::host::fio {

/// The report in each of `formats`, one after the other; normal when none is asked for, as fio
/// does. `jobs`: those of the report, for the header of the normal format.
[[nodiscard]] std::string Render(const Report& report, const std::vector<JobSpec>& jobs,
                                 const std::vector<OutputFormat>& formats);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OUTPUT_H_
