// SPDX-License-Identifier: Apache-2.0
//
// UserError: bad user input, the one exception type of the project. Caught only in main, printed as
// one line, exit code 2.
#ifndef NVMEARB_HOST_DRIVER_BASE_USER_ERROR_H_
#define NVMEARB_HOST_DRIVER_BASE_USER_ERROR_H_

#include <stdexcept>
#include <string>

namespace nvmearb::host {

class UserError : public std::runtime_error {
 public:
  /// `where`: "file:line" or "--option"; `found`: what was there; `allowed`: what may be there or
  /// what to do. Printed as "where: found; allowed", control characters as spaces.
  UserError(const std::string& where, const std::string& found, const std::string& allowed)
      : std::runtime_error(
            OneLine(where + ": " + found + (allowed.empty() ? "" : "; " + allowed))) {}

 private:
  /// What the user wrote may hold anything, such as line ends or a terminal's control sequences.
  static std::string OneLine(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    }
    return text;
  }
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_USER_ERROR_H_
