// SPDX-License-Identifier: Apache-2.0
//
// SNIA SYSTOR '17 (enterprise VDI): CSV with a header. Timestamp and Response are seconds, offset
// and size bytes. Response and IOType may be empty: the capture missed the completion, or the
// command was neither read nor write; the latter is no I/O here.
#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kSystorLayout[] = "Timestamp,Response,R|W,LUN,Offset,Size";

namespace {

class SystorParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    if (IsHeader(line, "timestamp")) return false;
    const Fields fields(line, ',');
    fields.Expect(6, 6, kSystorLayout);
    record->time_ns = ParseSeconds(fields[0], "Timestamp");
    if (!fields[1].empty()) (void)ParseSeconds(fields[1], "Response");
    if (fields[2].empty()) return false;
    record->op = ParseReadWrite(fields[2], "IOType");
    (void)ParseWhole(fields[3], "LUN", ~std::uint32_t{0});
    record->device = fields[3];
    record->offset = ParseOffset(fields[4], "Offset", 1);
    record->bytes = ParseLength(fields[5], "Size", 1);
    return true;
  }
};

}  // namespace

std::unique_ptr<LineParser> MakeSystorParser() { return std::make_unique<SystorParser>(); }

}  // namespace nvmearb::trace
