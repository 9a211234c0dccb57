// SPDX-License-Identifier: Apache-2.0
#include "host_driver/fio/units.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"

namespace nvmearb::host::fio {
namespace {

RawOption Option(const std::string& key, const std::string& value) {
  return {key, value, true, "job.fio:7"};
}

template <typename Call>
std::string ErrorOf(Call call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::uint64_t Size(const std::string& text, unsigned kb_base = 1024) {
  return ParseSize(Option("size", text), text, kb_base);
}

// Values as fio 3.33 prints them under --debug=parse.
TEST(FioUnits, SizesReadAsFioReadsThem) {
  EXPECT_EQ(Size("4096"), 4096u);
  EXPECT_EQ(Size("1024b"), 1024u);
  EXPECT_EQ(Size("4k"), 4096u);
  EXPECT_EQ(Size("4K"), 4096u);
  EXPECT_EQ(Size("4kb"), 4096u);
  EXPECT_EQ(Size("4ki"), 4096u);
  EXPECT_EQ(Size("4kib"), 4000u);
  EXPECT_EQ(Size("4KiB"), 4000u);
  EXPECT_EQ(Size("4mi"), 4194304u);
  EXPECT_EQ(Size("4mib"), 4000000u);
  EXPECT_EQ(Size("4gib"), 4000000000u);
  EXPECT_EQ(Size("1t"), 1099511627776u);
  EXPECT_EQ(Size("1tib"), 1000000000000u);
  EXPECT_EQ(Size("1p"), 1125899906842624u);
  EXPECT_EQ(Size("0x1000"), 4096u);
  EXPECT_EQ(Size("08"), 8u);
}

TEST(FioUnits, KbBase1000SwapsTheBases) {
  EXPECT_EQ(Size("4k", 1000), 4000u);
  EXPECT_EQ(Size("4ki", 1000), 4000u);
  EXPECT_EQ(Size("4kib", 1000), 4096u);
  EXPECT_EQ(Size("1mib", 1000), 1048576u);
}

TEST(FioUnits, MalformedSizesNamePlaceKeyAndWhatIsAllowed) {
  EXPECT_EQ(
      ErrorOf([] { Size("4z"); }),
      "job.fio:7: size=4z: unknown size suffix 'z'; a whole number with an optional k m g t p, "
      "such as 4k or 1g");
  EXPECT_EQ(
      ErrorOf([] { Size("k"); }),
      "job.fio:7: size=k: 'k' is not a number; a whole number with an optional k m g t p, such "
      "as 4k or 1g");
  EXPECT_NE(ErrorOf([] { Size("1.5g"); }).find("unknown size suffix '.5g'"), std::string::npos);
  EXPECT_NE(ErrorOf([] { Size("-1"); }).find("'-1' is not a number"), std::string::npos);
  EXPECT_NE(ErrorOf([] { Size("99999999p"); }).find("too large"), std::string::npos);
  EXPECT_NE(ErrorOf([] { Size("18446744073709551616"); }).find("too large"), std::string::npos);
}

TEST(FioUnits, RangesOfNumbersAreChecked) {
  const RawOption option = Option("iodepth", "0");
  EXPECT_EQ(ErrorOf([&] { (void)ParseNumber(option, "0", 1024, 1, 65536); }),
            "job.fio:7: iodepth=0: 0 is out of range; 1 to 65536");
  EXPECT_EQ(ParseNumber(option, "65536", 1024, 1, 65536), 65536u);
}

TEST(FioUnits, PercentagesResolveAgainstTheDevice) {
  const RawOption option = Option("size", "");
  EXPECT_EQ(ParseSizeOrPercent(option, "10%", 1024).Resolve(1000), 100u);
  EXPECT_EQ(ParseSizeOrPercent(option, "1m", 1024).Resolve(1000), 1048576u);
  EXPECT_NE(ErrorOf([&] { (void)ParseSizeOrPercent(option, "101%", 1024); }).find("0 to 100"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { (void)ParseSizeOrPercent(option, "4z", 1024); }).find("zones"),
            std::string::npos);
}

TEST(FioUnits, TimesReadAsFioReadsThem) {
  const RawOption option = Option("runtime", "");
  EXPECT_EQ(ParseTime(option, "90", kSec), 90 * kSec);
  EXPECT_EQ(ParseTime(option, "5", kUs), 5 * kUs);
  EXPECT_EQ(ParseTime(option, "1500us", kSec), 1500 * kUs);
  EXPECT_EQ(ParseTime(option, "1usec", kSec), kUs);
  EXPECT_EQ(ParseTime(option, "50ms", kSec), 50 * kMs);
  EXPECT_EQ(ParseTime(option, "1msec", kSec), kMs);
  EXPECT_EQ(ParseTime(option, "1S", kSec), kSec);
  EXPECT_EQ(ParseTime(option, "5M", kSec), 300 * kSec);
  EXPECT_EQ(ParseTime(option, "1h", kSec), 3600 * kSec);
  EXPECT_EQ(ParseTime(option, "1d", kSec), 86400 * kSec);
  EXPECT_NE(ErrorOf([&] { (void)ParseTime(option, "1.5", kSec); }).find("unknown time suffix '.5'"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { (void)ParseTime(option, "3x", kSec); }).find("unknown time suffix 'x'"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { (void)ParseTime(option, "150d", kSec); }).find("106 days"),
            std::string::npos);
}

TEST(FioUnits, TruthValuesAreZeroAndOne) {
  const RawOption option = Option("direct", "yes");
  EXPECT_TRUE(ParseBool(option, "1"));
  EXPECT_FALSE(ParseBool(option, "0"));
  EXPECT_EQ(ErrorOf([&] { (void)ParseBool(option, "yes"); }),
            "job.fio:7: direct=yes: not a truth value; 0 or 1");
}

TEST(FioUnits, CpuListsAreSortedWithoutRepetition) {
  const RawOption option = Option("cpus_allowed", "");
  EXPECT_EQ(ParseCpuList(option, "6,0-2:1"), (std::vector<std::uint16_t>{0, 1, 2, 6}));
  EXPECT_NE(ErrorOf([&] { (void)ParseCpuList(option, "3-1"); }).find("backwards"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { (void)ParseCpuList(option, "1-2-3"); }).find("no range"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { (void)ParseCpuList(option, ""); }).find("not a number"),
            std::string::npos);
}

TEST(FioUnits, DecimalsHaveOnePoint) {
  const RawOption option = Option("percentile_list", "");
  EXPECT_DOUBLE_EQ(ParseDecimal(option, "99.95"), 99.95);
  EXPECT_DOUBLE_EQ(ParseDecimal(option, "50"), 50.0);
  EXPECT_NE(ErrorOf([&] { (void)ParseDecimal(option, "9.9.9"); }).find("not a number"),
            std::string::npos);
}

}  // namespace
}  // namespace nvmearb::host::fio
