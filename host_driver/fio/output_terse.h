// SPDX-License-Identifier: Apache-2.0
//
// fio's terse output, version 3.
#ifndef NVMEARB_HOST_DRIVER_FIO_OUTPUT_TERSE_H_
#define NVMEARB_HOST_DRIVER_FIO_OUTPUT_TERSE_H_

#include <string>

#include "host_driver/fio/report.h"

namespace nvmearb::host::fio {

/// One line per record: 121 fields with ';' between them (latencies in us, bandwidth in KiB/s),
/// nine more per disk, and the description if there is one.
[[nodiscard]] std::string ToTerse(const Report& report);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OUTPUT_TERSE_H_
