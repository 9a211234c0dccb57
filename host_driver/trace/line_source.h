// SPDX-License-Identifier: Apache-2.0
//
// LineSource: the lines of a text file, plain or gzip, in bounded memory.
#ifndef NVMEARB_TRACE_LINE_SOURCE_H_
#define NVMEARB_TRACE_LINE_SOURCE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace nvmearb::trace {

/// Reads forward only, once, so that a pipe will do. A gzip file is known by its contents, whatever
/// its name; several gzip members in one file are read one after the other.
class LineSource {
 public:
  static constexpr std::size_t kMostLineBytes = 64 * 1024;

  /// `path` "-": standard input. Throws host::UserError when it cannot be opened.
  explicit LineSource(const std::string& path);
  ~LineSource();
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  /// The next line without its end; valid until the next call. False at the end. Throws
  /// host::UserError for a line longer than kMostLineBytes, for bytes that are no text, for gzip
  /// data that is damaged or cut off.
  bool Next(std::string_view* line);

  /// The first lines, at most `count`, without taking them: Next() gives them again. Before the
  /// first Next() only. What cannot be read is left to Next() to report.
  std::vector<std::string> Peek(std::size_t count);

  /// Of the line that Next() gave last, from 1.
  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
  /// "file:line" of that line.
  [[nodiscard]] std::string Where() const;
  /// Memory that lines are kept in.
  [[nodiscard]] std::size_t buffer_bytes() const { return buffer_.capacity(); }
  /// How much of the file was read, 0..1; 0 for a pipe.
  [[nodiscard]] double Fraction() const;
  /// As messages name it.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  bool Fill();
  bool FindLine(std::string_view* line);
  [[noreturn]] void Refuse(const std::string& found, const std::string& allowed) const;

  std::string name_;
  gzFile_s* file_ = nullptr;
  std::uint64_t file_bytes_ = 0;  // 0: not known
  std::string buffer_;
  std::size_t begin_ = 0;  // of what was not given yet
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
};

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_LINE_SOURCE_H_
