// SPDX-License-Identifier: Apache-2.0
//
// The table in the terminal.
#ifndef NVMEARB_TB_SIM_REPORT_TABLE_H_
#define NVMEARB_TB_SIM_REPORT_TABLE_H_

#include <cstdint>
#include <string>

#include "sim/report/result.h"

namespace nvmearb::sim {

/// "1,234,567" of a rounded number; "1,234.5" with one decimal.
std::string Grouped(double value, int decimals = 0);

/// What is shown before the first variant: title, source, engine, seed.
std::string FormatHeader(const RunResult& run);

/// One variant: a line per job, the sum, deviations with their reasons. `color`: ANSI colours.
std::string FormatVariant(const VariantResult& variant, bool color);

/// The verdict over all variants.
std::string FormatVerdict(const RunResult& run, bool color);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_TABLE_H_
