// SPDX-License-Identifier: Apache-2.0
//
// MQSim's and DiskSim's ASCII traces: blank separated; time in ns (MQSim's Time_Unit NANOSECOND),
// address and size in 512-byte sectors, type 1 for a read and 0 for a write.
#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kMqsimLayout[] = "time_ns device lba sectors 0|1";

namespace {

class MqsimParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    const Fields fields(line, ' ');
    fields.Expect(5, 5, kMqsimLayout);
    record->time_ns = ParseWhole(fields[0], "time", ~std::uint64_t{0});
    (void)ParseWhole(fields[1], "device", ~std::uint32_t{0});
    record->device = fields[1];
    record->offset = ParseOffset(fields[2], "lba", kSectorBytes);
    record->bytes = ParseLength(fields[3], "sectors", kSectorBytes);
    record->op = ParseOpDigit(fields[4], "type", '1');
    return true;
  }
};

}  // namespace

std::unique_ptr<LineParser> MakeMqsimParser() { return std::make_unique<MqsimParser>(); }

}  // namespace nvmearb::trace
