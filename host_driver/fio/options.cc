// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/option_table.h"
#include "host_driver/fio/units.h"
#include "host_driver/fio/variables.h"

namespace nvmearb::host::fio {
namespace {

class Resolver {
 public:
  Resolver(const ParseContext& context, std::vector<std::string>* warnings)
      : context_(context), warnings_(warnings) {}

  JobSpec Resolve(const RawSection& section) {
    JobSpec spec;
    spec.name = section.name;
    spec.where = section.where;
    spec.job_options = ToOptionStrings(section.own);
    const std::vector<RawOption> globals = Expand(section.globals);
    const std::vector<RawOption> own = Expand(section.own);
    OptionContext context;
    context.spec = &spec;
    context.warnings = &found_;
    for (const auto* options : {&globals, &own}) {
      for (const RawOption& option : *options) {
        if (option.key == "kb_base") Apply(option, context);
      }
    }
    context.kb_base = spec.kb_base;
    WarnOfDuplicates(globals, "[global]");
    WarnOfDuplicates(own, fmt::format("[{}]", section.name));
    for (const auto* options : {&globals, &own}) {
      for (const RawOption& option : *options) Apply(option, context);
    }
    if (section.after_file) spec.stonewall = true;
    Settle(&spec);
    TakeWarnings();
    return spec;
  }

 private:
  std::vector<RawOption> Expand(const std::vector<RawOption>& options) {
    std::vector<RawOption> expanded = options;
    for (RawOption& option : expanded) option.value = ExpandKeywords(option, context_);
    return expanded;
  }

  void Apply(const RawOption& option, const OptionContext& context) {
    const OptionInfo* info = FindOption(option.key);
    if (info == nullptr) {
      const std::string nearest = NearestOption(option.key);
      throw UserError(option.where, fmt::format("unknown option '{}'", option.key),
                      nearest.empty() ? "fio 3.33 has no such option"
                                      : fmt::format("did you mean '{}'?", nearest));
    }
    if (info->kind == OptionKind::kValue && (!option.has_value || option.value.empty())) {
      throw UserError(option.where, fmt::format("option '{}' has no value", option.key),
                      fmt::format("write {}=...", option.key));
    }
    switch (info->status) {
      case OptionStatus::kSupported:
        info->parser(option, context);
        break;
      case OptionStatus::kNoEffect:
        Warn(fmt::format("{}: '{}' has no effect: {}", option.where, option.key, info->note));
        break;
      case OptionStatus::kRejected:
        if (!IsNeutral(option, *info)) {
          BadValue(option, "not supported", std::string(info->note));
        }
        break;
    }
  }

  static bool IsNeutral(const RawOption& option, const OptionInfo& info) {
    if (!option.has_value || info.neutral.empty()) return false;
    const std::vector<std::string> neutral = Split(info.neutral, ' ');
    return std::find(neutral.begin(), neutral.end(), Trim(option.value)) != neutral.end();
  }

  void WarnOfDuplicates(const std::vector<RawOption>& options, const std::string& section) {
    std::map<std::string_view, const RawOption*> seen;
    for (const RawOption& option : options) {
      const OptionInfo* info = FindOption(option.key);
      if (info == nullptr) continue;
      const auto [entry, is_new] = seen.emplace(info->name, &option);
      if (is_new) continue;
      Warn(fmt::format("{}: '{}' is given again in {} (first at {}); the later one counts",
                       option.where, option.key, section, entry->second->where));
      entry->second = &option;
    }
  }

  // Rules between options; fio's are in fixup_options() of init.c.
  void Settle(JobSpec* spec) {
    const std::string place = fmt::format("{}: job '{}'", spec->where, spec->name);
    if (spec->time_based && spec->runtime == 0) {
      throw UserError(place, "time_based without runtime", "add runtime=");
    }
    const auto any = [](const std::array<std::uint64_t, kDirCount>& rates) {
      return rates[kDirRead] + rates[kDirWrite] + rates[kDirTrim] != 0;
    };
    if (any(spec->rate_bytes_per_s) && any(spec->rate_iops)) {
      throw UserError(place, "rate and rate_iops together", "give one of them");
    }
    if (spec->hipri && spec->ioengine != "io_uring" && spec->ioengine != "pvsync2") {
      throw UserError(place, fmt::format("hipri with ioengine={}", spec->ioengine),
                      "hipri needs io_uring or pvsync2");
    }
    const bool asynchronous =
        spec->ioengine == "libaio" || spec->ioengine == "io_uring" || spec->ioengine == "posixaio";
    if (!asynchronous && spec->iodepth > 1) {
      Warn(fmt::format("{}: iodepth={} with the synchronous engine {}: the depth is 1, as in fio",
                       place, spec->iodepth, spec->ioengine));
      spec->iodepth = 1;
    }
    if (spec->HasCmdprio() && spec->ioengine != "libaio" && spec->ioengine != "io_uring") {
      throw UserError(place, fmt::format("cmdprio options with ioengine={}", spec->ioengine),
                      "they need libaio or io_uring");
    }
    if (!spec->direct) {
      Warn(fmt::format("{}: direct=0: there is no page cache, I/O goes to the device", place));
    }
    if (spec->cgroup_weight != 0 && spec->cgroup.empty()) {
      throw UserError(place, "cgroup_weight without cgroup",
                      "name the cgroup that gets the weight");
    }
    SettleFiles(spec);
    SettleDepth(spec);
    // What is not measured has no percentiles.
    spec->lat_percentiles = spec->lat_percentiles && !spec->disable_lat;
    spec->clat_percentiles = spec->clat_percentiles && !spec->disable_clat;
    spec->slat_percentiles = spec->slat_percentiles && !spec->disable_slat;
    spec->thinktime_spin = std::min(spec->thinktime_spin, spec->thinktime);
  }

  // Names as fio gives them; clones share the files of the first.
  static void SettleFiles(JobSpec* spec) {
    if (spec->filesize.IsSet() && !spec->size.IsSet()) {
      spec->size = spec->filesize;
      spec->size.bytes *= spec->filenames.empty() ? spec->nrfiles : spec->filenames.size();
    }
    if (spec->filenames.empty() && (!spec->directory.empty() || spec->nrfiles > 1)) {
      for (std::uint32_t i = 0; i < spec->nrfiles; ++i) {
        spec->filenames.push_back(fmt::format("{}.0.{}", spec->name, i));
      }
    }
    if (spec->directory.empty()) return;
    for (std::string& name : spec->filenames) {
      if (name[0] != '/') name.insert(0, spec->directory + "/");
    }
  }

  static void SettleDepth(JobSpec* spec) {
    const std::uint32_t depth = spec->iodepth;
    if (spec->iodepth_low == 0 || spec->iodepth_low > depth) spec->iodepth_low = depth;
    if (spec->batch_submit == 0 || spec->batch_submit > depth) spec->batch_submit = depth;
    spec->batch_complete_min = std::min(spec->batch_complete_min, depth);
    spec->batch_complete_max =
        std::max({spec->batch_complete_max, spec->batch_complete_min, std::uint32_t{1}});
  }

  void Warn(const std::string& line) { found_.push_back(line); }

  void TakeWarnings() {
    for (const std::string& line : found_) {
      if (std::find(warnings_->begin(), warnings_->end(), line) == warnings_->end()) {
        warnings_->push_back(line);
      }
    }
    found_.clear();
  }

  const ParseContext& context_;
  std::vector<std::string>* warnings_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<JobSpec> ResolveSections(const std::vector<RawSection>& sections,
                                     const ParseContext& context,
                                     std::vector<std::string>* warnings) {
  Resolver resolver(context, warnings);
  std::vector<JobSpec> jobs;
  jobs.reserve(sections.size());
  for (const RawSection& section : sections) jobs.push_back(resolver.Resolve(section));
  return jobs;
}

OptionStrings ToOptionStrings(const std::vector<RawOption>& options) {
  OptionStrings strings;
  for (const RawOption& option : options) {
    if (!option.has_value) continue;
    const OptionInfo* info = FindOption(option.key);
    const std::string name(info == nullptr ? option.key : info->name);
    const auto same = [&](const auto& entry) { return entry.first == name; };
    const auto found = std::find_if(strings.begin(), strings.end(), same);
    if (found == strings.end()) {
      strings.emplace_back(name, option.value);
    } else {
      found->second = option.value;
    }
  }
  return strings;
}

void CheckReadonly(const std::vector<JobSpec>& jobs) {
  for (const JobSpec& job : jobs) {
    if (!job.writes && !job.trims) continue;
    throw UserError(fmt::format("{}: job '{}'", job.where, job.name), "writes under --readonly",
                    "drop --readonly or use rw=read or rw=randread");
  }
}

}  // namespace nvmearb::host::fio
