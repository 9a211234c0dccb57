// SPDX-License-Identifier: Apache-2.0
//
// The assembler includes the files; their paths come from CMakeLists.txt.
#include "sim/report/embed.h"

// NOLINTBEGIN: one macro is clearer here than seven copies of the assembly.
#define NVMEARB_EMBED(symbol, path)                                              \
  __asm__(".section .rodata\n" #symbol "_begin:\n.incbin \"" path "\"\n" #symbol \
          "_end:\n.byte 0\n.previous\n");                                        \
  extern "C" const char symbol##_begin[];                                        \
  extern "C" const char symbol##_end[];
// NOLINTEND

NVMEARB_EMBED(nvmearb_page_html, NVMEARB_PAGE_HTML)
NVMEARB_EMBED(nvmearb_page_css, NVMEARB_PAGE_CSS)
NVMEARB_EMBED(nvmearb_common_js, NVMEARB_COMMON_JS)
NVMEARB_EMBED(nvmearb_page_js, NVMEARB_PAGE_JS)
NVMEARB_EMBED(nvmearb_plots_js, NVMEARB_PLOTS_JS)
NVMEARB_EMBED(nvmearb_sweep_js, NVMEARB_SWEEP_JS)
NVMEARB_EMBED(nvmearb_chart_js, NVMEARB_CHART_JS)

namespace nvmearb::sim {
namespace {

std::string_view View(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view PageHtml() { return View(nvmearb_page_html_begin, nvmearb_page_html_end); }
std::string_view PageCss() { return View(nvmearb_page_css_begin, nvmearb_page_css_end); }
std::string_view CommonScript() { return View(nvmearb_common_js_begin, nvmearb_common_js_end); }
std::string_view PlotsScript() { return View(nvmearb_plots_js_begin, nvmearb_plots_js_end); }
std::string_view SweepScript() { return View(nvmearb_sweep_js_begin, nvmearb_sweep_js_end); }
std::string_view PageScript() { return View(nvmearb_page_js_begin, nvmearb_page_js_end); }
std::string_view ChartJs() { return View(nvmearb_chart_js_begin, nvmearb_chart_js_end); }

}  // namespace nvmearb::sim
