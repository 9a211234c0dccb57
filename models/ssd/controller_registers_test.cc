// SPDX-License-Identifier: Apache-2.0
#include "ssd/controller_registers.h"

#include <gtest/gtest.h>

namespace nvmearb::ssd {
namespace {

constexpr std::uint32_t kAllOnes = 0xffffffff;

class ControllerRegistersTest : public testing::Test {
 protected:
  ControllerRegistersTest() { registers_.SetStraps(0x2078030fff, 0x10200); }
  ControllerRegisters registers_;
};

TEST_F(ControllerRegistersTest, PowerOnValues) {
  EXPECT_EQ(registers_.Read(nvme::kRegCap), 0x78030fffu);
  EXPECT_EQ(registers_.Read(nvme::kRegCap + 4), 0x20u);
  EXPECT_EQ(registers_.Read(nvme::kRegVs), 0x10200u);
  for (const std::uint32_t offset : {nvme::kRegIntms, nvme::kRegIntmc, nvme::kRegCc, nvme::kRegCsts,
                                     nvme::kRegNssr, nvme::kRegAqa, nvme::kRegCmbloc}) {
    EXPECT_EQ(registers_.Read(offset), 0u);
  }
}

TEST_F(ControllerRegistersTest, ReadOnlyRegistersKeepTheirValue) {
  for (const std::uint32_t offset :
       {std::uint32_t{nvme::kRegCap}, nvme::kRegCap + 4u, std::uint32_t{nvme::kRegVs},
        std::uint32_t{nvme::kRegCsts}, std::uint32_t{nvme::kRegNssr}, 0x100u}) {
    const std::uint32_t before = registers_.Read(offset);
    registers_.Write(offset, kAllOnes);
    EXPECT_EQ(registers_.Read(offset), before) << offset;
  }
}

TEST_F(ControllerRegistersTest, ReservedBitsReadZero) {
  for (const std::uint32_t offset : {nvme::kRegAsq, nvme::kRegAcq}) {
    registers_.Write(offset, kAllOnes);
    registers_.Write(offset + 4, kAllOnes);
    EXPECT_EQ(registers_.Read(offset), 0xfffff000u);
    EXPECT_EQ(registers_.Read(offset + 4), kAllOnes);
  }
  registers_.Write(nvme::kRegAqa, kAllOnes);
  EXPECT_EQ(registers_.Read(nvme::kRegAqa), 0x0fff0fffu);
  registers_.Write(nvme::kRegCc, kAllOnes & ~1u);
  EXPECT_EQ(registers_.Read(nvme::kRegCc), 0x00fffff0u);
}

TEST_F(ControllerRegistersTest, HalvesOfAQueueBaseAreIndependent) {
  registers_.Write(nvme::kRegAsq + 4, 0x12);
  registers_.Write(nvme::kRegAsq, 0x34567000);
  EXPECT_EQ(registers_.asq(), 0x1234567000u);
  registers_.Write(nvme::kRegAsq + 4, 0);
  EXPECT_EQ(registers_.asq(), 0x34567000u);
}

TEST_F(ControllerRegistersTest, InterruptMaskIsSetAndCleared) {
  registers_.Write(nvme::kRegIntms, 0xff);
  registers_.Write(nvme::kRegIntmc, 0x0f);
  EXPECT_EQ(registers_.Read(nvme::kRegIntms), 0xf0u);
  EXPECT_EQ(registers_.Read(nvme::kRegIntmc), 0xf0u);
}

TEST_F(ControllerRegistersTest, EdgesOfCcAreReportedOnce) {
  auto change = registers_.Write(nvme::kRegCc, 0x460801);
  EXPECT_TRUE(change.enabled);
  EXPECT_FALSE(change.disabled || change.shutdown);
  change = registers_.Write(nvme::kRegCc, 0x460801);
  EXPECT_FALSE(change.enabled || change.disabled || change.shutdown);
  change = registers_.Write(nvme::kRegCc, 0x464801);
  EXPECT_TRUE(change.shutdown);
  EXPECT_EQ(change.shn, 1);
  change = registers_.Write(nvme::kRegCc, 0x468801);
  EXPECT_TRUE(change.shutdown) << "from normal to abrupt";
  change = registers_.Write(nvme::kRegCc, 0x46c801);
  EXPECT_FALSE(change.shutdown) << "11b is reserved";
  change = registers_.Write(nvme::kRegCc, 0);
  EXPECT_TRUE(change.disabled);
}

TEST_F(ControllerRegistersTest, ClearingEnClearsCcAndMaskButNotTheAdminQueues) {
  registers_.Write(nvme::kRegAqa, 0x1f001f);
  registers_.Write(nvme::kRegAsq, 0x1000);
  registers_.Write(nvme::kRegIntms, 1);
  registers_.Write(nvme::kRegCc, 0x460801);
  registers_.csts().rdy = true;
  registers_.csts().cfs = true;
  const auto change = registers_.Write(nvme::kRegCc, 0x464800);
  EXPECT_TRUE(change.disabled);
  EXPECT_TRUE(change.shutdown) << "one write may ask for both";
  EXPECT_EQ(registers_.Read(nvme::kRegCc), 0u);
  EXPECT_EQ(registers_.Read(nvme::kRegIntms), 0u);
  registers_.EndReset();
  EXPECT_EQ(registers_.Read(nvme::kRegCsts), 0u);
  EXPECT_EQ(registers_.Read(nvme::kRegAqa), 0x1f001fu);
  EXPECT_EQ(registers_.asq(), 0x1000u);
}

TEST_F(ControllerRegistersTest, AdminQueueSizesDecideWhetherItCanRun) {
  EXPECT_FALSE(registers_.CanEnable(4096)) << "AQA is 0";
  registers_.Write(nvme::kRegAqa, 0x00010000);
  EXPECT_FALSE(registers_.CanEnable(4096)) << "no SQ";
  registers_.Write(nvme::kRegAqa, 0x00010001);
  EXPECT_TRUE(registers_.CanEnable(4096));
  registers_.Write(nvme::kRegAqa, 0x003f0001);
  EXPECT_TRUE(registers_.CanEnable(64));
  EXPECT_FALSE(registers_.CanEnable(63));
}

TEST_F(ControllerRegistersTest, WeightedRoundRobinNeedsBothCcAndCap) {
  registers_.Write(nvme::kRegCc, 0x460801);
  EXPECT_TRUE(registers_.WeightedRoundRobin());
  registers_.SetStraps(0x2078010fff, 0x10200);
  EXPECT_FALSE(registers_.WeightedRoundRobin());
  registers_.SetStraps(0x2078030fff, 0x10200);
  registers_.Write(nvme::kRegCc, 0x461001);  // reserved value 010b
  EXPECT_FALSE(registers_.WeightedRoundRobin());
  EXPECT_EQ(registers_.Read(nvme::kRegCc), 0x461001u) << "and stays readable";
}

}  // namespace
}  // namespace nvmearb::ssd
