// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/option_parsers.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {
bool FlagValue(const RawOption& option) {
  return !option.has_value || ParseSize(option, option.value, 1024) != 0;
}

void StoreText(const RawOption& option, std::string* field) { *field = option.value; }

void StoreCount(const RawOption& option, const OptionContext& context, std::uint64_t low,
                std::uint64_t high, std::uint64_t* field) {
  *field = ParseNumber(option, option.value, context.kb_base, low, high);
}

void StoreSize(const RawOption& option, const OptionContext& context, SizeOrPercent* field) {
  *field = ParseSizeOrPercent(option, option.value, context.kb_base);
}

void StoreTime(const RawOption& option, TimePs default_unit, TimePs* field) {
  *field = ParseTime(option, option.value, default_unit);
}

void ParseIoEngine(const RawOption& option, const OptionContext& context) {
  constexpr const char* kHelp =
      "libaio io_uring posixaio (asynchronous), psync sync vsync pvsync pvsync2 (queue depth 1)";
  static constexpr std::string_view kEngines[] = {"libaio", "io_uring", "posixaio", "psync",
                                                  "sync",   "vsync",    "pvsync",   "pvsync2"};
  const std::string value = Trim(option.value);
  if (std::find(std::begin(kEngines), std::end(kEngines), value) == std::end(kEngines)) {
    BadValue(option,
             value == "null" ? "no I/O would reach the device" : "this engine is not supported",
             kHelp);
  }
  context.spec->ioengine = value;
}

void ParseHipri(const RawOption& option, const OptionContext& context) {
  context.spec->hipri = FlagValue(option);
}

void ParseFilename(const RawOption& option, const OptionContext& context) {
  // A list is separated by ':'; a colon that belongs to the name is written "\:".
  context.spec->filenames.clear();
  std::string name;
  for (std::size_t i = 0; i <= option.value.size(); ++i) {
    if (i == option.value.size() || option.value[i] == ':') {
      if (name.empty()) BadValue(option, "an empty file name", "/dev/nvme0n1:/dev/nvme1n1");
      context.spec->filenames.push_back(name);
      name.clear();
      continue;
    }
    if (option.value[i] == '\\' && i + 1 < option.value.size() && option.value[i + 1] == ':') ++i;
    name += option.value[i];
  }
}

void ParseRate(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    return ParseSize(option, text, context.kb_base);
  };
  PerDirection<std::uint64_t>(option, parse, &context.spec->rate_bytes_per_s);
}

void ParseRateIops(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    return ParseSize(option, text, context.kb_base);
  };
  PerDirection<std::uint64_t>(option, parse, &context.spec->rate_iops);
}

void ParseRateProcess(const RawOption& option, const OptionContext& context) {
  if (option.value != "linear" && option.value != "poisson") {
    BadValue(option, "unknown process", "linear or poisson");
  }
  context.spec->rate_poisson = option.value == "poisson";
}

void ParseThinktimeBlocksType(const RawOption& option, const OptionContext& context) {
  if (option.value != "complete" && option.value != "issue") {
    BadValue(option, "unknown type", "complete or issue");
  }
  context.spec->thinktime_at_issue = option.value == "issue";
}

void ParseContinueOnError(const RawOption& option, const OptionContext& context) {
  // Which I/Os: here all that fail are reads, writes or trims.
  static constexpr std::string_view kOn[] = {"read", "write", "io", "all", "1"};
  static constexpr std::string_view kOff[] = {"none", "verify", "0"};
  const bool on = std::find(std::begin(kOn), std::end(kOn), option.value) != std::end(kOn);
  if (!on && std::find(std::begin(kOff), std::end(kOff), option.value) == std::end(kOff)) {
    BadValue(option, "unknown kind of error", "none read write io verify all");
  }
  context.spec->continue_on_error = on;
}

void ParseStartDelay(const RawOption& option, const OptionContext& context) {
  const std::vector<std::string> ends = Split(option.value, '-');
  if (ends.size() > 2) BadValue(option, "not a time or a range", "5 or 1-5");
  JobSpec& spec = *context.spec;
  spec.start_delay = ParseTime(option, ends.front(), kSec);
  spec.start_delay_high = ParseTime(option, ends.back(), kSec);
  if (spec.start_delay_high < spec.start_delay) std::swap(spec.start_delay, spec.start_delay_high);
}

void ParseExitWhat(const RawOption& option, const OptionContext& context) {
  ExitAll what = ExitAll::kGroup;
  if (option.value == "stonewall") {
    what = ExitAll::kStonewall;
  } else if (option.value == "all") {
    what = ExitAll::kAll;
  } else if (option.value != "group") {
    BadValue(option, "unknown value", "group stonewall all");
  }
  context.spec->exit_what = what;
}

void ParseExitAll(const RawOption& option, const OptionContext& context) {
  context.spec->exitall = FlagValue(option);
}

void ParseCpusAllowed(const RawOption& option, const OptionContext& context) {
  context.spec->cpus_allowed = ParseCpuList(option, option.value);
}

void ParseCpuMask(const RawOption& option, const OptionContext& context) {
  const std::uint64_t mask = ParseSize(option, option.value, 1024);
  if (mask == 0) BadValue(option, "no CPU is left", "a bit mask such as 0xf");
  context.spec->cpus_allowed.clear();
  for (std::uint16_t cpu = 0; cpu < 64; ++cpu) {
    if ((mask >> cpu) & 1) context.spec->cpus_allowed.push_back(cpu);
  }
}

void ParseCpusAllowedPolicy(const RawOption& option, const OptionContext& context) {
  if (option.value != "shared" && option.value != "split") {
    BadValue(option, "unknown policy", "shared or split");
  }
  context.spec->cpus_allowed_split = option.value == "split";
}

void ParsePrio(const RawOption& option, const OptionContext& context) {
  context.spec->ioprio_level =
      static_cast<std::uint8_t>(ParseNumber(option, option.value, context.kb_base, 0, 7));
  // A level without a class means best effort.
  if (context.spec->ioprio_class == IoprioClass::kNone) {
    context.spec->ioprio_class = IoprioClass::kBestEffort;
  }
}

void ParsePrioClass(const RawOption& option, const OptionContext& context) {
  JobSpec& spec = *context.spec;
  const bool had_level = spec.ioprio_class != IoprioClass::kNone;
  spec.ioprio_class =
      static_cast<IoprioClass>(ParseNumber(option, option.value, context.kb_base, 0, 3));
  if (!had_level) spec.ioprio_level = 0;  // fio's default level
}

void ParseCgroup(const RawOption& option, const OptionContext& context) {
  if (Trim(option.value).empty()) BadValue(option, "no name", "a path below the cgroup root");
  context.spec->cgroup = Trim(option.value);
}

void ParseCgroupWeight(const RawOption& option, const OptionContext& context) {
  context.spec->cgroup_weight =
      static_cast<std::uint32_t>(ParseNumber(option, option.value, context.kb_base, 1, 1000));
}

void ParsePercentileList(const RawOption& option, const OptionContext& context) {
  constexpr std::size_t kMaxCount = 20;  // FIO_IO_U_LIST_MAX_LEN
  std::vector<double> percentiles;
  for (const std::string& part : Split(option.value, ':')) {
    const double percent = ParseDecimal(option, part);
    if (percent <= 0 || percent > 100) {
      BadValue(option, fmt::format("{} is out of range", part), "above 0, at most 100");
    }
    percentiles.push_back(percent);
  }
  if (percentiles.size() > kMaxCount) BadValue(option, "too many percentiles", "at most 20");
  std::sort(percentiles.begin(), percentiles.end());
  percentiles.erase(std::unique(percentiles.begin(), percentiles.end()), percentiles.end());
  context.spec->percentiles = percentiles;
}

void ParseGtodReduce(const RawOption& option, const OptionContext& context) {
  if (!ParseBool(option, option.value)) return;
  JobSpec& spec = *context.spec;
  spec.disable_lat = spec.disable_clat = spec.disable_slat = spec.disable_bw = true;
}

void ParseAllRandRepeat(const RawOption& option, const OptionContext& context) {
  context.spec->randrepeat = context.spec->randrepeat || ParseBool(option, option.value);
}

void ParseBuffered(const RawOption& option, const OptionContext& context) {
  context.spec->direct = !ParseBool(option, option.value);
}

void ParseKbBase(const RawOption& option, const OptionContext& context) {
  const std::uint64_t base = ParseSize(option, option.value, 1024);
  if (base != 1000 && base != 1024) BadValue(option, "unknown base", "1024 or 1000");
  context.spec->kb_base = static_cast<std::uint32_t>(base);
}

void ParseUnitBase(const RawOption& option, const OptionContext& context) {
  const std::uint64_t base = ParseSize(option, option.value, 1024);
  if (base != 0 && base != 1 && base != 8) BadValue(option, "unknown base", "0, 1 or 8");
  context.spec->unit_base = static_cast<std::uint32_t>(base);
}

}  // namespace nvmearb::host::fio
