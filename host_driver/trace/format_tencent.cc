// SPDX-License-Identifier: Apache-2.0
//
// Tencent CBS: CSV; time in whole seconds since 1970, offset and size in 512-byte sectors, type 0
// for a read and 1 for a write. All I/Os of a second carry the same time; see
// spread_reader.h for what becomes of that. Source: its README.
#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kTencentLayout[] = "Timestamp,Offset,Size,0|1,VolumeID";

namespace {

class TencentParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    if (IsHeader(line, "timestamp")) return false;
    const Fields fields(line, ',');
    fields.Expect(5, 5, kTencentLayout);
    record->time_ns = ParseSeconds(fields[0], "Timestamp");
    record->offset = ParseOffset(fields[1], "Offset", kSectorBytes);
    record->bytes = ParseLength(fields[2], "Size", kSectorBytes);
    record->op = ParseOpDigit(fields[3], "IOType", '0');
    (void)ParseWhole(fields[4], "VolumeID", ~std::uint32_t{0});
    record->device = fields[4];
    return true;
  }
};

}  // namespace

std::unique_ptr<LineParser> MakeTencentParser() { return std::make_unique<TencentParser>(); }

}  // namespace nvmearb::trace
