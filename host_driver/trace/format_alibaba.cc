// SPDX-License-Identifier: Apache-2.0
//
// Alibaba block traces (2020): CSV without a header; offset and length in bytes, time in us since
// 1970. Source: the schema in its README.
#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kAlibabaLayout[] = "device_id,R|W,offset,length,timestamp_us";

namespace {

constexpr std::uint64_t kNsPerUs = 1000;

class AlibabaParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    if (IsHeader(line, "device_id")) return false;
    const Fields fields(line, ',');
    fields.Expect(5, 5, kAlibabaLayout);
    (void)ParseWhole(fields[0], "device_id", ~std::uint32_t{0});
    record->device = fields[0];
    record->op = ParseReadWrite(fields[1], "opcode");
    record->offset = ParseOffset(fields[2], "offset", 1);
    record->bytes = ParseLength(fields[3], "length", 1);
    record->time_ns = ParseWhole(fields[4], "timestamp", ~std::uint64_t{0} / kNsPerUs) * kNsPerUs;
    return true;
  }
};

}  // namespace

std::unique_ptr<LineParser> MakeAlibabaParser() { return std::make_unique<AlibabaParser>(); }

}  // namespace nvmearb::trace
