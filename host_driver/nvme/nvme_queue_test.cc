// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/nvme_queue.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "host_driver/nvme/prp.h"

namespace nvmearb::host {
namespace {

// Records what is written to the device.
class Bus : public nvme::DevicePort {
 public:
  void AttachHost(nvme::HostPort*) override {}
  std::uint64_t MmioRead(std::uint32_t, unsigned) override { return 0; }
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned) override {
    writes.emplace_back(offset, value);
  }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> writes;
};

using Writes = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

class NvmeQueueTest : public ::testing::Test {
 protected:
  // Writes a CQE as a device does.
  void Post(std::uint32_t index, bool phase, std::uint16_t sqhd) {
    nvme::Cqe cqe;
    cqe.cid = static_cast<std::uint16_t>(index);
    cqe.sqhd = sqhd;
    cqe.SetStatusPhase(nvme::Status::kSuccess, false, phase);
    ASSERT_TRUE(memory_.Write(queue_.cq_address() + index * 16, &cqe, sizeof(cqe)));
  }
  void Push(bool ring) {
    *queue_.Slot() = nvme::Sqe::Make(2, 7);
    queue_.Push(ring);
  }
  unsigned Process() {
    return queue_.ProcessCq([this](const nvme::Cqe& cqe) { seen_.push_back(cqe.cid); });
  }

  HostMemory memory_;
  Bus bus_;
  NvmeQueue queue_{memory_, bus_, 3, 4, 0};
  std::vector<std::uint16_t> seen_;
};

TEST_F(NvmeQueueTest, RingsAtOnceWithLastAndWrapsTheTail) {
  for (int i = 0; i < 5; ++i) Push(true);
  EXPECT_EQ(bus_.writes, (Writes{{0x1018, 1}, {0x1018, 2}, {0x1018, 3}, {0x1018, 0}, {0x1018, 1}}));
}

TEST_F(NvmeQueueTest, BatchRingsOnceAtItsEnd) {
  Push(false);
  EXPECT_TRUE(bus_.writes.empty());
  Push(true);
  EXPECT_EQ(bus_.writes, (Writes{{0x1018, 2}}));
}

TEST_F(NvmeQueueTest, LongBatchRingsBeforeItWouldReachTheLastValueRung) {
  Push(false);
  Push(false);
  EXPECT_TRUE(bus_.writes.empty());
  Push(false);  // tail 3: the next would be 0, the value last rung
  EXPECT_EQ(bus_.writes, (Writes{{0x1018, 3}}));
  Push(false);
  Push(false);
  Push(false);  // again depth - 1 entries later
  EXPECT_EQ(bus_.writes, (Writes{{0x1018, 3}, {0x1018, 2}}));
}

TEST_F(NvmeQueueTest, CommitRingsOnlyWhatIsNew) {
  queue_.Commit();
  EXPECT_TRUE(bus_.writes.empty());
  Push(false);
  queue_.Commit();
  queue_.Commit();
  EXPECT_EQ(bus_.writes, (Writes{{0x1018, 1}}));
}

TEST_F(NvmeQueueTest, SqeIsInHostMemoryAtTheSlot) {
  Push(true);
  nvme::Sqe sqe;
  ASSERT_TRUE(memory_.Read(queue_.sq_address(), &sqe, sizeof(sqe)));
  EXPECT_EQ(sqe.Opcode(), 2);
  EXPECT_EQ(sqe.CommandId(), 7);
}

TEST_F(NvmeQueueTest, TakesABatchWithOneHeadDoorbellAndStopsAtTheOldPhase) {
  for (int i = 0; i < 3; ++i) Push(true);
  bus_.writes.clear();
  Post(0, true, 1);
  Post(1, true, 2);
  EXPECT_EQ(Process(), 2u);
  EXPECT_EQ(seen_, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_EQ(bus_.writes, (Writes{{0x101c, 2}}));
  EXPECT_EQ(Process(), 0u);
  EXPECT_EQ(bus_.writes.size(), 1u);  // nothing found, nothing written
  EXPECT_EQ(queue_.sq_head(), 2u);
}

TEST_F(NvmeQueueTest, PhaseFlipsAtEveryWrapOfTheCompletionQueue) {
  bool phase = true;
  std::uint32_t head = 0;
  for (std::uint32_t i = 0; i < 11; ++i) {
    Push(true);
    Post(head, phase, static_cast<std::uint16_t>((i + 1) % 4));
    ASSERT_EQ(Process(), 1u) << i;
    if (++head == 4) {
      head = 0;
      phase = !phase;
    }
    ASSERT_EQ(queue_.phase(), phase);
    ASSERT_EQ(queue_.cq_head(), head);
    ASSERT_FALSE(queue_.CqePending()) << "entries of the last lap must not count";
  }
  EXPECT_EQ(queue_.stale_sqhd(), 0u);
  EXPECT_EQ(queue_.sq_head(), queue_.sq_tail());
}

TEST_F(NvmeQueueTest, SqHeadOutsideTheQueueIsCountedAndNotTaken) {
  Push(true);
  Post(0, true, 3);  // one entry was submitted: head is 0 or 1
  Post(1, true, 9);  // beyond the queue
  Process();
  EXPECT_EQ(queue_.stale_sqhd(), 2u);
  EXPECT_EQ(queue_.sq_head(), 0u);
}

TEST(NvmeQueue, StrideMovesTheDoorbells) {
  HostMemory memory;
  Bus bus;
  NvmeQueue queue(memory, bus, 2, 8, 2);
  *queue.Slot() = nvme::Sqe::Make(2, 0);
  queue.Push(true);
  EXPECT_EQ(bus.writes, (Writes{{0x1000 + 4 * 16, 1}}));
}

TEST(Prp, OneTwoAndThreePages) {
  HostMemory memory;
  PrpPool pool(memory, 128 * 1024);
  EXPECT_EQ(pool.list_bytes(), 256u);
  const PrpList list = pool.Take();
  nvme::Sqe sqe;
  SetPrps(&sqe, 0x100000, 4096, list);
  EXPECT_EQ(sqe.prp1, 0x100000u);
  EXPECT_EQ(sqe.prp2, 0u);
  SetPrps(&sqe, 0x100000, 8192, list);
  EXPECT_EQ(sqe.prp2, 0x101000u);
  SetPrps(&sqe, 0x100000, 12288, list);
  EXPECT_EQ(sqe.prp2, list.address);
  std::uint64_t entries[2] = {};
  ASSERT_TRUE(memory.Read(list.address, entries, sizeof(entries)));
  EXPECT_EQ(entries[0], 0x101000u);
  EXPECT_EQ(entries[1], 0x102000u);
}

TEST(Prp, OffsetInTheFirstPageAddsAPage) {
  HostMemory memory;
  PrpPool pool(memory, 128 * 1024);
  const PrpList list = pool.Take();
  nvme::Sqe sqe;
  SetPrps(&sqe, 0x100e00, 512, list);
  EXPECT_EQ(sqe.prp2, 0u);
  SetPrps(&sqe, 0x100e00, 1024, list);
  EXPECT_EQ(sqe.prp2, 0x101000u);
  SetPrps(&sqe, 0x100e00, 8192, list);
  EXPECT_EQ(sqe.prp2, list.address);
  EXPECT_EQ(list.entries[0], 0x101000u);
  EXPECT_EQ(list.entries[1], 0x102000u);
}

TEST(Prp, ListsOfOnePageDoNotOverlap) {
  HostMemory memory;
  PrpPool pool(memory, 128 * 1024);
  const PrpList a = pool.Take();
  const PrpList b = pool.Take();
  EXPECT_EQ(b.address, a.address + 256);
}

TEST(Prp, LongListChainsThroughTheLastEntryOfAPage) {
  HostMemory memory;
  PrpPool pool(memory, 4096 * 1024);
  EXPECT_EQ(pool.list_bytes(), 3u * 4096);  // 1024 entries and 2 links
  const PrpList list = pool.Take();
  nvme::Sqe sqe;
  const std::uint64_t data = 0x40000000;
  SetPrps(&sqe, data, 4096 * 1024, list);
  EXPECT_EQ(list.entries[0], data + 4096);
  EXPECT_EQ(list.entries[510], data + 511 * 4096u);
  EXPECT_EQ(list.entries[511], list.address + 4096);  // link
  EXPECT_EQ(list.entries[512], data + 512 * 4096u);
  EXPECT_EQ(list.entries[1023], data + 1023 * 4096u);  // the second page is exactly full
  SetPrps(&sqe, data + 512, 4096 * 1024, list);        // one entry more
  EXPECT_EQ(list.entries[1022], data + 1022 * 4096u);
  EXPECT_EQ(list.entries[1023], list.address + 8192);
  EXPECT_EQ(list.entries[1024], data + 1023 * 4096u);
  EXPECT_EQ(list.entries[1025], data + 1024 * 4096u);
}

TEST(Prp, PageThatEndsExactlyWithTheListHasNoLink) {
  HostMemory memory;
  PrpPool pool(memory, 2048 * 1024);
  EXPECT_EQ(pool.list_bytes(), 4096u);
  const PrpList list = pool.Take();
  nvme::Sqe sqe;
  SetPrps(&sqe, 0x40000200, 2048 * 1024, list);  // unaligned: 512 entries
  EXPECT_EQ(list.entries[511], 0x40000000u + 512 * 4096u);
}

}  // namespace
}  // namespace nvmearb::host
