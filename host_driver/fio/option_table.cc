// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/option_table.h"

#include "host_driver/fio/option_parsers.h"

namespace nvmearb::host::fio {
namespace {

constexpr std::uint64_t kMaxDepth = 65536;
constexpr std::uint64_t kMaxJobs = 4096;
constexpr std::uint64_t kMax32 = 0xffffffff;
constexpr std::uint64_t kMax64 = ~std::uint64_t{0};

constexpr OptionInfo Value(std::string_view name, std::string_view alias, OptionParser parser) {
  return {name, alias, OptionKind::kValue, OptionStatus::kSupported, parser, "", ""};
}
constexpr OptionInfo Flag(std::string_view name, std::string_view alias, OptionParser parser) {
  return {name, alias, OptionKind::kFlag, OptionStatus::kSupported, parser, "", ""};
}
constexpr OptionInfo Ignored(std::string_view name, std::string_view note,
                             OptionKind kind = OptionKind::kValue, std::string_view alias = "") {
  return {name, alias, kind, OptionStatus::kNoEffect, nullptr, note, ""};
}
constexpr OptionInfo Rejected(std::string_view name, std::string_view note,
                              std::string_view neutral = "", std::string_view alias = "",
                              OptionKind kind = OptionKind::kValue) {
  return {name, alias, kind, OptionStatus::kRejected, nullptr, note, neutral};
}

// Why an option has no effect.
constexpr std::string_view kData = "no data is stored";
constexpr std::string_view kHost = "the real machine takes no part";
constexpr std::string_view kFiles = "jobs address block devices, not files";
constexpr std::string_view kNoLog = "no fio log is written; `nvmearb run --html` plots over time";
constexpr std::string_view kVerifyDetail = "verify is not supported";
constexpr std::string_view kScheduler = "the I/O scheduler is none";
constexpr std::string_view kSyncs =
    "the write cache of the drive is not volatile, a flush finds nothing to do; not counted as "
    "sync";
// Why an option is refused.
constexpr std::string_view kVerify = "no data is stored that could be verified";
constexpr std::string_view kNotModelled = "it would change the result and is not modelled";
constexpr std::string_view kTrace = "use `nvmearb replay FILE`, or [[job]] trace in a scenario";
constexpr std::string_view kZones = "zoned devices are not modelled";
constexpr std::string_view kFileSet = "files of jobs are regions of the disk";

template <auto kField, std::uint64_t kLow, std::uint64_t kHigh>
constexpr OptionParser Count() {
  return &ParseCount<kField, kLow, kHigh>;
}

std::vector<OptionInfo> BuildTable() {
  constexpr OptionKind kFlag = OptionKind::kFlag;
  using Spec = JobSpec;
  return {
      // Job description and files.
      Value("description", "", &ParseText<&Spec::description>),
      Value("name", "", &ParseText<&Spec::name>),
      Value("wait_for", "", &ParseText<&Spec::wait_for>),
      Value("filename", "", &ParseFilename),
      Ignored("lockfile", kFiles),
      Value("directory", "", &ParseText<&Spec::directory>),
      Ignored("filename_format", kFiles),
      Ignored("unique_filename", kFiles),
      Rejected("opendir", kFileSet),
      // I/O type, block size.
      Value("rw", "readwrite", &ParseRw),
      Value("bs", "blocksize", &ParseBs),
      Value("ba", "blockalign", &ParseBlockAlign),
      Value("bsrange", "blocksize_range", &ParseBsRange),
      Value("bssplit", "", &ParseBsSplit),
      Rejected("bs_unaligned", "direct I/O needs whole logical blocks", "0", "blocksize_unaligned",
               kFlag),
      Flag("bs_is_seq_rand", "", &ParseFlag<&Spec::bs_is_seq_rand>),
      Value("randrepeat", "", &ParseFlag<&Spec::randrepeat>),
      Value("randseed", "", Count<&Spec::randseed, 0, kMax64>()),
      Flag("norandommap", "", &ParseFlag<&Spec::norandommap>),
      Ignored("softrandommap", "the random map takes no memory"),
      Rejected("ignore_error", "use continue_on_error", "none"),
      Value("rw_sequencer", "", &ParseSequencer),
      // Engine and depth.
      Value("ioengine", "", &ParseIoEngine),
      Value("iodepth", "", Count<&Spec::iodepth, 1, kMaxDepth>()),
      Value("iodepth_batch", "iodepth_batch_submit", Count<&Spec::batch_submit, 0, kMaxDepth>()),
      Value("iodepth_batch_complete_min", "iodepth_batch_complete",
            Count<&Spec::batch_complete_min, 0, kMaxDepth>()),
      Value("iodepth_batch_complete_max", "", Count<&Spec::batch_complete_max, 0, kMaxDepth>()),
      Value("iodepth_low", "", Count<&Spec::iodepth_low, 0, kMaxDepth>()),
      Rejected("serialize_overlap", kNotModelled, "0"),
      Rejected("io_submit_mode", kNotModelled, "inline"),
      // Region and amount.
      Value("size", "", &ParseSizeField<&Spec::size>),
      Value("io_size", "io_limit", &ParseSizeField<&Spec::io_size>),
      Rejected("fill_device", kNotModelled, "0", "fill_fs"),
      Value("filesize", "", &ParseSizeField<&Spec::filesize>),
      Rejected("file_append", kFileSet, "0"),
      Value("offset", "fileoffset", &ParseSizeField<&Spec::offset>),
      Value("offset_increment", "", &ParseSizeField<&Spec::offset_increment>),
      Rejected("offset_align", kNotModelled, "0"),
      Value("number_ios", "", Count<&Spec::number_ios, 0, kMax64>()),
      Ignored("random_generator", "offsets come from the simulator's own generator"),
      Value("random_distribution", "", &ParseDistribution),
      Value("percentage_random", "", &ParsePercentageRandom),
      Value("allrandrepeat", "", &ParseAllRandRepeat),
      Value("nrfiles", "nr_files", Count<&Spec::nrfiles, 1, 4096>()),
      Value("file_service_type", "", &ParseFileServiceType),
      Ignored("openfiles", kFiles),
      Ignored("fallocate", kFiles),
      Ignored("fadvise_hint", kFiles),
      Value("fsync", "", Count<&Spec::fsync_blocks, 0, kMax32>()),
      Value("fdatasync", "", Count<&Spec::fdatasync_blocks, 0, kMax32>()),
      Ignored("write_barrier", kSyncs),
      Ignored("sync_file_range", kSyncs),
      Value("direct", "", &ParseFlag<&Spec::direct>),
      Rejected("atomic", kNotModelled, "0"),
      Value("buffered", "", &ParseBuffered),
      Ignored("overwrite", kFiles),
      // Time and order.
      Value("loops", "", Count<&Spec::loops, 1, kMax32>()),
      Value("numjobs", "", Count<&Spec::numjobs, 1, kMaxJobs>()),
      Value("startdelay", "start_delay", &ParseStartDelay),
      Value("runtime", "timeout", &ParseTimeField<&Spec::runtime, kSec>),
      Flag("time_based", "", &ParseFlag<&Spec::time_based>),
      Rejected("verify_only", kVerify, "0", "", kFlag),
      Value("ramp_time", "", &ParseTimeField<&Spec::ramp_time, kSec>),
      Ignored("clocksource", "time is simulated"),
      Ignored("mem", kData, OptionKind::kValue, "iomem"),
      // Verification.
      Rejected("verify", kVerify, "0 none null"),
      Ignored("do_verify", kVerifyDetail),
      Ignored("verify_interval", kVerifyDetail),
      Ignored("verify_offset", kVerifyDetail),
      Ignored("verify_pattern", kVerifyDetail),
      Ignored("verify_fatal", kVerifyDetail),
      Ignored("verify_dump", kVerifyDetail),
      Ignored("verify_async", kVerifyDetail),
      Ignored("verify_async_cpus", kVerifyDetail),
      Ignored("verify_backlog", kVerifyDetail),
      Ignored("verify_backlog_batch", kVerifyDetail),
      Ignored("experimental_verify", kVerifyDetail),
      Ignored("verify_state_load", kVerifyDetail),
      Ignored("verify_state_save", kVerifyDetail),
      Rejected("trim_percentage", "use rw=trimwrite", "0"),
      Ignored("trim_verify_zero", kVerifyDetail),
      Ignored("trim_backlog", kVerifyDetail),
      Ignored("trim_backlog_batch", kVerifyDetail),
      // Traces, commands.
      Ignored("write_iolog", "no I/O log is written; use --events"),
      Rejected("read_iolog", kTrace),
      Rejected("read_iolog_chunked", kTrace, "0"),
      Rejected("replay_no_stall", kTrace, "0"),
      Rejected("replay_redirect", kTrace),
      Rejected("replay_scale", kTrace, "1"),
      Rejected("replay_align", kTrace, "0"),
      Rejected("replay_time_scale", kTrace, "100"),
      Rejected("replay_skip", kTrace),
      Rejected("merge_blktrace_file", kTrace),
      Rejected("merge_blktrace_scalars", kTrace),
      Rejected("merge_blktrace_iters", kTrace),
      Ignored("exec_prerun", "no command is run"),
      Ignored("exec_postrun", "no command is run"),
      Ignored("ioscheduler", kScheduler),
      // Zones.
      Rejected("zonemode", kZones, "none"),
      Rejected("zonesize", kZones, "0"),
      Rejected("zonecapacity", kZones, "0"),
      Rejected("zonerange", kZones, "0"),
      Rejected("zoneskip", kZones, "0"),
      Rejected("read_beyond_wp", kZones, "0"),
      Rejected("max_open_zones", kZones, "0"),
      Rejected("job_max_open_zones", kZones, "0"),
      Rejected("ignore_zone_limits", kZones, "0"),
      Rejected("zone_reset_threshold", kZones, "0"),
      Rejected("zone_reset_frequency", kZones, "0"),
      Ignored("lockmem", kHost),
      // Mix, priority, pace.
      Value("rwmixread", "", &ParseRwMixRead),
      Value("rwmixwrite", "", &ParseRwMixWrite),
      Ignored("nice", kHost),
      Value("prio", "", &ParsePrio),
      Value("prioclass", "", &ParsePrioClass),
      Value("thinktime", "", &ParseTimeField<&Spec::thinktime, kUs>),
      Value("thinktime_spin", "", &ParseTimeField<&Spec::thinktime_spin, kUs>),
      Value("thinktime_blocks", "", Count<&Spec::thinktime_blocks, 1, kMax32>()),
      Value("thinktime_blocks_type", "", &ParseThinktimeBlocksType),
      Value("thinktime_iotime", "", &ParseTimeField<&Spec::thinktime_iotime, kUs>),
      Value("rate", "", &ParseRate),
      Value("rate_min", "ratemin", &ParseRateMin),
      Value("rate_process", "", &ParseRateProcess),
      Value("rate_cycle", "ratecycle", Count<&Spec::rate_cycle_ms, 1, 1000000>()),
      Value("rate_ignore_thinktime", "", &ParseFlag<&Spec::rate_ignore_thinktime>),
      Value("rate_iops", "", &ParseRateIops),
      Value("rate_iops_min", "", &ParseRateIopsMin),
      Value("max_latency", "", &ParseMaxLatency),
      Rejected("latency_target", kNotModelled, "0"),
      Rejected("latency_window", kNotModelled, "0"),
      Rejected("latency_percentile", kNotModelled, "100"),
      Rejected("latency_run", kNotModelled, "0"),
      Ignored("invalidate", "there is no page cache"),
      Ignored("sync", kSyncs),
      Ignored("write_hint", kNotModelled),
      Ignored("create_serialize", kFiles),
      Ignored("create_fsync", kFiles),
      Ignored("create_on_open", kFiles),
      Rejected("create_only", kFiles, "0"),
      Ignored("allow_file_create", kFiles),
      Ignored("allow_mounted_write", kFiles),
      Ignored("pre_read", "there is no page cache"),
      // Placement.
      Value("cpumask", "", &ParseCpuMask),
      Value("cpus_allowed", "", &ParseCpusAllowed),
      Value("cpus_allowed_policy", "", &ParseCpusAllowedPolicy),
      Rejected("numa_cpu_nodes", "use cpus_allowed"),
      Ignored("numa_mem_policy", kHost),
      Ignored("end_fsync", kSyncs),
      Ignored("fsync_on_close", kSyncs),
      Ignored("unlink", kFiles),
      Ignored("unlink_each_loop", kFiles),
      // Groups of jobs.
      Flag("exitall", "", &ParseExitAll),
      Value("exit_what", "", &ParseExitWhat),
      Ignored("exitall_on_error", "a failed I/O ends the run", kFlag),
      Flag("stonewall", "wait_for_previous", &ParseFlag<&Spec::stonewall>),
      Flag("new_group", "", &ParseFlag<&Spec::new_group>),
      Flag("thread", "", &ParseFlag<&Spec::thread>),
      // Logs.
      Ignored("per_job_logs", kNoLog),
      Ignored("write_bw_log", kNoLog),
      Value("bwavgtime", "", Count<&Spec::bw_window_ms, 1, 1000000>()),
      Ignored("write_lat_log", kNoLog),
      Ignored("write_iops_log", kNoLog),
      Value("iopsavgtime", "", Count<&Spec::iops_window_ms, 1, 1000000>()),
      Ignored("log_entries", kNoLog),
      Ignored("log_avg_msec", kNoLog),
      Ignored("log_hist_msec", kNoLog),
      Ignored("log_hist_coarseness", kNoLog),
      Ignored("write_hist_log", kNoLog),
      Ignored("log_max_value", kNoLog),
      Ignored("log_offset", kNoLog),
      Ignored("log_prio", kNoLog),
      Ignored("log_compression", kNoLog),
      Ignored("log_compression_cpus", kNoLog),
      Ignored("log_store_compressed", kNoLog),
      Ignored("log_unix_epoch", kNoLog),
      Ignored("log_alternate_epoch", kNoLog),
      Ignored("log_alternate_epoch_clock_id", kNoLog),
      Ignored("block_error_percentiles", kData),
      // Statistics.
      Flag("group_reporting", "", &ParseFlag<&Spec::group_reporting>),
      Value("stats", "", &ParseFlag<&Spec::stats>),
      Ignored("zero_buffers", kData, kFlag),
      Ignored("refill_buffers", kData, kFlag),
      Ignored("scramble_buffers", kData),
      Ignored("buffer_pattern", kData),
      Ignored("buffer_compress_percentage", kData),
      Ignored("buffer_compress_chunk", kData),
      Ignored("dedupe_percentage", kData),
      Ignored("dedupe_mode", kData),
      Ignored("dedupe_working_set_percentage", kData),
      Ignored("dedupe_global", kData),
      Value("clat_percentiles", "", &ParseFlag<&Spec::clat_percentiles>),
      Value("lat_percentiles", "", &ParseFlag<&Spec::lat_percentiles>),
      Value("slat_percentiles", "", &ParseFlag<&Spec::slat_percentiles>),
      Value("percentile_list", "", &ParsePercentileList),
      Ignored("significant_figures", "numbers are printed with four figures"),
      Ignored("disk_util", "the device's own statistics are always there"),
      Value("gtod_reduce", "", &ParseGtodReduce),
      Value("disable_lat", "", &ParseFlag<&Spec::disable_lat>),
      Value("disable_clat", "", &ParseFlag<&Spec::disable_clat>),
      Value("disable_slat", "", &ParseFlag<&Spec::disable_slat>),
      Value("disable_bw_measurement", "disable_bw", &ParseFlag<&Spec::disable_bw>),
      Ignored("gtod_cpu", "time is simulated"),
      Value("unified_rw_reporting", "", &ParseUnifiedRwReporting),
      Value("continue_on_error", "", &ParseContinueOnError),
      Ignored("error_dump", kData),
      Rejected("profile", kNotModelled),
      // Control groups, identity.
      Value("cgroup", "", &ParseCgroup),
      Ignored("cgroup_nodelete", "cgroups live as long as the run"),
      Value("cgroup_weight", "", &ParseCgroupWeight),
      Ignored("uid", kHost),
      Ignored("gid", kHost),
      Value("kb_base", "", &ParseKbBase),
      Value("unit_base", "", &ParseUnitBase),
      Ignored("hugepage-size", kHost),
      Rejected("flow_id", kNotModelled, "0"),
      Rejected("flow", kNotModelled, "0"),
      Rejected("flow_sleep", kNotModelled, "0"),
      Rejected("steadystate", kNotModelled, "", "ss"),
      Rejected("steadystate_duration", kNotModelled, "0", "ss_dur"),
      Rejected("steadystate_ramp_time", kNotModelled, "0", "ss_ramp"),
      // Options of the libaio and io_uring engines.
      Flag("hipri", "", &ParseHipri),
      Ignored("userspace_reap", "reaping has one cost", kFlag),
      Value("cmdprio_percentage", "", &ParseCmdprioPercentage),
      Value("cmdprio_class", "", &ParseCmdprioClass),
      Value("cmdprio", "", &ParseCmdprioLevel),
      Value("cmdprio_bssplit", "", &ParseCmdprioSplit),
      Rejected("nowait", kNotModelled, "0"),
      Ignored("fixedbufs", "submission has one cost", kFlag),
      Ignored("registerfiles", "submission has one cost", kFlag),
      Rejected("sqthread_poll", kNotModelled, "0", "", kFlag),
      Rejected("sqthread_poll_cpu", kNotModelled),
      Ignored("nonvectored", "submission has one cost", kFlag),
      Ignored("uncached", "there is no page cache", kFlag),
      Rejected("force_async", kNotModelled, "0"),
      Rejected("cmd_type", kNotModelled),
  };
}

}  // namespace

const std::vector<OptionInfo>& AllOptions() {
  static const std::vector<OptionInfo>* const kTable = new std::vector<OptionInfo>(BuildTable());
  return *kTable;
}

}  // namespace nvmearb::host::fio
