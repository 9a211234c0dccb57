// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/event_log.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "host_driver/base/user_error.h"
#include "scoreboard/golden_system.h"
#include "scoreboard/tee_sink.h"

namespace nvmearb::tb {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

class EventLogTest : public testing::Test {
 protected:
  EventLogTest()
      : path_(testing::TempDir() + "nvmearb_event_log_test_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv") {}
  ~EventLogTest() override { std::remove(path_.c_str()); }
  std::string Text() const {
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void Write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string ReadError() const {
    try {
      (void)ReadEventLog(path_);
    } catch (const host::UserError& error) {
      return std::string(error.what()).substr(path_.size());
    }
    return "none";
  }
  const std::string path_;
};

constexpr char kHeader[] =
    "cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit\n";

TEST_F(EventLogTest, WritesEveryKindOfEventWithItsFields) {
  EventLog log(path_);
  Event event;
  event.credit = {4, 2, 1};
  auto emit = [&](EventKind kind, auto fill) {
    Event copy = event;
    copy.kind = kind;
    fill(copy);
    log.OnEvent(copy);
    event.cycle += 1;
    event.time_ps += 4001;
  };
  emit(EventKind::kReset, [](Event&) {});
  emit(EventKind::kConfig, [](Event& e) {
    e.mechanism = arbiter::Mechanism::kWeightedRoundRobin;
    e.count = 0;
  });
  event.sqid = 3;
  emit(EventKind::kCreate, [](Event& e) {
    e.sq_class = SqClass::kMedium;
    e.count = 65536;
  });
  emit(EventKind::kDoorbell, [](Event& e) { e.tail = 5; });
  emit(EventKind::kDoorbell, [](Event& e) { e.is_cq = true; });  // not an event of an SQ
  emit(EventKind::kGrant, [](Event& e) {
    e.head = 0;
    e.count = 4;
    e.credit = {4, 0, 1};
  });
  emit(EventKind::kFetch, [](Event& e) {
    e.head = 4;
    e.count = 4;
  });
  emit(EventKind::kReject, [](Event& e) { e.tail = 65535; });
  emit(EventKind::kComplete, [](Event&) {});
  emit(EventKind::kDelete, [](Event&) {});
  log.Close();
  EXPECT_EQ(Text(), std::string(kHeader) +
                        "0,0,reset,0,,0,0,0,4,2,1\n"
                        "1,4.001,config,0,wrr,0,0,0,4,2,1\n"
                        "2,8.002,create,3,medium,0,0,65536,4,2,1\n"
                        "3,12.003,doorbell,3,medium,0,5,5,4,2,1\n"
                        "5,20.005,grant,3,medium,0,5,4,4,0,1\n"
                        "6,24.006,fetch,3,medium,4,5,4,4,2,1\n"
                        "7,28.007,reject,3,medium,4,65535,0,4,2,1\n"
                        "8,32.008,complete,3,medium,4,5,1,4,2,1\n"
                        "9,36.009,delete,3,medium,4,5,0,4,2,1\n");
}

TEST_F(EventLogTest, ReadsBackWhatItWrote) {
  GoldenSystem system(3, arbiter::Mechanism::kWeightedRoundRobin, {1, 3, 1, 0});
  for (std::uint16_t id = 0; id < 3; ++id) {
    system.CreateCq(id, 64);
    system.CreateSq(id, id, 64, id == 0 ? SqClass::kAdmin : SqClass::kHigh);
  }
  system.GiveSlots(1'000'000);
  for (int i = 0; i < 3000; ++i) {  // more than one buffer
    system.Submit(static_cast<std::uint16_t>(i % 3), 2);
    system.Drain(2);
  }
  EventLog log(path_);
  std::vector<Event> written;
  for (const Note& note : system.recording()) {
    if (note.kind != Note::Kind::kEvent) continue;
    log.OnEvent(note.event);
    if (!note.event.is_cq) written.push_back(note.event);
  }
  log.Close();
  const std::vector<Event> read = ReadEventLog(path_);
  ASSERT_EQ(read.size(), written.size());
  ASSERT_GT(read.size(), 10000u);
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(read[i].cycle, written[i].cycle);
    ASSERT_EQ(read[i].time_ps, written[i].time_ps);
    ASSERT_EQ(read[i].kind, written[i].kind);
    ASSERT_EQ(read[i].credit, written[i].credit);
    if (read[i].kind == EventKind::kGrant) {
      ASSERT_EQ(read[i].sqid, written[i].sqid);
      ASSERT_EQ(read[i].sq_class, written[i].sq_class);
      ASSERT_EQ(read[i].head, written[i].head);
      ASSERT_EQ(read[i].count, written[i].count);
    }
    if (read[i].kind == EventKind::kDoorbell) {
      ASSERT_EQ(read[i].tail, written[i].tail);
    }
  }
}

TEST_F(EventLogTest, TimesAreExactToThePicosecondAndTakeLargeValues) {
  EventLog log(path_);
  Event event;
  event.cycle = ~std::uint64_t{0};
  for (const std::uint64_t ps :
       std::vector<std::uint64_t>{0, 1, 10, 999, 1000, 1500, 123'456'780, ~std::uint64_t{0}}) {
    event.time_ps = ps;
    log.OnEvent(event);
  }
  log.Close();
  const std::vector<Event> read = ReadEventLog(path_);
  ASSERT_EQ(read.size(), 8u);
  EXPECT_EQ(read[1].time_ps, 1u);
  EXPECT_EQ(read[3].time_ps, 999u);
  EXPECT_EQ(read[5].time_ps, 1500u);
  EXPECT_EQ(read[7].time_ps, ~std::uint64_t{0});
  EXPECT_EQ(read[7].cycle, ~std::uint64_t{0});
}

TEST_F(EventLogTest, AFileThatCannotBeCreatedIsAUserError) {
  EXPECT_THROW(EventLog("/nonexistent-folder/events.csv"), host::UserError);
}

TEST_F(EventLogTest, SaysWhereAFileDoesNotFollowTheFormat) {
  const std::string header = kHeader;
  Write("cycle,time\n");
  EXPECT_NE(ReadError().find(":1: header 'cycle,time'"), std::string::npos);
  Write(header + "1,2,grant,1,high,0,0,1,4,2\n");
  EXPECT_EQ(ReadError(), ":2: too few fields; 11 are expected");
  Write(header + "1,2,grant,1,high,0,0,1,4,2,1,9\n");
  EXPECT_EQ(ReadError(), ":2: too many fields; 11 are expected");
  Write(header + "1,2,grant,70000,high,0,0,1,4,2,1\n");
  EXPECT_EQ(ReadError(), ":2: '70000'; a number 0..65535 is expected");
  Write(header + "1,2.0001,grant,1,high,0,0,1,4,2,1\n");
  EXPECT_EQ(ReadError(), ":2: time '2.0001'; nanoseconds with up to three decimals");
  Write(header + "1,2,granted,1,high,0,0,1,4,2,1\n");
  EXPECT_NE(ReadError().find(":2: 'granted'; one of create, delete"), std::string::npos);
  Write(header + "1,2,grant,1,high,0,0,1,4,2,1");
  EXPECT_EQ(ReadError(), ":2: the line has no end");
}

TEST(TeeSink, HandsEveryEventToEverySinkInOrder) {
  struct Noter : arbiter::EventSink {
    Noter(int number, std::vector<int>* list) : id(number), order(list) {}
    void OnEvent(const Event& /*event*/) override { order->push_back(id); }
    int id;
    std::vector<int>* order;
  };
  std::vector<int> order;
  Noter first(1, &order);
  Noter second(2, &order);
  TeeSink tee;
  tee.Add(&first);
  tee.Add(nullptr);
  tee.Add(&second);
  tee.OnEvent({});
  tee.OnEvent({});
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2}));
}

}  // namespace
}  // namespace nvmearb::tb
