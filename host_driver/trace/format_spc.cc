// SPDX-License-Identifier: Apache-2.0
//
// SPC trace files, as in the UMass repository: ASU (a volume), LBA in 512-byte blocks, size in
// bytes, opcode, seconds; optional fields may follow. Source: SPC Trace File Format Specification,
// revision 1.0.1.
#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kSpcLayout[] = "ASU,LBA,Size,r|w,Timestamp";

namespace {

class SpcParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    const Fields fields(line, ',');
    fields.Expect(5, Fields::kMost, kSpcLayout);
    (void)ParseWhole(fields[0], "ASU", ~std::uint32_t{0});
    record->device = fields[0];
    record->offset = ParseOffset(fields[1], "LBA", kSectorBytes);
    record->bytes = ParseLength(fields[2], "Size", 1);
    record->op = ParseReadWrite(fields[3], "Opcode");
    record->time_ns = ParseSeconds(fields[4], "Timestamp");
    return true;
  }
};

}  // namespace

std::unique_ptr<LineParser> MakeSpcParser() { return std::make_unique<SpcParser>(); }

}  // namespace nvmearb::trace
