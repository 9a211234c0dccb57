// SPDX-License-Identifier: Apache-2.0
//
// MSR Cambridge: CSV without a header. Times are Windows file times (100 ns since 1601), offset and
// size bytes; a volume is host and disk number. Source: README of SNIA IOTTA trace 388.
#include <fmt/format.h>

#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kMsrLayout[] = "Timestamp,Hostname,DiskNumber,Read|Write,Offset,Size,ResponseTime";

namespace {

constexpr std::uint64_t kNsPerTick = 100;

class MsrParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    if (IsHeader(line, "timestamp")) return false;
    const Fields fields(line, ',');
    fields.Expect(7, 7, kMsrLayout);
    record->time_ns =
        ParseWhole(fields[0], "Timestamp", ~std::uint64_t{0} / kNsPerTick) * kNsPerTick;
    if (fields[1].empty()) throw BadLine("an empty Hostname", "the name of a host");
    (void)ParseWhole(fields[2], "DiskNumber", ~std::uint32_t{0});
    device_.assign(fields[1]).append("_").append(fields[2]);
    record->device = device_;
    record->op = ParseReadWrite(fields[3], "Type");
    record->offset = ParseOffset(fields[4], "Offset", 1);
    record->bytes = ParseLength(fields[5], "Size", 1);
    return true;
  }

 private:
  std::string device_;
};

}  // namespace

std::unique_ptr<LineParser> MakeMsrParser() { return std::make_unique<MsrParser>(); }

}  // namespace nvmearb::trace
