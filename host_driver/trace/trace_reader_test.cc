// SPDX-License-Identifier: Apache-2.0
//
// Every sample of testdata holds the same four I/Os, in its format's own words.
#include "trace/trace_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>

#include "host_driver/base/user_error.h"
#include "nvme/base/random.h"
#include "trace/formats.h"
#include "trace/line_source.h"
#include "trace/spread_reader.h"

namespace nvmearb::trace {
namespace {

using host::BioOp;
using host::UserError;

std::string Sample(const std::string& file) { return std::string(TRACE_TESTDATA) + "/" + file; }

std::string Slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string Temporary(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "trace_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string TemporaryGz(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "trace_" + name;
  gzFile file = gzopen(path.c_str(), "wb");
  EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(file);
  return path;
}

struct Io {
  std::uint64_t time_ns;
  BioOp op;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::string device;
  std::string process;
  int cpu;
};

std::vector<Io> ReadAll(const std::string& path, const std::string& format = "") {
  const auto reader = OpenTrace(path, format);
  std::vector<Io> ios;
  TraceRecord record;
  while (reader->Next(&record)) {
    ios.push_back({record.time_ns, record.op, record.offset, record.bytes,
                   std::string(record.device), std::string(record.process), record.cpu});
  }
  return ios;
}

/// The one line that the user sees.
std::string ErrorOf(const std::string& path, const std::string& format = "") {
  try {
    (void)ReadAll(path, format);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

struct SampleFile {
  const char* file;
  const char* format;
  const char* devices[2];
  const char* processes[4];
  int cpus[4];
};

const SampleFile kSamples[] = {
    {"fio_v2.log", "fio", {"/dev/nvme0n1", "/dev/nvme1n1"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"fio_v3.log", "fio", {"/dev/nvme0n1", "/dev/nvme1n1"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"blkparse.txt",
     "blkparse",
     {"259,0", "259,3"},
     {"postgres", "jbd2/nvme0n1-8", "Web Content", "jbd2/nvme0n1-8"},
     {2, 7, 2, 7}},
    {"msr.csv", "msr", {"src1_2", "src1_1"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"systor.csv", "systor", {"3", "4"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"spc.txt", "spc", {"0", "1"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"fiu.txt",
     "fiu",
     {"6,0", "8,16"},
     {"syslogd", "kjournald", "syslogd", "kjournald"},
     {-1, -1, -1, -1}},
    {"alibaba.csv", "alibaba", {"419", "725"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"tencent.csv", "tencent", {"1283", "1360"}, {"", "", "", ""}, {-1, -1, -1, -1}},
    {"mqsim.trace", "mqsim", {"0", "1"}, {"", "", "", ""}, {-1, -1, -1, -1}},
};

class EverySample : public testing::TestWithParam<SampleFile> {
 protected:
  static void ExpectTheFour(const std::vector<Io>& ios) {
    const SampleFile& sample = GetParam();
    ASSERT_EQ(ios.size(), 4u);
    const Io expected[] = {
        {0, BioOp::kRead, 1048576, 4096, sample.devices[0], "", 0},
        {1000000000, BioOp::kWrite, 0, 8192, sample.devices[0], "", 0},
        {1000000000, BioOp::kRead, 4096, 512, sample.devices[1], "", 0},
        {3000000000, BioOp::kWrite, 2097152, 65536, sample.devices[0], "", 0},
    };
    const bool whole_seconds = std::string(sample.format) == "tencent";
    for (std::size_t i = 0; i < 4; ++i) {
      SCOPED_TRACE(i);
      // The second of the two I/Os of one second lies in its middle then.
      const std::uint64_t spread = whole_seconds && i == 2 ? 500'000'000 : 0;
      EXPECT_EQ(ios[i].time_ns - ios[0].time_ns, expected[i].time_ns + spread);
      EXPECT_EQ(ios[i].op, expected[i].op);
      EXPECT_EQ(ios[i].offset, expected[i].offset);
      EXPECT_EQ(ios[i].bytes, expected[i].bytes);
      EXPECT_EQ(ios[i].device, expected[i].device);
      EXPECT_EQ(ios[i].process, sample.processes[i]);
      EXPECT_EQ(ios[i].cpu, sample.cpus[i]);
    }
  }
};

TEST_P(EverySample, IsDetectedAndGivesItsFourIos) {
  const auto reader = OpenTrace(Sample(GetParam().file), "");
  EXPECT_STREQ(reader->format(), GetParam().format);
  ExpectTheFour(ReadAll(Sample(GetParam().file)));
}

TEST_P(EverySample, IsReadWithItsFormatNamed) {
  ExpectTheFour(ReadAll(Sample(GetParam().file), GetParam().format));
}

TEST_P(EverySample, IsReadFromGzipWithLineEndsOfWindows) {
  std::string text = "# a comment\n\n";
  if (std::string(GetParam().format) == "fio") text.clear();
  for (const char c : Slurp(Sample(GetParam().file)))
    text += c == '\n' ? "\r\n" : std::string(1, c);
  ExpectTheFour(ReadAll(TemporaryGz("crlf.gz", text)));
}

/// The file with its last I/O cut off in the middle of its line.
TEST_P(EverySample, CutOffInTheMiddleOfALineIsAnErrorThatNamesIt) {
  const std::string text = Slurp(Sample(GetParam().file));
  // The third I/O: its offset and what follows it are missing.
  std::size_t cut = 0;
  std::size_t line = 1;
  std::size_t at = 0;
  for (const std::string& mark :
       {std::string("4096 512"), std::string("8 + 1 ["), std::string("4096,512"),
        std::string("8,512,r"), std::string("8 1 R 8"), std::string("8,1,0,1360"),
        std::string("8 1 1\n")}) {
    if (cut == 0 && (at = text.find(mark)) != std::string::npos) cut = at;
  }
  ASSERT_NE(cut, 0u);
  line += static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(cut), '\n'));
  const std::string path = Temporary("cut", text.substr(0, cut));
  const std::string error = ErrorOf(path, GetParam().format);
  EXPECT_NE(error.find(path + ":" + std::to_string(line) + ": "), std::string::npos) << error;
  EXPECT_NE(error.find("expected "), std::string::npos) << error;
}

/// Random damage: a line is read or refused with file and line, whatever stands in it.
TEST_P(EverySample, GarbledBytesAreReadOrRefusedWithTheirLine) {
  const std::string text = Slurp(Sample(GetParam().file));
  base::Random random(1, 0x7ace);
  int refused = 0;
  constexpr int kRounds = 120;
  for (int round = 0; round < kRounds; ++round) {
    std::string garbled = text;
    const std::uint64_t changes = random.InRange(1, 4);
    for (std::uint64_t i = 0; i < changes; ++i) {
      const std::size_t at = random.Below(garbled.size());
      switch (random.Below(4)) {
        case 0:
          garbled[at] = static_cast<char>(random.Below(256));
          break;
        case 1:
          garbled.erase(at, random.InRange(1, 12));
          break;
        case 2:
          garbled.insert(at, std::string(random.InRange(1, 30), "9,.- \n"[random.Below(6)]));
          break;
        default:
          garbled.resize(at + 1);
          break;
      }
    }
    SCOPED_TRACE("round " + std::to_string(round) + " of seed 1");
    const std::string path = Temporary("garbled", garbled);
    const std::string error = ErrorOf(path, GetParam().format);
    if (error.empty()) continue;
    ++refused;
    EXPECT_EQ(error.compare(0, path.size() + 1, path + ":"), 0) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_GT(refused, kRounds / 10);
}

INSTANTIATE_TEST_SUITE_P(All, EverySample, testing::ValuesIn(kSamples), [](const auto& sample) {
  std::string name = sample.param.file;
  return name.substr(0, name.find('.'));
});

TEST(OpenTrace, SaysWhatItCannotRead) {
  EXPECT_NE(ErrorOf("/no/such/trace").find("/no/such/trace: cannot be opened"), std::string::npos);
  EXPECT_NE(ErrorOf(Temporary("empty", "")).find("no line in it"), std::string::npos);
  const std::string prose = ErrorOf(Temporary("prose", "Once upon a time\nthere was a drive.\n"));
  EXPECT_NE(
      prose.find(":1: the first lines are of no trace format known here; one of fio blkparse"),
      std::string::npos)
      << prose;
  EXPECT_NE(ErrorOf(Sample("msr.csv"), "msrc").find("--format: \"msrc\" is no trace format; fio"),
            std::string::npos);
}

TEST(OpenTrace, ABadFirstLineDoesNotHideTheFormat) {
  const std::string path =
      Temporary("first", "419,Q,1048576,4096,1577808000000626\n" + Slurp(Sample("alibaba.csv")));
  EXPECT_NE(ErrorOf(path).find(":1: opcode \"Q\"; expected R, W, Read or Write (alibaba)"),
            std::string::npos)
      << ErrorOf(path);
}

TEST(OpenTrace, AWrongFormatIsRefusedAtTheFirstLine) {
  const std::string error = ErrorOf(Sample("msr.csv"), "spc");
  EXPECT_NE(error.find("msr.csv:1: "), std::string::npos) << error;
}

TEST(OpenTrace, GzipThatIsCutOffIsRefusedBehindWhatIsWhole) {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += std::to_string(i) + ",R," + std::to_string(i * 7919 % 100003 * 512) + ",4096," +
            std::to_string(i * 104729) + "\n";
  }
  const std::string whole = TemporaryGz("whole.gz", text);
  EXPECT_EQ(ReadAll(whole).size(), 20000u);
  const std::string bytes = Slurp(whole);
  const std::string path = Temporary("cut.gz", bytes.substr(0, bytes.size() / 2));
  const auto reader = OpenTrace(path, "");
  TraceRecord record;
  std::size_t count = 0;
  std::string error;
  try {
    while (reader->Next(&record)) ++count;
  } catch (const UserError& thrown) {
    error = thrown.what();
  }
  EXPECT_GT(count, 1000u);
  EXPECT_NE(error.find("the gzip data is cut off"), std::string::npos) << error;
}

TEST(OpenTrace, ArchivesAndBinariesAreNoTraces) {
  std::string tar(1024, '\0');
  tar.replace(0, 5, "x.csv");
  tar.replace(257, 5, "ustar");
  EXPECT_NE(ErrorOf(Temporary("tar", tar)).find("a tar archive; unpack it first"),
            std::string::npos);
  const std::string binary = Slurp(Sample("msr.csv")) + std::string("\0\1\2\n", 4);
  EXPECT_NE(ErrorOf(Temporary("binary", binary)).find(":5: bytes that are no text"),
            std::string::npos);
  const std::string endless = Slurp(Sample("msr.csv")) + std::string(100'000, '7');
  EXPECT_NE(ErrorOf(Temporary("endless", endless)).find(":5: a line of more than 65536 bytes"),
            std::string::npos);
}

TEST(LineSource, MemoryDoesNotGrowWithTheFile) {
  // 40 MB of zeros and line ends in a few kilobytes of gzip.
  std::string path = testing::TempDir() + "trace_long.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  const std::string line = std::string(39, '0') + "\n";
  for (int i = 0; i < 1'000'000; ++i)
    gzwrite(file, line.data(), static_cast<unsigned>(line.size()));
  gzclose(file);
  LineSource source(path);
  std::string_view text;
  std::uint64_t lines = 0;
  while (source.Next(&text)) ++lines;
  EXPECT_EQ(lines, 1'000'000u);
  EXPECT_EQ(source.line_number(), 1'000'000u);
  EXPECT_LT(source.buffer_bytes(), std::size_t{1} << 20);
}

TEST(SpreadReader, SpreadsASecondEvenlyAndKeepsTheOrder) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "100," + std::to_string(i) + ",8,0,1\n";
  text += "101,77,8,1,1\n105,78,8,1,1\n";
  const std::vector<Io> ios = ReadAll(Temporary("spread.csv", text));
  ASSERT_EQ(ios.size(), 12u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(ios[i].time_ns, 100'000'000'000 + i * 100'000'000);
    EXPECT_EQ(ios[i].offset, i * 512);
  }
  EXPECT_EQ(ios[10].time_ns, 101'000'000'000u);
  EXPECT_EQ(ios[11].time_ns, 105'000'000'000u);
}

TEST(SpreadReader, ATickLargerThanItsMemoryStillMovesForward) {
  std::string text;
  const std::size_t count = SpreadReader::kMostAhead * 2 + 10;
  for (std::size_t i = 0; i < count; ++i) text += "100,8,8,0,1\n";
  text += "101,8,8,0,1\n";
  const std::vector<Io> ios = ReadAll(Temporary("large.csv", text));
  ASSERT_EQ(ios.size(), count + 1);
  for (std::size_t i = 1; i < ios.size(); ++i) ASSERT_GE(ios[i].time_ns, ios[i - 1].time_ns) << i;
  EXPECT_EQ(ios.back().time_ns, 101'000'000'000u);
}

}  // namespace
}  // namespace nvmearb::trace
