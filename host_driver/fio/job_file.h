// SPDX-License-Identifier: Apache-2.0
//
// fio job files: ini sections of key[=value] lines.
#ifndef NVMEARB_HOST_DRIVER_FIO_JOB_FILE_H_
#define NVMEARB_HOST_DRIVER_FIO_JOB_FILE_H_

#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"

namespace nvmearb::host::fio {

/// Reads sections of job files one after the other; [global] sections of one file apply to the
/// files after it too, as in one run of fio.
///
/// Syntax: "[name]", "key", "key=value" with blanks around each part; ';' and '#' start a comment
/// anywhere in a line, as in fio; "include file" (relative to the including file); ${VAR}. A
/// section name that begins with "global" sets defaults for the sections below it.
class JobFileReader {
 public:
  /// `globals`: defaults from elsewhere (the command line).
  JobFileReader(const ParseContext& context, std::vector<RawOption> globals);

  /// Only sections of these names are kept (--section); empty: all.
  void SelectSections(std::vector<std::string> names) { selected_ = std::move(names); }

  /// Reads a file. The first job of a second file waits for those of the first (an implied
  /// stonewall). Throws UserError with file and line.
  void ReadFile(const std::string& path);

  /// The same from text; `name` stands for the file in messages.
  void ReadText(const std::string& text, const std::string& name);

  [[nodiscard]] const std::vector<RawSection>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<RawOption>& globals() const { return globals_; }

 private:
  void ReadLines(const std::string& text, const std::string& name, int depth);
  void OpenSection(const std::string& line, const std::string& where);
  void AddOption(const std::string& line, const std::string& where);

  const ParseContext& context_;
  std::vector<RawOption> globals_;
  std::vector<std::string> selected_;
  std::vector<RawSection> sections_;
  enum class Open { kNone, kGlobal, kJob, kSkipped } open_ = Open::kNone;
  unsigned files_read_ = 0;
  bool first_job_of_file_ = false;
};

/// Reads and understands job files. Throws UserError.
[[nodiscard]] FioInput ParseJobFiles(const std::vector<std::string>& paths,
                                     const ParseContext& context);

/// The same for one job file given as text.
[[nodiscard]] FioInput ParseJobText(const std::string& text, const std::string& name,
                                    const ParseContext& context);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_JOB_FILE_H_
