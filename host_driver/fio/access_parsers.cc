// SPDX-License-Identifier: Apache-2.0
//
// random_distribution, percentage_random, and the cmdprio options of libaio and io_uring.
#include <fmt/format.h>

#include <utility>

#include "host_driver/fio/option_parsers.h"
#include "host_driver/fio/units.h"

namespace nvmearb::host::fio {
namespace {

constexpr const char* kDistributionHelp =
    "random zipf:1.2 pareto:0.2 normal:10 zoned:60/10:30/20:10/70 zoned_abs:95/50g:5/100g";

/// Gives what 100 percent leave over to the entries that name none, in equal parts; throws when
/// there is too much, or too little and nobody to take it.
void SharePercents(const RawOption& option, const char* what, std::vector<AccessZone>* zones,
                   std::uint32_t AccessZone::*percent, const std::vector<bool>& is_named) {
  std::uint32_t sum = 0;
  std::uint32_t unnamed = 0;
  for (std::size_t i = 0; i < zones->size(); ++i) {
    sum += (*zones)[i].*percent;
    unnamed += is_named[i] ? 0 : 1;
  }
  if (sum > 100 || (sum < 100 && unnamed == 0)) {
    BadValue(option, fmt::format("the zones take {} % of the {}", sum, what), "100 % in all");
  }
  const std::uint32_t rest = 100 - sum;
  std::uint32_t turn = 0;
  for (std::size_t i = 0; i < zones->size(); ++i) {
    if (is_named[i]) continue;
    (*zones)[i].*percent = rest / unnamed + (turn < rest % unnamed ? 1 : 0);
    ++turn;
  }
}

/// zoned and zoned_abs of one direction: access percent / size, between colons. A percentage may be
/// left out.
DistributionSpec ParseZones(const RawOption& option, const std::string& text, bool absolute,
                            unsigned kb_base) {
  DistributionSpec spec;
  spec.kind = absolute ? DistributionKind::kZonedAbs : DistributionKind::kZoned;
  std::vector<bool> has_access;
  std::vector<bool> has_size;
  for (const std::string& entry : Split(text, ':')) {
    const std::vector<std::string> halves = Split(entry, '/');
    if (halves.size() != 2) {
      BadValue(option, fmt::format("'{}' is no zone", entry), kDistributionHelp);
    }
    AccessZone zone;
    const auto percent = [&](const std::string& part) {
      return part.empty() ? 0 : static_cast<std::uint32_t>(ParseNumber(option, part, 1024, 0, 100));
    };
    zone.access_percent = percent(halves[0]);
    if (absolute) {
      zone.size_bytes = ParseSize(option, halves[1], kb_base);
    } else {
      zone.size_percent = percent(halves[1]);
    }
    has_access.push_back(!halves[0].empty());
    has_size.push_back(!halves[1].empty());
    spec.zones.push_back(zone);
  }
  SharePercents(option, "I/Os", &spec.zones, &AccessZone::access_percent, has_access);
  if (!absolute) {
    SharePercents(option, "region", &spec.zones, &AccessZone::size_percent, has_size);
  }
  return spec;
}

/// The numbers behind zipf, pareto and normal, and where the middle is.
DistributionSpec ParseCurve(const RawOption& option, DistributionKind kind, double standard,
                            const std::vector<std::string>& parts) {
  DistributionSpec spec;
  spec.kind = kind;
  spec.parameter =
      parts.size() > 1 && !parts[1].empty() ? ParseDecimal(option, parts[1]) : standard;
  if (parts.size() > 3) BadValue(option, "too many parts", kDistributionHelp);
  if (parts.size() == 3) {
    spec.center = ParseDecimal(option, parts[2]);
    if (spec.center < 0 || spec.center > 1) {
      BadValue(option, fmt::format("center {} is out of range", parts[2]), "from 0 to 1");
    }
  }
  const double value = spec.parameter;
  const bool good = kind == DistributionKind::kZipf     ? value > 0 && value != 1
                    : kind == DistributionKind::kPareto ? value > 0 && value < 1
                                                        : value > 0 && value <= 100;
  if (!good) {
    BadValue(option, fmt::format("parameter {} is out of range", parts.size() > 1 ? parts[1] : ""),
             kind == DistributionKind::kZipf     ? "zipf: above 0 and not 1"
             : kind == DistributionKind::kPareto ? "pareto: above 0 and below 1"
                                                 : "normal: above 0, at most 100 (percent)");
  }
  return spec;
}

constexpr double kZipfTheta = 1.1;
constexpr double kParetoH = 0.2;

}  // namespace

bool ParseFileDistribution(const RawOption& option, const std::vector<std::string>& parts,
                           DistributionSpec* spec) {
  const std::string& name = parts[0];
  if (parts.size() > 2) return false;
  if (name == "zipf") {
    *spec = ParseCurve(option, DistributionKind::kZipf, kZipfTheta, parts);
  } else if (name == "pareto") {
    *spec = ParseCurve(option, DistributionKind::kPareto, kParetoH, parts);
  } else if ((name == "normal" || name == "gauss") && parts.size() == 1) {
    spec->kind = DistributionKind::kNormal;
  } else if (name == "normal" || name == "gauss") {
    *spec = ParseCurve(option, DistributionKind::kNormal, 0, parts);
  } else {
    return false;
  }
  return true;
}

void ParseDistribution(const RawOption& option, const OptionContext& context) {
  const std::vector<std::string> parts = Split(option.value, ':');
  std::array<DistributionSpec, kDirCount>& all = context.spec->distribution;
  const std::string& name = parts[0];
  if (name == "zoned" || name == "zoned_abs") {
    RawOption zones = option;
    zones.value = option.value.size() > name.size() ? option.value.substr(name.size() + 1) : "";
    if (zones.value.empty()) BadValue(option, "no zones", kDistributionHelp);
    const auto parse = [&](const std::string& text) {
      return ParseZones(option, text, name == "zoned_abs", context.kb_base);
    };
    PerDirection<DistributionSpec>(zones, parse, &all);
  } else if (name == "zipf") {
    all.fill(ParseCurve(option, DistributionKind::kZipf, kZipfTheta, parts));
  } else if (name == "pareto") {
    all.fill(ParseCurve(option, DistributionKind::kPareto, kParetoH, parts));
  } else if (name == "normal" || name == "gauss") {
    if (parts.size() < 2) BadValue(option, "no deviation", kDistributionHelp);
    all.fill(ParseCurve(option, DistributionKind::kNormal, 0, parts));
  } else if (option.value == "random") {
    all.fill(DistributionSpec());
  } else {
    BadValue(option, "unknown distribution", kDistributionHelp);
  }
}

void ParsePercentageRandom(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    return static_cast<std::uint32_t>(ParseNumber(option, text, 1024, 0, 100));
  };
  PerDirection<std::uint32_t>(option, parse, &context.spec->random_percent);
}

void ParseCmdprioPercentage(const RawOption& option, const OptionContext& context) {
  const auto parse = [&](const std::string& text) {
    std::vector<PriorityShare> shares(1);
    shares[0].percent = static_cast<std::uint32_t>(ParseNumber(option, text, 1024, 0, 100));
    return shares;
  };
  PerDirection<std::vector<PriorityShare>>(option, parse, &context.spec->cmdprio);
}

void ParseCmdprioClass(const RawOption& option, const OptionContext& context) {
  std::array<std::uint64_t, kDirCount> classes{};
  for (std::size_t d = 0; d < kDirCount; ++d) {
    classes[d] = static_cast<std::uint64_t>(context.spec->cmdprio_default[d].io_class);
  }
  const auto parse = [&](const std::string& text) { return ParseNumber(option, text, 1024, 1, 3); };
  PerDirection<std::uint64_t>(option, parse, &classes);
  for (std::size_t d = 0; d < kDirCount; ++d) {
    context.spec->cmdprio_default[d].io_class = static_cast<IoprioClass>(classes[d]);
  }
}

void ParseCmdprioLevel(const RawOption& option, const OptionContext& context) {
  std::array<std::uint64_t, kDirCount> levels{};
  for (std::size_t d = 0; d < kDirCount; ++d) levels[d] = context.spec->cmdprio_default[d].level;
  const auto parse = [&](const std::string& text) { return ParseNumber(option, text, 1024, 0, 7); };
  PerDirection<std::uint64_t>(option, parse, &levels);
  for (std::size_t d = 0; d < kDirCount; ++d) {
    context.spec->cmdprio_default[d].level = static_cast<std::uint8_t>(levels[d]);
  }
}

void ParseCmdprioSplit(const RawOption& option, const OptionContext& context) {
  constexpr const char* kHelp = "bs/percent:bs/percent or bs/percent/class/level:...";
  const auto parse = [&](const std::string& text) {
    std::vector<PriorityShare> shares;
    for (const std::string& entry : Split(text, ':')) {
      const std::vector<std::string> parts = Split(entry, '/');
      if (parts.size() != 2 && parts.size() != 4) {
        BadValue(option, fmt::format("'{}' has {} parts", entry, parts.size()), kHelp);
      }
      PriorityShare share;
      share.bytes = static_cast<std::uint32_t>(
          ParseNumber(option, parts[0], context.kb_base, 512, std::uint64_t{1} << 30));
      share.percent = static_cast<std::uint32_t>(ParseNumber(option, parts[1], 1024, 0, 100));
      if (parts.size() == 4) {
        share.has_own = true;
        share.priority.io_class =
            static_cast<IoprioClass>(ParseNumber(option, parts[2], 1024, 1, 3));
        share.priority.level = static_cast<std::uint8_t>(ParseNumber(option, parts[3], 1024, 0, 7));
      }
      shares.push_back(share);
    }
    return shares;
  };
  PerDirection<std::vector<PriorityShare>>(option, parse, &context.spec->cmdprio);
}

}  // namespace nvmearb::host::fio
