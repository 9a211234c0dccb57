// SPDX-License-Identifier: Apache-2.0
//
// fio's I/O logs. The first line is "fio version N iolog". Version 2: "file action [offset
// length]", where wait counts microseconds from the wait before it. Version 3: the same behind a
// time stamp in microseconds since the start, without wait. Times are what fio writes and
// documents; fio 3.33's own reader takes other units (decision 0060).
#include <fmt/format.h>

#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kFioIologLayout[] =
    "[time_us] file add|open|close|read|write|trim|sync|datasync|wait "
    "[offset length]";

namespace {

constexpr std::uint64_t kNsPerUs = 1000;
constexpr std::uint64_t kMostUs = ~std::uint64_t{0} / 4 / kNsPerUs;
constexpr std::string_view kVersion2 = "fio version 2 iolog";
constexpr std::string_view kVersion3 = "fio version 3 iolog";

class FioIologParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    if (version_ == 0) {
      version_ = line == kVersion2 ? 2 : line == kVersion3 ? 3 : 0;
      if (version_ == 0) {
        throw BadLine(fmt::format("\"{}\"", line.substr(0, 40)),
                      fmt::format("\"{}\" or \"{}\"", kVersion2, kVersion3));
      }
      return false;
    }
    const Fields fields(line, ' ');
    const std::size_t first = version_ == 3 ? 1 : 0;
    fields.Expect(first + 2, first + 4, kFioIologLayout);
    if (version_ == 3) time_ns_ = ParseWhole(fields[0], "time", kMostUs) * kNsPerUs;
    return Act(fields, first, record);
  }

 private:
  bool Act(const Fields& fields, std::size_t first, TraceRecord* record) {
    const std::string_view action = fields[first + 1];
    if (action == "add" || action == "open" || action == "close") return false;
    if (action == "wait") {
      if (version_ == 3) throw BadLine("wait", "time stamps instead of it in version 3");
      fields.Expect(first + 3, first + 4, "file wait microseconds");
      const std::uint64_t wait = ParseWhole(fields[first + 2], "wait", kMostUs) * kNsPerUs;
      if (wait > kMostUs * kNsPerUs - time_ns_)
        throw BadLine("wait too long", "some years at most");
      time_ns_ += wait;
      return false;
    }
    record->time_ns = time_ns_;
    record->device = fields[first];
    if (action == "sync" || action == "datasync") {
      record->op = host::BioOp::kFlush;
      record->sync = true;
      return true;
    }
    if (action == "read") {
      record->op = host::BioOp::kRead;
    } else if (action == "write") {
      record->op = host::BioOp::kWrite;
    } else if (action == "trim") {
      record->op = host::BioOp::kDiscard;
    } else {
      throw BadLine(fmt::format("action \"{}\"", action.substr(0, 40)), kFioIologLayout);
    }
    fields.Expect(first + 4, first + 4, kFioIologLayout);
    record->offset = ParseOffset(fields[first + 2], "offset", 1);
    record->bytes = ParseLength(fields[first + 3], "length", 1);
    return true;
  }

  int version_ = 0;
  std::uint64_t time_ns_ = 0;
};

}  // namespace

std::unique_ptr<LineParser> MakeFioIologParser() { return std::make_unique<FioIologParser>(); }

}  // namespace nvmearb::trace
