// SPDX-License-Identifier: Apache-2.0
//
// The --html page: one file that needs nothing else, with tables and plots of each variant.
#ifndef NVMEARB_TB_SIM_REPORT_HTML_H_
#define NVMEARB_TB_SIM_REPORT_HTML_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace nvmearb::sim {

/// Throws host::UserError when the program was built without the plotting library.
void CheckHtmlPossible();

/// The page of `runs`: an array of what RunToJson() gives.
std::string ToHtml(const nlohmann::ordered_json& runs);

/// A page that shows `data` by `script` (one of embed.h), with everything it needs in it.
std::string RenderPage(const nlohmann::ordered_json& data, std::string_view script);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_HTML_H_
