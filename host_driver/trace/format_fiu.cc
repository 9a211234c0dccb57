// SPDX-License-Identifier: Apache-2.0
//
// FIU IODedup: blank separated. Time in ns, LBA and size in 512-byte sectors, the device as major
// and minor number, at the end a hash of the data (left out in some copies).
#include <fmt/format.h>

#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kFiuLayout[] = "time_ns pid process lba sectors R|W major minor [md5]";

namespace {

constexpr std::uint64_t kMostDeviceNumber = (1u << 20) - 1;

class FiuParser : public LineParser {
 public:
  bool Parse(std::string_view line, TraceRecord* record) override {
    const Fields fields(line, ' ');
    fields.Expect(8, 9, kFiuLayout);
    record->time_ns = ParseWhole(fields[0], "time", ~std::uint64_t{0});
    (void)ParseWhole(fields[1], "pid", ~std::uint32_t{0});
    record->process = fields[2];
    record->offset = ParseOffset(fields[3], "lba", kSectorBytes);
    record->bytes = ParseLength(fields[4], "sectors", kSectorBytes);
    record->op = ParseReadWrite(fields[5], "operation");
    (void)ParseWhole(fields[6], "major", kMostDeviceNumber);
    (void)ParseWhole(fields[7], "minor", kMostDeviceNumber);
    device_.assign(fields[6]).append(",").append(fields[7]);
    record->device = device_;
    return true;
  }

 private:
  std::string device_;
};

}  // namespace

std::unique_ptr<LineParser> MakeFiuParser() { return std::make_unique<FiuParser>(); }

}  // namespace nvmearb::trace
