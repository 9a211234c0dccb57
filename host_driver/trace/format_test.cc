// SPDX-License-Identifier: Apache-2.0
//
// Lines of each format, worked out by hand, and what is wrong with others.
#include <gtest/gtest.h>

#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {
namespace {

using host::BioOp;

class Lines {
 public:
  explicit Lines(const char* format) : parser_(FindFormat(format)->make()) {}
  LineParser& parser() { return *parser_; }

  /// The I/O of a line; bytes ~0 when it has none.
  TraceRecord Of(const std::string& line) {
    text_ = line;
    TraceRecord record;
    if (!parser_->Parse(text_, &record)) record.bytes = ~std::uint64_t{0};
    return record;
  }
  bool IsSkipped(const std::string& line) { return Of(line).bytes == ~std::uint64_t{0}; }
  /// "found; expected" of a line that is refused, else "".
  std::string Refusal(const std::string& line) {
    try {
      (void)Of(line);
    } catch (const BadLine& bad) {
      return bad.what() + ("; " + bad.expected());
    }
    return "";
  }

 private:
  std::unique_ptr<LineParser> parser_;
  std::string text_;
};

TEST(Numbers, SecondsKeepNanoseconds) {
  EXPECT_EQ(ParseSeconds("0.551706", "t"), 551'706'000u);
  EXPECT_EQ(ParseSeconds("1455592207.119541000", "t"), 1'455'592'207'119'541'000u);
  EXPECT_EQ(ParseSeconds("7", "t"), 7'000'000'000u);
  EXPECT_EQ(ParseSeconds("7.", "t"), 7'000'000'000u);
  EXPECT_EQ(ParseSeconds("0.0000000019", "t"), 1u);
  for (const char* bad : {"", ".5", "-1", "1.2.3", "1e3", "99999999999999", "1 2", "0x1"}) {
    EXPECT_THROW((void)ParseSeconds(bad, "t"), BadLine) << bad;
  }
}

TEST(Numbers, WholeNumbersAreWholeAndInRange) {
  EXPECT_EQ(ParseWhole("18446744073709551615", "n", ~std::uint64_t{0}), ~std::uint64_t{0});
  for (const char* bad : {"", "-1", "+1", "1.0", "18446744073709551616", "12a", " 1"}) {
    EXPECT_THROW((void)ParseWhole(bad, "n", ~std::uint64_t{0}), BadLine) << bad;
  }
  EXPECT_EQ(ParseOffset("8", "o", kSectorBytes), 4096u);
  EXPECT_THROW((void)ParseOffset("9223372036854775807", "o", kSectorBytes), BadLine);
  EXPECT_EQ(ParseLength("1073741824", "l", 1), kMostBytes);
  EXPECT_THROW((void)ParseLength("1073741825", "l", 1), BadLine);
}

TEST(Msr, TimesAreHundredNanoseconds) {
  Lines lines("msr");
  const TraceRecord record = lines.Of("128166372003061629,usr,0,Write,10995532800,16384,30123");
  EXPECT_EQ(record.time_ns, 12816637200306162900u);
  EXPECT_EQ(record.op, BioOp::kWrite);
  EXPECT_EQ(record.offset, 10995532800u);
  EXPECT_EQ(record.bytes, 16384u);
  EXPECT_EQ(record.device, "usr_0");
  EXPECT_TRUE(lines.IsSkipped("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime"));
  EXPECT_NE(lines.Refusal("1,usr,0,Write,1,2").find("6 fields; Timestamp,Hostname"),
            std::string::npos);
  EXPECT_NE(lines.Refusal("1,usr,0,Flush,1,2,3").find("Type \"Flush\"; R, W"), std::string::npos);
  EXPECT_NE(lines.Refusal("x,usr,0,Read,1,2,3").find("Timestamp \"x\"; a whole number"),
            std::string::npos);
  EXPECT_NE(lines.Refusal("1,,0,Read,1,2,3").find("an empty Hostname"), std::string::npos);
}

TEST(Spc, BlocksAre512AndSizesBytes) {
  Lines lines("spc");
  const TraceRecord record = lines.Of("1, 55590, 3072, w, 0.026214");
  EXPECT_EQ(record.offset, 55590u * 512);
  EXPECT_EQ(record.bytes, 3072u);
  EXPECT_EQ(record.time_ns, 26'214'000u);
  EXPECT_EQ(record.device, "1");
  EXPECT_NE(lines.Refusal("1,55590,3072,x,0.02").find("Opcode \"x\""), std::string::npos);
}

TEST(Tencent, ZeroIsARead) {
  Lines lines("tencent");
  EXPECT_EQ(lines.Of("1538323200,12910952,128,0,1063").op, BioOp::kRead);
  EXPECT_EQ(lines.Of("1538323200,12910952,128,1,1063").op, BioOp::kWrite);
  EXPECT_EQ(lines.Of("1538323200,12910952,128,0,1063").offset, 12910952ull * 512);
  EXPECT_NE(lines.Refusal("1538323200,1,1,2,1").find("0 (read) or 1 (write)"), std::string::npos);
}

TEST(Mqsim, ZeroIsAWrite) {
  Lines lines("mqsim");
  EXPECT_EQ(lines.Of("4851300 1 524288 16 0").op, BioOp::kWrite);
  EXPECT_EQ(lines.Of("4851300\t1  524288 16 1 ").op, BioOp::kRead);
  EXPECT_NE(lines.Refusal("4851300 1 524288 16").find("4 fields"), std::string::npos);
}

TEST(Fiu, TheHashMayBeMissing) {
  Lines lines("fiu");
  const TraceRecord record = lines.Of("89966904441353 4892 syslogd 904265560 8 W 6 0");
  EXPECT_EQ(record.process, "syslogd");
  EXPECT_EQ(record.device, "6,0");
  EXPECT_EQ(record.bytes, 4096u);
  EXPECT_NE(lines.Refusal("1 2 p 3 8 W 6").find("7 fields"), std::string::npos);
}

TEST(FioIolog, WaitsAddUpAndSyncsAreFlushes) {
  Lines lines("fio");
  EXPECT_TRUE(lines.IsSkipped("fio version 2 iolog"));
  EXPECT_TRUE(lines.IsSkipped("/dev/sda add"));
  EXPECT_EQ(lines.Of("/dev/sda read 0 4096").time_ns, 0u);
  EXPECT_TRUE(lines.IsSkipped("/dev/sda wait 300 0"));
  EXPECT_TRUE(lines.IsSkipped("/dev/sda wait 200"));
  EXPECT_EQ(lines.Of("/dev/sda write 512 4096").time_ns, 500'000u);
  EXPECT_EQ(lines.Of("/dev/sda trim 0 4096").op, BioOp::kDiscard);
  const TraceRecord sync = lines.Of("/dev/sda datasync 0 0");
  EXPECT_EQ(sync.op, BioOp::kFlush);
  EXPECT_EQ(lines.Of("/dev/sda sync").op, BioOp::kFlush);
  EXPECT_NE(lines.Refusal("/dev/sda reed 0 4096").find("action \"reed\""), std::string::npos);
  EXPECT_NE(lines.Refusal("/dev/sda read 0").find("3 fields"), std::string::npos);
}

TEST(FioIolog, VersionThreeHasTimesAndNoWait) {
  Lines lines("fio");
  EXPECT_TRUE(lines.IsSkipped("fio version 3 iolog"));
  EXPECT_EQ(lines.Of("2500 /dev/sda read 0 4096").time_ns, 2'500'000u);
  EXPECT_NE(lines.Refusal("2500 /dev/sda wait 100 0").find("time stamps instead"),
            std::string::npos);
  EXPECT_NE(Lines("fio").Refusal("fio version 1 iolog").find("version 2 iolog"), std::string::npos);
}

TEST(Blkparse, OnlyQueuedIoCounts) {
  Lines lines("blkparse");
  const TraceRecord record =
      lines.Of("  8,0    3        1     0.072129482   697  Q FWFSM 223490 + 8 [kjournald]");
  EXPECT_EQ(record.op, BioOp::kWrite);
  EXPECT_TRUE(record.sync);
  EXPECT_EQ(record.offset, 223490u * 512);
  EXPECT_EQ(record.bytes, 4096u);
  EXPECT_EQ(record.time_ns, 72'129'482u);
  EXPECT_EQ(record.cpu, 3);
  EXPECT_TRUE(lines.IsSkipped("8,0 3 2 0.1 697 G W 223490 + 8 [kjournald]"));
  EXPECT_TRUE(lines.IsSkipped("8,0 3 2 0.1 697 Q N [kjournald]"));
  const TraceRecord flush = lines.Of("8,0 3 2 0.1 697 Q FWS [jbd2/sda1-8]");
  EXPECT_EQ(flush.op, BioOp::kFlush);
  EXPECT_EQ(flush.bytes, 0u);
  EXPECT_EQ(lines.Of("8,0 3 2 0.1 697 Q DS 8 + 2048 [fstrim]").op, BioOp::kDiscard);
  EXPECT_NE(lines.Refusal("8,0 3 2 0.1 697 Q W 223490 - 8 [k]").find("\"-\" behind the sector"),
            std::string::npos);
  EXPECT_NE(lines.Refusal("8,0 3 2 0.1 697 Q W [k]").find("8 fields"), std::string::npos);
  EXPECT_NE(lines.Refusal("8,0 3 2 0.1 697 Z W 1 + 8 [k]").find("action \"Z\""), std::string::npos);
  EXPECT_NE(lines.Refusal("8:0 3 2 0.1 697 Q W 1 + 8 [k]").find("device \"8:0\""),
            std::string::npos);
}

TEST(Blkparse, WithoutQueueEventsTheIssuedOnesCount) {
  Lines lines("blkparse");
  const std::string issued = "8,0 3 1 0.1 697 D W 8 + 8 [k]";
  const std::string completed = "8,0 3 2 0.2 0 C W 8 + 8 [0]";
  EXPECT_TRUE(lines.IsSkipped(issued));
  lines.parser().Prepare({issued, completed});
  EXPECT_FALSE(lines.IsSkipped(issued));
  EXPECT_TRUE(lines.IsSkipped(completed));
  Lines completions("blkparse");
  completions.parser().Prepare({completed});
  EXPECT_EQ(completions.Of(completed).process, "");
  EXPECT_FALSE(completions.IsSkipped(completed));
}

TEST(DetectFormat, NoLineIsOfTwoFormats) {
  for (const TraceFormat& format : AllFormats()) EXPECT_EQ(FindFormat(format.name), &format);
  EXPECT_EQ(DetectFormat({}), nullptr);
  EXPECT_EQ(DetectFormat({"1,2,3,4,5"}), nullptr) << "no operation";
}

}  // namespace
}  // namespace nvmearb::trace
