// SPDX-License-Identifier: Apache-2.0
//
// Parsers of the supported options, one function per option or family; see option_table.cc for
// which key uses which.
#ifndef NVMEARB_HOST_DRIVER_FIO_OPTION_PARSERS_H_
#define NVMEARB_HOST_DRIVER_FIO_OPTION_PARSERS_H_

#include <array>

#include "host_driver/fio/option_table.h"
#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {

/// Applies `parse(text)` to the comma separated parts of the value: the first counts for all
/// directions, the second for writes and trims, the third for trims. Empty parts change nothing.
template <typename Value, typename Parse>
void PerDirection(const RawOption& option, Parse parse, std::array<Value, kDirCount>* values) {
  const std::vector<std::string> parts = Split(option.value, ',');
  if (parts.size() > kDirCount) BadValue(option, "too many parts", "read,write,trim");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const Value value = parse(parts[i]);
    for (std::size_t d = i; d < kDirCount; ++d) (*values)[d] = value;
  }
}

// I/O type: rw, block sizes.
void ParseRw(const RawOption& option, const OptionContext& context);
void ParseBs(const RawOption& option, const OptionContext& context);
void ParseBsRange(const RawOption& option, const OptionContext& context);
void ParseBsSplit(const RawOption& option, const OptionContext& context);
void ParseSequencer(const RawOption& option, const OptionContext& context);
void ParseBlockAlign(const RawOption& option, const OptionContext& context);
void ParseRwMixRead(const RawOption& option, const OptionContext& context);
void ParseRwMixWrite(const RawOption& option, const OptionContext& context);

// Places and priorities: access_parsers.cc.
void ParseDistribution(const RawOption& option, const OptionContext& context);
/// zipf, pareto and normal of file_service_type; false for anything else.
bool ParseFileDistribution(const RawOption& option, const std::vector<std::string>& parts,
                           DistributionSpec* spec);
void ParsePercentageRandom(const RawOption& option, const OptionContext& context);
void ParseCmdprioPercentage(const RawOption& option, const OptionContext& context);
void ParseCmdprioClass(const RawOption& option, const OptionContext& context);
void ParseCmdprioLevel(const RawOption& option, const OptionContext& context);
void ParseCmdprioSplit(const RawOption& option, const OptionContext& context);

// Pace, engine, placement, statistics.
void ParseIoEngine(const RawOption& option, const OptionContext& context);
void ParseHipri(const RawOption& option, const OptionContext& context);
void ParseFilename(const RawOption& option, const OptionContext& context);
void ParseRate(const RawOption& option, const OptionContext& context);
void ParseRateIops(const RawOption& option, const OptionContext& context);
void ParseRateProcess(const RawOption& option, const OptionContext& context);
void ParseThinktimeBlocksType(const RawOption& option, const OptionContext& context);
void ParseContinueOnError(const RawOption& option, const OptionContext& context);
void ParseFileServiceType(const RawOption& option, const OptionContext& context);
void ParseMaxLatency(const RawOption& option, const OptionContext& context);
void ParseRateMin(const RawOption& option, const OptionContext& context);
void ParseRateIopsMin(const RawOption& option, const OptionContext& context);
void ParseUnifiedRwReporting(const RawOption& option, const OptionContext& context);
void ParseStartDelay(const RawOption& option, const OptionContext& context);
void ParseExitWhat(const RawOption& option, const OptionContext& context);
void ParseExitAll(const RawOption& option, const OptionContext& context);
void ParseCpusAllowed(const RawOption& option, const OptionContext& context);
void ParseCpuMask(const RawOption& option, const OptionContext& context);
void ParseCpusAllowedPolicy(const RawOption& option, const OptionContext& context);
void ParsePrio(const RawOption& option, const OptionContext& context);
void ParsePrioClass(const RawOption& option, const OptionContext& context);
void ParseCgroup(const RawOption& option, const OptionContext& context);
void ParseCgroupWeight(const RawOption& option, const OptionContext& context);
void ParsePercentileList(const RawOption& option, const OptionContext& context);
void ParseGtodReduce(const RawOption& option, const OptionContext& context);
void ParseAllRandRepeat(const RawOption& option, const OptionContext& context);
void ParseBuffered(const RawOption& option, const OptionContext& context);
void ParseKbBase(const RawOption& option, const OptionContext& context);
void ParseUnitBase(const RawOption& option, const OptionContext& context);

/// On unless the value is 0.
[[nodiscard]] bool FlagValue(const RawOption& option);

// Options that are one field of JobSpec.
template <bool JobSpec::*kField>
void ParseFlag(const RawOption& option, const OptionContext& context) {
  context.spec->*kField = FlagValue(option);
}
void StoreText(const RawOption& option, std::string* field);
template <std::string JobSpec::*kField>
void ParseText(const RawOption& option, const OptionContext& context) {
  StoreText(option, &(context.spec->*kField));
}
void StoreCount(const RawOption& option, const OptionContext& context, std::uint64_t low,
                std::uint64_t high, std::uint64_t* field);
template <auto kField, std::uint64_t kLow, std::uint64_t kHigh>
void ParseCount(const RawOption& option, const OptionContext& context) {
  std::uint64_t value = 0;
  StoreCount(option, context, kLow, kHigh, &value);
  using Field = std::remove_reference_t<decltype(context.spec->*kField)>;
  context.spec->*kField = static_cast<Field>(value);
}
void StoreSize(const RawOption& option, const OptionContext& context, SizeOrPercent* field);
template <SizeOrPercent JobSpec::*kField>
void ParseSizeField(const RawOption& option, const OptionContext& context) {
  StoreSize(option, context, &(context.spec->*kField));
}
void StoreTime(const RawOption& option, TimePs default_unit, TimePs* field);
template <TimePs JobSpec::*kField, TimePs kUnit>
void ParseTimeField(const RawOption& option, const OptionContext& context) {
  StoreTime(option, kUnit, &(context.spec->*kField));
}

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OPTION_PARSERS_H_
