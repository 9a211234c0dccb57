// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_reader.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "host_driver/base/user_error.h"
#include "trace/fields.h"
#include "trace/formats.h"
#include "trace/line_source.h"
#include "trace/spread_reader.h"

namespace nvmearb::trace {
namespace {

using host::UserError;

/// Lines that tell the format. blkparse files may begin with many events that are no I/O.
constexpr std::size_t kSampleLines = 64;

std::string FormatNames() {
  std::vector<std::string_view> names;
  for (const TraceFormat& format : AllFormats()) names.emplace_back(format.name);
  return fmt::format("{}", fmt::join(names, " "));
}

const TraceFormat& ChooseFormat(LineSource* source, const std::string& name,
                                const std::vector<std::string>& first_lines) {
  if (!name.empty()) {
    const TraceFormat* const format = FindFormat(name);
    if (format == nullptr) {
      throw UserError("--format", fmt::format("\"{}\" is no trace format", name), FormatNames());
    }
    return *format;
  }
  const TraceFormat* const format = DetectFormat(first_lines);
  if (format == nullptr) {
    std::string_view line;
    (void)source->Next(&line);  // says so itself when it is an archive or no text
    throw UserError(
        source->name() + ":1", "the first lines are of no trace format known here",
        fmt::format("one of {}; --format NAME says what is wrong with them", FormatNames()));
  }
  return *format;
}

class TextTraceReader : public TraceReader {
 public:
  TextTraceReader(const std::string& path, const std::string& format) : source_(path) {
    const std::vector<std::string> first_lines = source_.Peek(kSampleLines);
    if (first_lines.empty()) {
      std::string_view line;
      // Says why there is nothing: damaged, or no text.
      if (!source_.Next(&line)) throw UserError(source_.name(), "no line in it", "a block trace");
    }
    format_ = &ChooseFormat(&source_, format, first_lines);
    parser_ = format_->make();
    parser_->Prepare(first_lines);
  }

  bool Next(TraceRecord* record) override {
    std::string_view line;
    while (source_.Next(&line)) {
      *record = TraceRecord();
      if (!IsComment(line) && Parse(line, record)) return true;
      ++skipped_lines_;
    }
    return false;
  }

  [[nodiscard]] const char* format() const override { return format_->name; }
  [[nodiscard]] double Fraction() const override { return source_.Fraction(); }
  [[nodiscard]] std::uint64_t skipped_lines() const override { return skipped_lines_; }

 private:
  bool Parse(std::string_view line, TraceRecord* record) {
    try {
      return parser_->Parse(line, record) &&
             (record->bytes != 0 || record->op == host::BioOp::kFlush);
    } catch (const BadLine& bad) {
      throw UserError(source_.Where(), bad.what(),
                      fmt::format("expected {} ({})", bad.expected(), format_->name));
    }
  }

  LineSource source_;
  const TraceFormat* format_ = nullptr;
  std::unique_ptr<LineParser> parser_;
  std::uint64_t skipped_lines_ = 0;
};

}  // namespace

std::unique_ptr<TraceReader> OpenTrace(const std::string& path, const std::string& format) {
  auto reader = std::make_unique<TextTraceReader>(path, format);
  const std::uint64_t tick_ns = FindFormat(reader->format())->tick_ns;
  if (tick_ns <= 1) return reader;
  return std::make_unique<SpreadReader>(std::move(reader), tick_ns);
}

}  // namespace nvmearb::trace
