// SPDX-License-Identifier: Apache-2.0
//
// TraceReader: the I/Os of a block trace file, one after the other.
//
// Reading order: trace_record.h (what comes out), trace_reader.h, formats.h (one parser per format,
// each in a file of its own), replay.h (what is done with them).
#ifndef NVMEARB_TRACE_TRACE_READER_H_
#define NVMEARB_TRACE_TRACE_READER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "trace/trace_record.h"

namespace nvmearb::trace {

class TraceReader {
 public:
  virtual ~TraceReader() = default;

  /// The next I/O; its texts are valid until the next call. False at the end. Throws
  /// host::UserError with file and line, what was found there and what was expected. Times may go
  /// back a little, as they do in traces of several CPUs.
  virtual bool Next(TraceRecord* record) = 0;

  /// Short name of the format, as --format takes it.
  [[nodiscard]] virtual const char* format() const = 0;
  /// How much of the file was read, 0..1; 0 where its size is not known.
  [[nodiscard]] virtual double Fraction() const = 0;
  /// Lines of the file that hold no I/O to replay: headers, comments, other events, length 0.
  [[nodiscard]] virtual std::uint64_t skipped_lines() const = 0;
};

/// Opens a trace, plain or gzip, "-" for standard input. `format`: a name of AllFormats(), or empty
/// to tell it from the first lines. Memory is bounded, whatever the file's size. Throws
/// host::UserError.
[[nodiscard]] std::unique_ptr<TraceReader> OpenTrace(const std::string& path,
                                                     const std::string& format);

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_TRACE_READER_H_
