// SPDX-License-Identifier: Apache-2.0
#include "trace/formats.h"

#include "trace/fields.h"

namespace nvmearb::trace {

const std::vector<TraceFormat>& AllFormats() {
  static const std::vector<TraceFormat>* const formats = new std::vector<TraceFormat>{
      {"fio", "fio iolog, version 2 and 3 (write_iolog)", kFioIologLayout, &MakeFioIologParser},
      {"blkparse", "text of blkparse, default format", kBlkparseLayout, &MakeBlkparseParser},
      {"msr", "MSR Cambridge (SNIA IOTTA 388)", kMsrLayout, &MakeMsrParser},
      {"systor", "SNIA SYSTOR '17 (IOTTA 4964)", kSystorLayout, &MakeSystorParser},
      {"spc", "UMass and other SPC traces", kSpcLayout, &MakeSpcParser},
      {"fiu", "FIU IODedup (IOTTA 391)", kFiuLayout, &MakeFiuParser},
      {"alibaba", "Alibaba block traces 2020", kAlibabaLayout, &MakeAlibabaParser},
      {"tencent", "Tencent CBS (IOTTA 27917)", kTencentLayout, &MakeTencentParser, 1'000'000'000},
      {"mqsim", "MQSim and DiskSim ASCII", kMqsimLayout, &MakeMqsimParser},
  };
  return *formats;
}

const TraceFormat* FindFormat(std::string_view name) {
  for (const TraceFormat& format : AllFormats()) {
    if (name == format.name) return &format;
  }
  return nullptr;
}

bool IsComment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#';
}

const TraceFormat* DetectFormat(const std::vector<std::string>& first_lines) {
  const TraceFormat* best = nullptr;
  std::size_t best_count = 0;
  for (const TraceFormat& format : AllFormats()) {
    const auto parser = format.make();
    parser->Prepare(first_lines);
    std::size_t good = 0;
    std::size_t bad = 0;
    for (const std::string& line : first_lines) {
      if (IsComment(line)) continue;
      try {
        TraceRecord record;
        (void)parser->Parse(line, &record);
        ++good;
      } catch (const BadLine&) {
        ++bad;
      }
    }
    if (good < bad || good <= best_count) continue;
    best = &format;
    best_count = good;
  }
  return best;
}

}  // namespace nvmearb::trace
