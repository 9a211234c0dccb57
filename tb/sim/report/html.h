// SPDX-License-Identifier: Apache-2.0
//
// The --html page: one file that needs nothing else, with tables and plots of each variant.
#ifndef NVMEARB_TB_SIM_REPORT_HTML_H_
#define NVMEARB_TB_SIM_REPORT_HTML_H_

#include <string>

#include "sim/report/result.h"

namespace nvmearb::sim {

/// Throws host::UserError when the program was built without the plotting library.
void CheckHtmlPossible();

/// The page.
std::string ToHtml(const RunResult& run);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_HTML_H_
