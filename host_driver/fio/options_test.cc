// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "host_driver/base/user_error.h"
#include "host_driver/fio/job_file.h"
#include "host_driver/fio/option_table.h"

namespace nvmearb::host::fio {
namespace {

FioInput Parse(const std::string& lines) {
  return ParseJobText("[a]\nioengine=libaio\ndirect=1\n" + lines, "job.fio", ParseContext());
}

JobSpec ParseJob(const std::string& lines) { return Parse(lines).jobs[0]; }

std::string ErrorOf(const std::string& lines) {
  try {
    (void)Parse(lines);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

void ExpectError(const std::string& lines, const std::string& part) {
  EXPECT_NE(ErrorOf(lines).find(part), std::string::npos) << lines << " -> " << ErrorOf(lines);
}

TEST(FioOptions, RwSetsDirectionAndOrder) {
  struct Case {
    const char* rw;
    bool reads, writes, trims, random;
  };
  for (const Case& c :
       {Case{"read", true, false, false, false}, Case{"write", false, true, false, false},
        Case{"randread", true, false, false, true}, Case{"randwrite", false, true, false, true},
        Case{"rw", true, true, false, false}, Case{"readwrite", true, true, false, false},
        Case{"randrw", true, true, false, true}, Case{"trim", false, false, true, false},
        Case{"randtrim", false, false, true, true}, Case{"trimwrite", false, true, true, false},
        Case{"randtrimwrite", false, true, true, true}}) {
    const JobSpec job = ParseJob(std::string("rw=") + c.rw + "\n");
    EXPECT_EQ(job.reads, c.reads) << c.rw;
    EXPECT_EQ(job.writes, c.writes) << c.rw;
    EXPECT_EQ(job.trims, c.trims) << c.rw;
    EXPECT_EQ(job.random, c.random) << c.rw;
  }
  ExpectError("rw=foo\n", "job.fio:4: rw=foo: unknown pattern; read write trim randread");
}

TEST(FioOptions, SequencesBehindRw) {
  EXPECT_EQ(ParseJob("rw=randread:8\n").sequence_count, 8u);
  EXPECT_EQ(ParseJob("rw=read:4k\n").sequence_add, 4096);
  EXPECT_EQ(ParseJob("rw=write:-8k\n").sequence_add, -8192);
  EXPECT_EQ(ParseJob("rw=randread:8\nrw=randread\n").sequence_count, 1u);
  EXPECT_TRUE(ParseJob("rw=randread:8\nrw_sequencer=identical\n").sequence_identical);
  ExpectError("rw=randread:0\n", "0 is out of range; 1 to");
  ExpectError("rw=read:100\n", "100 is not a multiple of 512");
  ExpectError("rw_sequencer=other\n", "sequential or identical");
}

TEST(FioOptions, RandomDistributions) {
  const DistributionSpec zipf = ParseJob("random_distribution=zipf:1.2\n").distribution[kDirWrite];
  EXPECT_EQ(zipf.kind, DistributionKind::kZipf);
  EXPECT_EQ(zipf.parameter, 1.2);
  EXPECT_LT(zipf.center, 0);
  EXPECT_EQ(ParseJob("random_distribution=zipf\n").distribution[0].parameter, 1.1);
  EXPECT_EQ(ParseJob("random_distribution=pareto\n").distribution[0].parameter, 0.2);
  EXPECT_EQ(ParseJob("random_distribution=zipf:1.2:0.25\n").distribution[0].center, 0.25);
  EXPECT_EQ(ParseJob("random_distribution=normal:10\n").distribution[0].parameter, 10);
  const JobSpec zoned = ParseJob("random_distribution=zoned:60/10:40/90,100/100\n");
  EXPECT_EQ(zoned.distribution[kDirRead].zones.size(), 2u);
  EXPECT_EQ(zoned.distribution[kDirRead].zones[1].size_percent, 90u);
  EXPECT_EQ(zoned.distribution[kDirWrite].zones.size(), 1u);
  const JobSpec rest = ParseJob("random_distribution=zoned:50/5:30/15:20/\n");
  EXPECT_EQ(rest.distribution[kDirRead].zones[2].size_percent, 80u);
  const JobSpec absolute = ParseJob("random_distribution=zoned_abs:95/50g:5/100g\n");
  EXPECT_EQ(absolute.distribution[kDirRead].zones[0].size_bytes, std::uint64_t{50} << 30);
  ExpectError("random_distribution=zipf:1\n", "zipf: above 0 and not 1");
  ExpectError("random_distribution=pareto:1.5\n", "pareto: above 0 and below 1");
  ExpectError("random_distribution=normal\n", "no deviation");
  ExpectError("random_distribution=zoned:50/50\n", "the zones take 50 % of the I/Os");
  ExpectError("random_distribution=zoned:100/50\n", "the zones take 50 % of the region");
  ExpectError("random_distribution=poisson\n", "unknown distribution");
  EXPECT_EQ(ParseJob("percentage_random=50,0\n").random_percent[kDirWrite], 0u);
  EXPECT_EQ(ParseJob("ba=8k\n").block_align[kDirRead], 8192u);
}

TEST(FioOptions, PrioritiesPerCommand) {
  const JobSpec job = ParseJob("cmdprio_percentage=25,0\ncmdprio_class=2\ncmdprio=3\n");
  ASSERT_EQ(job.cmdprio[kDirRead].size(), 1u);
  EXPECT_EQ(job.cmdprio[kDirRead][0].percent, 25u);
  EXPECT_EQ(job.cmdprio[kDirWrite][0].percent, 0u);
  EXPECT_EQ(job.cmdprio_default[kDirRead].io_class, IoprioClass::kBestEffort);
  EXPECT_EQ(job.cmdprio_default[kDirRead].level, 3);
  const JobSpec split = ParseJob("cmdprio_bssplit=4k/30:64k/10/3/7\n");
  ASSERT_EQ(split.cmdprio[kDirRead].size(), 2u);
  EXPECT_FALSE(split.cmdprio[kDirRead][0].has_own);
  EXPECT_EQ(split.cmdprio[kDirRead][1].priority.io_class, IoprioClass::kIdle);
  EXPECT_EQ(split.cmdprio[kDirRead][1].bytes, 65536u);
  ExpectError("cmdprio_class=0\ncmdprio_percentage=1\n", "0 is out of range; 1 to 3");
  ExpectError("ioengine=psync\ncmdprio_percentage=10\n", "they need libaio or io_uring");
  ExpectError("cmdprio_bssplit=4k/30/1\n", "'4k/30/1' has 3 parts");
}

TEST(FioOptions, OnlyTheFirstOfSeveralPatternsCounts) {
  const FioInput input = Parse("rw=rw,randwrite\n");
  EXPECT_TRUE(input.jobs[0].IsMixed());
  EXPECT_FALSE(input.jobs[0].random);
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_EQ(input.warnings[0], "job.fio:4: rw=rw,randwrite: only 'rw' counts, as in fio");
}

TEST(FioOptions, BlockSizesPerDirection) {
  EXPECT_EQ(ParseJob("bs=8k\n").block_sizes[kDirWrite].min_bytes, 8192u);
  const JobSpec two = ParseJob("bs=4k,64k,\n");
  EXPECT_EQ(two.block_sizes[kDirRead].min_bytes, 4096u);
  EXPECT_EQ(two.block_sizes[kDirWrite].max_bytes, 65536u);
  const JobSpec second = ParseJob("bs=,8k\n");
  EXPECT_EQ(second.block_sizes[kDirRead].min_bytes, 4096u);
  EXPECT_EQ(second.block_sizes[kDirWrite].min_bytes, 8192u);
  ExpectError("bs=4k-8k\n", "bsrange=4k-64k for a range");
  ExpectError("bs=1000\n", "1000 is not a multiple of 512");
  ExpectError("bs=0\n", "0 is out of range");
  ExpectError("bs=4k,4k,4k,4k\n", "too many parts");
}

TEST(FioOptions, BsRangeSwapsItsEnds) {
  const JobSpec job = ParseJob("bsrange=4k-16k,64k:8k\n");
  EXPECT_EQ(job.block_sizes[kDirRead].min_bytes, 4096u);
  EXPECT_EQ(job.block_sizes[kDirRead].max_bytes, 16384u);
  EXPECT_EQ(job.block_sizes[kDirWrite].min_bytes, 8192u);
  EXPECT_EQ(job.block_sizes[kDirWrite].max_bytes, 65536u);
  ExpectError("bsrange=4k\n", "'4k' is no range");
}

TEST(FioOptions, BsSplitSharesOutWhatIsLeft) {
  const JobSpec job = ParseJob("bssplit=4k/80:16k:64k,8k/50:512/50\n");
  const BlockSizes& read = job.block_sizes[kDirRead];
  ASSERT_EQ(read.split.size(), 3u);
  EXPECT_EQ(read.split[0].percent, 80u);
  EXPECT_EQ(read.split[1].percent, 10u);
  EXPECT_EQ(read.split[2].percent, 10u);
  EXPECT_EQ(read.min_bytes, 4096u);
  EXPECT_EQ(read.max_bytes, 65536u);
  EXPECT_EQ(job.block_sizes[kDirWrite].min_bytes, 512u);
  ExpectError("bssplit=4k/80:8k/30\n", "add up to 110 %");
  ExpectError("bssplit=4k/80/2\n", "is no size/percent");
  const FioInput short_sum = Parse("bssplit=4k/50:8k/40\n");
  EXPECT_EQ(short_sum.jobs[0].block_sizes[kDirRead].split[1].percent, 50u);
  EXPECT_EQ(short_sum.warnings.size(), 1u);
}

TEST(FioOptions, MixIsAPercentageOfReads) {
  EXPECT_EQ(ParseJob("rw=randrw\nrwmixread=70\n").read_percent, 70u);
  EXPECT_EQ(ParseJob("rw=randrw\nrwmixwrite=70\n").read_percent, 30u);
  ExpectError("rwmixread=120\n", "rwmixread=120: 120 is out of range; 0 to 100");
}

TEST(FioOptions, SynchronousEnginesHaveDepthOne) {
  const FioInput input = Parse("ioengine=psync\niodepth=32\n");
  EXPECT_EQ(input.jobs[0].iodepth, 1u);
  const auto is_note = [](const std::string& line) {
    return line.find("the depth is 1, as in fio") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(input.warnings.begin(), input.warnings.end(), is_note));
  ExpectError("ioengine=null\n", "no I/O would reach the device");
  ExpectError("ioengine=rbd\n", "this engine is not supported");
}

TEST(FioOptions, BatchesFollowTheDepth) {
  const JobSpec defaults = ParseJob("iodepth=32\n");
  EXPECT_EQ(defaults.batch_submit, 1u);
  EXPECT_EQ(defaults.batch_complete_min, 1u);
  EXPECT_EQ(defaults.batch_complete_max, 1u);
  EXPECT_EQ(defaults.iodepth_low, 32u);
  const JobSpec job = ParseJob(
      "iodepth=16\niodepth_batch=0\niodepth_batch_complete_min=64\niodepth_batch_complete_max=4\n"
      "iodepth_low=99\n");
  EXPECT_EQ(job.batch_submit, 16u);
  EXPECT_EQ(job.batch_complete_min, 16u);
  EXPECT_EQ(job.batch_complete_max, 16u);
  EXPECT_EQ(job.iodepth_low, 16u);
}

TEST(FioOptions, AmountsTimesAndPaceAreTaken) {
  const JobSpec job = ParseJob(
      "size=10%\nio_size=1g\noffset=1m\noffset_increment=4k\nnumber_ios=1000\nloops=3\n"
      "runtime=50ms\ntime_based\nramp_time=2\nstartdelay=3-1\nrate=1m,2m\nrate_process=poisson\n"
      "thinktime=5\nthinktime_spin=9\nthinktime_blocks=4\nrandseed=77\nrandrepeat=0\n");
  EXPECT_EQ(job.size.percent, 10u);
  EXPECT_EQ(job.io_size.bytes, 1u << 30);
  EXPECT_EQ(job.offset.bytes, 1u << 20);
  EXPECT_EQ(job.offset_increment.bytes, 4096u);
  EXPECT_EQ(job.number_ios, 1000u);
  EXPECT_EQ(job.loops, 3u);
  EXPECT_EQ(job.runtime, 50 * kMs);
  EXPECT_TRUE(job.time_based);
  EXPECT_EQ(job.ramp_time, 2 * kSec);
  EXPECT_EQ(job.start_delay, kSec);
  EXPECT_EQ(job.start_delay_high, 3 * kSec);
  EXPECT_EQ(job.rate_bytes_per_s[kDirRead], 1u << 20);
  EXPECT_EQ(job.rate_bytes_per_s[kDirWrite], 2u << 20);
  EXPECT_TRUE(job.rate_poisson);
  EXPECT_EQ(job.thinktime, 5 * kUs);
  EXPECT_EQ(job.thinktime_spin, 5 * kUs);
  EXPECT_EQ(job.thinktime_blocks, 4u);
  EXPECT_EQ(job.randseed, 77u);
  EXPECT_FALSE(job.randrepeat);
}

TEST(FioOptions, PlacementAndPriorityAreTaken) {
  const JobSpec job = ParseJob(
      "filename=/dev/nvme0n1:/dev/sd\\:b\ncpus_allowed=0-2,5\ncpus_allowed_policy=split\nprio=3\n"
      "cgroup=a/b\nexitall\nexit_what=all\nnumjobs=8\ngroup_reporting=1\nnew_group\n");
  EXPECT_EQ(job.filenames, (std::vector<std::string>{"/dev/nvme0n1", "/dev/sd:b"}));
  EXPECT_EQ(job.cpus_allowed, (std::vector<std::uint16_t>{0, 1, 2, 5}));
  EXPECT_TRUE(job.cpus_allowed_split);
  EXPECT_EQ(job.ioprio_class, IoprioClass::kBestEffort);
  EXPECT_EQ(job.ioprio_level, 3);
  EXPECT_EQ(job.cgroup, "a/b");
  EXPECT_TRUE(job.exitall);
  EXPECT_EQ(job.exit_what, ExitAll::kAll);
  EXPECT_EQ(job.numjobs, 8u);
  EXPECT_TRUE(job.group_reporting);
  EXPECT_TRUE(job.new_group);
  EXPECT_EQ(ParseJob("cpumask=0x12\n").cpus_allowed, (std::vector<std::uint16_t>{1, 4}));
  ExpectError("filename=a::b\n", "an empty file name");
}

TEST(FioOptions, PriorityClassWithoutLevelIsLevelZero) {
  const JobSpec real_time = ParseJob("prioclass=1\n");
  EXPECT_EQ(real_time.ioprio_class, IoprioClass::kRealtime);
  EXPECT_EQ(real_time.ioprio_level, 0);
  for (const char* lines : {"prioclass=2\nprio=6\n", "prio=6\nprioclass=2\n"}) {
    const JobSpec job = ParseJob(lines);
    EXPECT_EQ(job.ioprio_class, IoprioClass::kBestEffort) << lines;
    EXPECT_EQ(job.ioprio_level, 6) << lines;
  }
  EXPECT_EQ(ParseJob("").ioprio_class, IoprioClass::kNone);
  ExpectError("prioclass=5\n", "5 is out of range; 0 to 3");
}

TEST(FioOptions, StatisticsOptionsAreTaken) {
  const JobSpec job =
      ParseJob("percentile_list=99.9:50:50\nlat_percentiles=1\nclat_percentiles=0\n");
  EXPECT_EQ(job.percentiles, (std::vector<double>{50, 99.9}));
  EXPECT_TRUE(job.lat_percentiles);
  EXPECT_FALSE(job.clat_percentiles);
  const JobSpec reduced = ParseJob("gtod_reduce=1\n");
  EXPECT_TRUE(reduced.disable_lat && reduced.disable_clat && reduced.disable_slat);
  ExpectError("percentile_list=0\n", "0 is out of range");
  ExpectError("percentile_list=101\n", "101 is out of range");
}

TEST(FioOptions, KbBaseCountsBeforeAllOthersWhereverItStands) {
  const JobSpec job = ParseJob("size=4096k\nbs=512\nkb_base=1000\n");
  EXPECT_EQ(job.size.bytes, 4096000u);
  ExpectError("kb_base=1001\n", "1024 or 1000");
}

TEST(FioOptions, OptionsThatDoNotFitTogetherAreErrors) {
  EXPECT_EQ(ErrorOf("time_based\n"),
            "job.fio:1: job 'a': time_based without runtime; add runtime=");
  ExpectError("rate=1m\nrate_iops=100\n", "rate and rate_iops together");
  ExpectError("hipri\n", "hipri with ioengine=libaio");
  EXPECT_TRUE(ParseJob("ioengine=io_uring\nhipri\n").hipri);
}

TEST(FioOptions, BufferedIoWarns) {
  const FioInput input = Parse("buffered=1\n");
  ASSERT_EQ(input.warnings.size(), 1u);
  EXPECT_NE(input.warnings[0].find("there is no page cache"), std::string::npos);
}

TEST(FioOptions, OptionsWithoutEffectWarnOncePerPlace) {
  const FioInput input = ParseJobText(
      "[global]\nioengine=libaio\ndirect=1\nrefill_buffers\nioscheduler=noop\n[a]\n[b]\n",
      "job.fio", ParseContext());
  ASSERT_EQ(input.warnings.size(), 2u);
  EXPECT_EQ(input.warnings[0], "job.fio:4: 'refill_buffers' has no effect: no data is stored");
  EXPECT_EQ(input.warnings[1], "job.fio:5: 'ioscheduler' has no effect: the I/O scheduler is none");
}

TEST(FioOptions, RefusedOptionsSayWhyAndTheirDefaultsPass) {
  EXPECT_EQ(ErrorOf("zonemode=zbd\n"),
            "job.fio:4: zonemode=zbd: not supported; zoned devices are not modelled");
  EXPECT_EQ(ErrorOf("flow=2\n"),
            "job.fio:4: flow=2: not supported; it would change the result and is not modelled");
  EXPECT_EQ(ErrorOf("fsync=0\nzonemode=none\nverify=0\nsync=none\nnrfiles=1\n"), "no error");
  ExpectError("bs_unaligned\n", "bs_unaligned: not supported");
}

TEST(FioOptions, LimitsAndReports) {
  const JobSpec job = ParseJob(
      "max_latency=5ms,700\nrate_min=1m,2m\nrate_iops_min=100\nrate_cycle=250\nstats=0\n"
      "unified_rw_reporting=mixed\nbs_is_seq_rand\n");
  EXPECT_EQ(job.max_latency, (std::array<TimePs, kDirCount>{5 * kMs, 700 * kUs, 700 * kUs}));
  EXPECT_EQ(job.rate_min_bytes_per_s,
            (std::array<std::uint64_t, kDirCount>{1 << 20, 2 << 20, 2 << 20}));
  EXPECT_EQ(job.rate_min_iops, (std::array<std::uint64_t, kDirCount>{100, 100, 100}));
  EXPECT_EQ(job.rate_cycle_ms, 250u);
  EXPECT_FALSE(job.stats);
  EXPECT_TRUE(job.unified_rw && job.bs_is_seq_rand);
  EXPECT_TRUE(ParseJob("unified_rw_reporting=both\n").unified_both);
  ExpectError("unified_rw_reporting=maybe\n", "none, mixed or both");
}

TEST(FioOptions, FilesAreServedInTurnAtRandomOrOneByOne) {
  EXPECT_EQ(ParseJob("\n").file_service, FileService::kRoundRobin);
  const JobSpec random = ParseJob("file_service_type=random:8\n");
  EXPECT_EQ(random.file_service, FileService::kRandom);
  EXPECT_EQ(random.file_service_ios, 8u);
  EXPECT_EQ(ParseJob("file_service_type=sequential\n").file_service, FileService::kSequential);
  const JobSpec zipf = ParseJob("file_service_type=zipf:1.2\n");
  EXPECT_EQ(zipf.file_service, FileService::kRandom);
  EXPECT_EQ(zipf.file_distribution.kind, DistributionKind::kZipf);
  EXPECT_EQ(zipf.file_distribution.parameter, 1.2);
  EXPECT_EQ(ParseJob("file_service_type=pareto\n").file_distribution.parameter, 0.2);
  EXPECT_EQ(ParseJob("file_service_type=gauss\n").file_distribution.kind,
            DistributionKind::kNormal);
  EXPECT_EQ(ParseJob("file_service_type=normal:20\n").file_distribution.parameter, 20);
  ExpectError("file_service_type=zipf:1\n", "not 1");
  ExpectError("file_service_type=zoned:50/50\n", "roundrobin, random or sequential");
  ExpectError("file_service_type=random:0\n", "1");
}

TEST(FioOptions, AWeightNeedsItsCgroup) {
  EXPECT_EQ(ParseJob("cgroup=a\ncgroup_weight=500\n").cgroup_weight, 500u);
  ExpectError("cgroup_weight=500\n", "cgroup_weight without cgroup");
  ExpectError("cgroup=a\ncgroup_weight=1001\n", "1000");
}

TEST(FioOptions, TheTableIsConsistent) {
  std::set<std::string_view> names;
  for (const OptionInfo& option : AllOptions()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    if (!option.alias.empty()) {
      EXPECT_TRUE(names.insert(option.alias).second) << option.alias;
    }
    EXPECT_EQ(option.status == OptionStatus::kSupported, option.parser != nullptr) << option.name;
    EXPECT_EQ(option.status == OptionStatus::kSupported, option.note.empty()) << option.name;
    EXPECT_EQ(FindOption(option.name), &option);
    EXPECT_EQ(FindCommandOption(option.name), nullptr) << option.name;
  }
  EXPECT_GE(names.size(), 230u);
}

}  // namespace
}  // namespace nvmearb::host::fio
