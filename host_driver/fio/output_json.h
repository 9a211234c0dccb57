// SPDX-License-Identifier: Apache-2.0
//
// The JSON of fio 3.33: its keys, their order, its number formats.
#ifndef NVMEARB_HOST_DRIVER_FIO_OUTPUT_JSON_H_
#define NVMEARB_HOST_DRIVER_FIO_OUTPUT_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "host_driver/fio/report.h"

namespace nvmearb::host::fio {

/// The whole object. `plus`: json+, with the histogram bins. Fractions are rounded to six decimals,
/// so that every way to print them gives the same numbers. Time stamps are simulated time.
[[nodiscard]] nlohmann::ordered_json ToJson(const Report& report, bool plus);

/// Text as fio writes it: two blanks of indent, `"key" : value`, six decimals. Ends with a newline.
[[nodiscard]] std::string DumpJson(const nlohmann::ordered_json& json);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OUTPUT_JSON_H_
