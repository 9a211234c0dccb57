// SPDX-License-Identifier: Apache-2.0
//
// Files of this folder that are part of the program, as text.
#ifndef NVMEARB_TB_SIM_REPORT_EMBED_H_
#define NVMEARB_TB_SIM_REPORT_EMBED_H_

#include <string_view>

namespace nvmearb::sim {

std::string_view PageHtml();
std::string_view PageCss();
/// What the scripts of both pages share; run before them.
std::string_view CommonScript();
std::string_view PageScript();
/// What PageScript() calls for the plots of a variant; run before it.
std::string_view PlotsScript();
std::string_view SweepScript();
/// Chart.js as Debian packages it (libjs-chart.js, MIT licence); empty when it was not there at
/// build time.
std::string_view ChartJs();

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_EMBED_H_
