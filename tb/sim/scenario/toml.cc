// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "host_driver/base/user_error.h"

namespace nvmearb::sim {
namespace {

static_assert(!toml::impl::is_non_ascii_horizontal_whitespace(U'\u01c7'), "and it can be asked");

constexpr const char* kSyntax = "see https://toml.io for the syntax";

/// The first line that begins like a table and goes on with what no key begins with; 0: none.
int LineOfBrokenHeader(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '[') continue;
    const std::size_t key = line.find_first_not_of("[ \t", at);
    if (key == std::string::npos) return number;
    const char c = line[key];
    const bool is_key = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' || c == '\'' ||
                        c == ']';
    if (!is_key) return number;
  }
  return 0;
}

}  // namespace

toml::table ParseToml(const std::string& text, const std::string& path) {
  try {
    return toml::parse(std::string_view(text), std::string_view(path));
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw host::UserError(
        fmt::format("{}:{}", path, error.source().begin.line), what,
        what.find("redefine") != std::string::npos ? "a key or table may appear once" : kSyntax);
  } catch (const BrokenToml&) {
    const int line = LineOfBrokenHeader(text);
    throw host::UserError(line > 0 ? fmt::format("{}:{}", path, line) : path,
                          "a table without a name", kSyntax);
  }
}

}  // namespace nvmearb::sim
