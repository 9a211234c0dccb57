// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html.h"

#include "host_driver/base/user_error.h"
#include "sim/report/embed.h"

namespace nvmearb::sim {
namespace {

using nlohmann::ordered_json;

void Replace(std::string* text, const std::string& mark, std::string_view with) {
  const std::size_t at = text->find(mark);
  if (at != std::string::npos) text->replace(at, mark.size(), with);
}

}  // namespace

void CheckHtmlPossible() {
  if (!ChartJs().empty()) return;
  throw host::UserError("--html", "this nvmearb was built without Chart.js",
                        "install the package libjs-chart.js, configure and build again");
}

std::string ToHtml(const ordered_json& runs) {
  return RenderPage({{"runs", runs}}, std::string(PlotsScript()) + std::string(PageScript()));
}

std::string RenderPage(const ordered_json& data, std::string_view script) {
  // Names from a job file may hold bytes that are no UTF-8.
  std::string json = data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  // "</script>" and "<!--" inside a string would end the element that holds the data.
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  std::string page(PageHtml());
  Replace(&page, "@SCRIPT@", script);
  Replace(&page, "@COMMON@", CommonScript());
  Replace(&page, "@DATA@", json);
  Replace(&page, "@CHART_JS@", ChartJs());
  Replace(&page, "@CSS@", PageCss());
  return page;
}

}  // namespace nvmearb::sim
