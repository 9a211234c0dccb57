// SPDX-License-Identifier: Apache-2.0
//
// CheckedFrontEnd passes everything on, and reports commands that are not what host memory says.
#include "scoreboard/checked_front_end.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "nvme/registers.h"

namespace nvmearb::tb {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

/// A front end that does what the test says, and notes what it was called for.
class ScriptedFrontEnd : public ssd::FrontEnd {
 public:
  void Attach(ssd::FrontEndSink* s, ssd::FrontEndDma* /*dma*/, arbiter::EventSink* e) override {
    sink = s;
    events = e;
  }
  [[nodiscard]] ssd::FrontEndLimits Limits() const override { return {4, 1024, 0}; }
  void SetStraps(std::uint64_t /*cap*/, std::uint32_t /*vs*/) override { Note("straps"); }
  std::uint64_t MmioRead(std::uint32_t offset, unsigned /*bytes*/) override { return offset + 1; }
  void MmioWrite(std::uint32_t /*o*/, std::uint64_t /*v*/, unsigned /*b*/) override {
    Note("write");
  }
  void CreateCq(const ssd::CqConfig& /*config*/) override { Note("create cq"); }
  void DeleteCq(std::uint16_t /*cqid*/) override { Note("delete cq"); }
  void CreateSq(const ssd::SqConfig& /*config*/) override { Note("create sq"); }
  void DeleteSq(std::uint16_t /*sqid*/) override { Note("delete sq"); }
  void SetArbitration(const arbiter::ArbitrationSettings& /*s*/) override { Note("settings"); }
  void GiveSlots(unsigned /*count*/) override { Note("slots"); }
  void Complete(std::uint16_t /*s*/, std::uint16_t /*c*/, bool /*posted*/) override {
    Note("complete");
  }
  void SetReady(bool /*ready*/) override { Note("ready"); }
  void SetFatal() override { Note("fatal"); }
  void SetShutdownStatus(std::uint8_t /*shst*/) override { Note("shst"); }

  void Note(const char* what) { calls.push_back(what); }
  ssd::FrontEndSink* sink = nullptr;
  arbiter::EventSink* events = nullptr;
  std::vector<std::string> calls;
};

class NotingSink : public ssd::FrontEndSink, public arbiter::EventSink {
 public:
  void OnEnable(const ssd::EnableConfig& /*config*/) override { calls.push_back("enable"); }
  void OnDisable() override { calls.push_back("disable"); }
  void OnShutdown(std::uint8_t /*shn*/) override { calls.push_back("shutdown"); }
  void OnConfigDone() override { calls.push_back("done"); }
  void OnCommand(const ssd::FetchedCommand& /*command*/) override { calls.push_back("command"); }
  void OnDoorbellError(arbiter::DoorbellError /*e*/, bool /*cq*/, std::uint16_t /*q*/) override {
    calls.push_back("doorbell error");
  }
  void OnFetchError(std::uint16_t /*sqid*/) override { calls.push_back("fetch error"); }
  void OnEvent(const Event& /*event*/) override { calls.push_back("event"); }
  std::vector<std::string> calls;
};

constexpr std::uint64_t kBase = 0x40000;

class Memory : public MemoryPeek {
 public:
  Memory() {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 64);
    }
  }
  bool Peek(std::uint64_t address, void* destination, std::size_t count) override {
    if (address < kBase || address + count > kBase + bytes.size()) return false;
    std::memcpy(destination, bytes.data() + (address - kBase), count);
    return true;
  }
  std::array<std::uint8_t, 8 * 64> bytes{};
};

class CheckedFrontEndTest : public testing::Test {
 protected:
  CheckedFrontEndTest() : checked_(&inner_, &memory_) {
    checked_.Attach(&sink_, nullptr, &sink_);
    Emit(EventKind::kReset, [](Event* event) { event->credit = {1, 1, 1}; });
    inner_.sink->OnEnable({1, 0x001f001f, 0x1000, 0x2000});
    checked_.CreateCq({1, 64});
    checked_.CreateSq({1, 1, 8, SqClass::kHigh, kBase});
    checked_.GiveSlots(100);
    Emit(EventKind::kCreate, [](Event* event) { event->count = 8; });
    inner_.sink->OnConfigDone();
    inner_.sink->OnConfigDone();
    cycle_ += 20;
    Emit(EventKind::kDoorbell, [](Event* event) { event->tail = 6; });
    cycle_ += 20;
  }

  void Emit(EventKind kind, const std::function<void(Event*)>& fill) {
    Event event;
    event.kind = kind;
    event.cycle = cycle_++;
    event.sqid = kind == EventKind::kReset ? 0 : 1;
    event.cqid = 1;
    event.sq_class = SqClass::kHigh;
    event.credit = {1, 1, 1};
    fill(&event);
    inner_.events->OnEvent(event);
  }
  /// Grants and fetches the command of `slot`.
  void GrantAndFetch(std::uint16_t slot) {
    Emit(EventKind::kGrant, [slot](Event* event) {
      event->head = slot;
      event->count = 1;
      event->first = true;
    });
    Emit(EventKind::kFetch, [slot](Event* event) {
      event->head = static_cast<std::uint16_t>(slot + 1);
      event->count = 1;
    });
  }
  ssd::FetchedCommand CommandOf(std::uint16_t slot) {
    ssd::FetchedCommand command;
    std::memcpy(command.sqe.data(), memory_.bytes.data() + slot * 64, 64);
    command.sqid = 1;
    command.cqid = 1;
    command.sqhd = static_cast<std::uint16_t>(slot + 1);
    command.sq_class = SqClass::kHigh;
    return command;
  }
  void Deliver(const ssd::FetchedCommand& command) { inner_.sink->OnCommand(command); }
  [[nodiscard]] bool Reports(Rule rule) const {
    return std::any_of(checked_.findings().begin(), checked_.findings().end(),
                       [rule](const Finding& finding) { return finding.rule == rule; });
  }

  ScriptedFrontEnd inner_;
  NotingSink sink_;
  Memory memory_;
  CheckedFrontEnd checked_;
  std::uint64_t cycle_ = 100;
};

TEST_F(CheckedFrontEndTest, AcceptsTheRightCommandsInSlotOrder) {
  for (std::uint16_t slot = 0; slot < 6; ++slot) {
    GrantAndFetch(slot);
    Deliver(CommandOf(slot));
    checked_.Complete(1, 1, true);
  }
  checked_.judge().ExpectQuiet();
  for (const Finding& finding : checked_.findings()) ADD_FAILURE() << Describe(finding);
  EXPECT_EQ(checked_.compared_count(), 6u);
}

TEST_F(CheckedFrontEndTest, ReportsASingleWrongBitAndSaysWhere) {
  for (const std::uint16_t slot : {std::uint16_t{0}, std::uint16_t{1}}) {
    GrantAndFetch(slot);
    ssd::FetchedCommand command = CommandOf(slot);
    command.sqe[slot == 0 ? 0 : 63] ^= 0x80;
    Deliver(command);
  }
  ASSERT_EQ(checked_.findings().size(), 2u);
  EXPECT_EQ(checked_.findings()[0].rule, Rule::kBytes);
  EXPECT_EQ(checked_.findings()[0].text,
            "command from slot 0 of SQ 1 differs from host memory at byte 0: 80h, expected 00h");
  EXPECT_NE(checked_.findings()[1].text.find("slot 1 of SQ 1"), std::string::npos);
  EXPECT_NE(checked_.findings()[1].text.find("at byte 63: "), std::string::npos);
}

TEST_F(CheckedFrontEndTest, ReportsTheBytesOfAnotherSlot) {
  GrantAndFetch(0);
  ssd::FetchedCommand command = CommandOf(1);
  command.sqhd = 1;
  Deliver(command);
  EXPECT_TRUE(Reports(Rule::kBytes));
}

TEST_F(CheckedFrontEndTest, ReportsAWrongSqhd) {
  GrantAndFetch(0);
  ssd::FetchedCommand command = CommandOf(0);
  command.sqhd = 2;
  Deliver(command);
  EXPECT_TRUE(Reports(Rule::kSqhd));
}

TEST_F(CheckedFrontEndTest, ReportsAWrongCqOrClass) {
  GrantAndFetch(0);
  ssd::FetchedCommand command = CommandOf(0);
  command.cqid = 2;
  Deliver(command);
  EXPECT_TRUE(Reports(Rule::kDelivery));
}

TEST_F(CheckedFrontEndTest, ReportsACommandNobodyGranted) {
  GrantAndFetch(0);
  Deliver(CommandOf(0));
  Deliver(CommandOf(1));
  EXPECT_TRUE(Reports(Rule::kDelivery));
}

TEST_F(CheckedFrontEndTest, ReportsCommandsInSwappedOrder) {
  GrantAndFetch(0);
  GrantAndFetch(1);
  Deliver(CommandOf(1));
  Deliver(CommandOf(0));
  EXPECT_TRUE(Reports(Rule::kBytes));
  EXPECT_TRUE(Reports(Rule::kSqhd));
}

TEST_F(CheckedFrontEndTest, ReportsACommandFetchedAndNeverHandedOn) {
  for (std::uint16_t slot = 0; slot < 6; ++slot) {
    GrantAndFetch(slot);
    if (slot < 5) Deliver(CommandOf(slot));
  }
  checked_.judge().ExpectQuiet();
  EXPECT_TRUE(Reports(Rule::kDelivery));
}

TEST_F(CheckedFrontEndTest, ReportsADeletionAnsweredWithAFetchUnderWay) {
  Emit(EventKind::kGrant, [](Event* event) {
    event->count = 1;
    event->first = true;
  });
  checked_.DeleteSq(1);
  Emit(EventKind::kDelete, [](Event*) {});
  EXPECT_TRUE(checked_.findings().empty());
  inner_.sink->OnConfigDone();
  EXPECT_TRUE(Reports(Rule::kFetch));
}

TEST_F(CheckedFrontEndTest, ReportsAnIoGrantLongAfterAShutdownBegan) {
  inner_.sink->OnShutdown(1);
  Emit(EventKind::kComplete, [](Event* event) { event->is_cq = false; });
  cycle_ += kHoldBoundClocks + 1;
  GrantAndFetch(0);
  EXPECT_TRUE(Reports(Rule::kHold));
}

TEST_F(CheckedFrontEndTest, PassesEveryCallAndEveryCallbackOn) {
  inner_.calls.clear();
  sink_.calls.clear();
  checked_.SetStraps(1, 2);
  EXPECT_EQ(checked_.MmioRead(8, 4), 9u);
  checked_.MmioWrite(nvme::kRegAqa, 1, 4);
  checked_.CreateCq({2, 4});
  checked_.CreateSq({2, 2, 4, SqClass::kLow, 0});
  checked_.SetArbitration({});
  checked_.GiveSlots(1);
  checked_.Complete(1, 1, false);
  checked_.DeleteSq(2);
  checked_.DeleteCq(2);
  checked_.SetReady(true);
  checked_.SetShutdownStatus(2);
  checked_.SetFatal();
  EXPECT_EQ(inner_.calls, (std::vector<std::string>{"straps", "write", "create cq", "create sq",
                                                    "settings", "slots", "complete", "delete sq",
                                                    "delete cq", "ready", "shst", "fatal"}));
  inner_.sink->OnConfigDone();
  inner_.sink->OnDoorbellError(arbiter::DoorbellError::kInvalidValue, false, 1);
  inner_.sink->OnFetchError(1);
  inner_.sink->OnShutdown(1);
  inner_.sink->OnDisable();
  Emit(EventKind::kReset, [](Event*) {});
  EXPECT_EQ(sink_.calls, (std::vector<std::string>{"done", "doorbell error", "fetch error",
                                                   "shutdown", "disable", "event"}));
}

}  // namespace
}  // namespace nvmearb::tb
