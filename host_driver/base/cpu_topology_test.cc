// SPDX-License-Identifier: Apache-2.0
#include "host_driver/base/cpu_topology.h"

#include <gtest/gtest.h>

#include "host_driver/base/user_error.h"

namespace nvmearb::host {
namespace {

TEST(CpuTopology, XeonNumbersFirstThreadsBeforeSecondThreads) {
  const CpuTopology cpus = CpuTopology::Xeon8160x2();
  EXPECT_EQ(cpus.cpu_count(), 96u);
  EXPECT_EQ(cpus.node_count(), 2u);
  EXPECT_EQ(cpus.NodeOf(0), 0u);
  EXPECT_EQ(cpus.NodeOf(23), 0u);
  EXPECT_EQ(cpus.NodeOf(24), 1u);
  EXPECT_EQ(cpus.NodeOf(47), 1u);
  EXPECT_EQ(cpus.NodeOf(48), 0u);
  EXPECT_EQ(cpus.NodeOf(95), 1u);
  EXPECT_EQ(cpus.FirstSibling(72), 24u);
  EXPECT_EQ(cpus.ThreadOf(72), 1u);
  EXPECT_EQ(cpus.Siblings(24), (std::vector<std::uint16_t>{24, 72}));
  EXPECT_EQ(cpus.CpusOfNode(1).size(), 48u);
  EXPECT_EQ(cpus.CpusOfNode(1).front(), 24u);
}

TEST(CpuTopology, ParsesWhatItPrints) {
  EXPECT_EQ(CpuTopology::Parse("1x4x2").ToString(), "1x4x2");
  EXPECT_EQ(CpuTopology::Parse("1x1x1").cpu_count(), 1u);
}

TEST(CpuTopology, RefusesWhatIsNoTopologyAndNamesThePlace) {
  for (const char* bad :
       {"", "2", "2x24", "2x24x", "2x24x2x1", "0x24x2", "2x0x2", "2x24x9", "17x1x1", "2x300x1",
        "16x256x8", "2X24X2", " 2x24x2", "2x-4x2", "99999999999x1x1"}) {
    EXPECT_THROW((void)CpuTopology::Parse(bad), UserError) << bad;
  }
  try {
    (void)CpuTopology::Parse("2x24", "a.toml:3");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("a.toml:3: '2x24' is no CPU topology; ", 0), 0u);
  }
}

}  // namespace
}  // namespace nvmearb::host
