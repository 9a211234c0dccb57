// SPDX-License-Identifier: Apache-2.0
//
// OutputFile: a file that an option names; opened before the work so that a wrong path is known at
// once, written whole at the end.
#ifndef NVMEARB_TB_SIM_CLI_OUTPUT_FILE_H_
#define NVMEARB_TB_SIM_CLI_OUTPUT_FILE_H_

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "host_driver/base/user_error.h"

namespace nvmearb::sim {

class OutputFile {
 public:
  /// `path` "" means that nothing is wanted, "-" standard output. Throws host::UserError.
  OutputFile(std::string option, std::string path)
      : option_(std::move(option)), path_(std::move(path)) {
    if (path_.empty()) return;
    file_ = path_ == "-" ? stdout : std::fopen(path_.c_str(), "ab");
    if (file_ == nullptr) {
      throw host::UserError(option_, fmt::format("{}: {}", path_, std::strerror(errno)),
                            "a file that can be written");
    }
  }
  ~OutputFile() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] bool wanted() const { return file_ != nullptr; }

  /// Replaces the file's contents; nothing when the file is not wanted. Throws host::UserError.
  void Write(const std::string& text) {
    if (file_ == nullptr) return;
    if (file_ != stdout) file_ = std::freopen(path_.c_str(), "wb", file_);
    if (file_ == nullptr || std::fwrite(text.data(), 1, text.size(), file_) != text.size() ||
        std::fflush(file_) != 0) {
      throw host::UserError(option_, fmt::format("{} could not be written whole", path_),
                            "room on the disk");
    }
  }

 private:
  std::string option_;
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_OUTPUT_FILE_H_
