// SPDX-License-Identifier: Apache-2.0
//
// The trace formats: a parser of lines for each. To add one: a file with its parser and an entry in
// formats.cc.
#ifndef NVMEARB_TRACE_FORMATS_H_
#define NVMEARB_TRACE_FORMATS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace_record.h"

namespace nvmearb::trace {

/// Parses the lines of one file in order; may keep state between them. Blank lines and lines that
/// begin with '#' do not reach it.
class LineParser {
 public:
  virtual ~LineParser() = default;
  /// The file's first lines, before any of them is parsed.
  virtual void Prepare(const std::vector<std::string>& first_lines) { (void)first_lines; }
  /// Fills `record` (fresh, default values) and returns true; false when the line holds no I/O.
  /// Texts may point into `line` or into the parser. Throws BadLine.
  virtual bool Parse(std::string_view line, TraceRecord* record) = 0;
};

struct TraceFormat {
  const char* name;    ///< as --format takes it
  const char* title;   ///< whose it is
  const char* layout;  ///< a line of it
  std::unique_ptr<LineParser> (*make)();
  std::uint64_t tick_ns = 1;  ///< its times are multiples of this; see spread_reader.h
};

/// All formats, in the order in which they are tried.
[[nodiscard]] const std::vector<TraceFormat>& AllFormats();

/// The format of that name, or null.
[[nodiscard]] const TraceFormat* FindFormat(std::string_view name);

/// The format that takes most of these lines, at least half of them; null when there is none. A
/// line that is broken does not decide, so that it is reported as what it is.
[[nodiscard]] const TraceFormat* DetectFormat(const std::vector<std::string>& first_lines);

/// True for a line that no format sees.
[[nodiscard]] bool IsComment(std::string_view line);

// One file each.
[[nodiscard]] std::unique_ptr<LineParser> MakeFioIologParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeBlkparseParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeMsrParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeSystorParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeSpcParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeFiuParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeAlibabaParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeTencentParser();
[[nodiscard]] std::unique_ptr<LineParser> MakeMqsimParser();

extern const char kFioIologLayout[];
extern const char kBlkparseLayout[];
extern const char kMsrLayout[];
extern const char kSystorLayout[];
extern const char kSpcLayout[];
extern const char kFiuLayout[];
extern const char kAlibabaLayout[];
extern const char kTencentLayout[];
extern const char kMqsimLayout[];

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_FORMATS_H_
