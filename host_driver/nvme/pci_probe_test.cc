// SPDX-License-Identifier: Apache-2.0
//
// Bring-up of a controller against the scripted one.
#include <gtest/gtest.h>

#include <algorithm>

#include "host_driver/base/test_clock.h"
#include "host_driver/base/user_error.h"
#include "host_driver/nvme/pci.h"
#include "host_driver/nvme/testing/fake_controller.h"
#include "nvme/features.h"

namespace nvmearb::host {
namespace {

struct Machine {
  explicit Machine(const NvmeParams& params, const FakeConfig& config = {},
                   const CpuTopology& cpus = CpuTopology::Xeon8160x2())
      : Machine(std::make_shared<NvmeParams>(params), config, cpus) {}
  Machine(std::shared_ptr<NvmeParams> module, const FakeConfig& config, const CpuTopology& cpus)
      : device(clock, config), driver(clock, device, memory, cpus, std::move(module), {}) {}

  void Probe() {
    driver.Probe(Bind<&Machine::OnReady>(this));
    clock.RunUntil(120 * kSec);
  }
  void OnReady(std::uint64_t) { ++ready_calls; }

  std::uint64_t Register(const char* name) {
    for (const RegisterValue& value : driver.ReadRegisters()) {
      if (std::string(value.name) == name) return value.value;
    }
    ADD_FAILURE() << name;
    return 0;
  }
  std::vector<nvme::Sqe> Admin(nvme::AdminOpcode opcode) const {
    std::vector<nvme::Sqe> found;
    for (const nvme::Sqe& sqe : device.admin()) {
      if (sqe.Opcode() == static_cast<std::uint8_t>(opcode)) found.push_back(sqe);
    }
    return found;
  }
  bool HasNotice(const std::string& part) const {
    const auto& notices = driver.notices();
    return std::any_of(notices.begin(), notices.end(), [&](const std::string& notice) {
      return notice.find(part) != std::string::npos;
    });
  }

  TestClock clock;
  HostMemory memory;
  FakeController device;
  NvmePci driver;
  int ready_calls = 0;
};

NvmeParams Wrr(unsigned each) {
  NvmeParams params;
  params.wrr_low_queues = params.wrr_medium_queues = params.wrr_high_queues = each;
  return params;
}

TEST(NvmePciProbe, RegistersReadAsPublishedUnderWrr) {
  Machine m(Wrr(24));
  m.Probe();
  ASSERT_TRUE(m.driver.live()) << m.driver.failure();
  EXPECT_EQ(m.ready_calls, 1);
  EXPECT_EQ(m.Register("cap"), 0x2078030fffu);
  EXPECT_EQ(m.Register("version"), 0x10200u);
  EXPECT_EQ(m.Register("cc"), 0x460801u);
  EXPECT_EQ(m.Register("csts"), 1u);
  EXPECT_EQ(m.Register("aqa"), 0x1f001fu);
  EXPECT_EQ(m.Register("asq") % 4096, 0u);
  EXPECT_TRUE(m.driver.notices().empty()) << m.driver.notices().front();
  EXPECT_TRUE(m.device.errors().empty()) << m.device.errors().front();
}

TEST(NvmePciProbe, CcIsRoundRobinWithoutWrrQueues) {
  Machine m(NvmeParams{});
  m.Probe();
  ASSERT_TRUE(m.driver.live()) << m.driver.failure();
  EXPECT_EQ(m.Register("cc"), 0x460001u);
  EXPECT_FALSE(m.driver.wrr_enabled());
  EXPECT_EQ(m.driver.QueueSummary(),
            "96/0/0/0/0/0/0 default/read/poll/low/medium/high/urgent queues");
}

TEST(NvmePciProbe, CreatesPairsWithQprioVectorAndDepth) {
  NvmeParams params = Wrr(24);
  params.poll_queues = 1;
  Machine m(params);
  m.Probe();
  ASSERT_TRUE(m.driver.live()) << m.driver.failure();
  ASSERT_EQ(m.device.sqs().size(), 98u);         // 97 I/O queues and the admin queue
  const std::uint8_t expected[] = {2, 3, 2, 1};  // default, low, medium, high
  for (unsigned qid = 1; qid <= 97; ++qid) {
    const auto& sq = m.device.sqs().at(qid);
    const auto& cq = m.device.cqs().at(qid);
    EXPECT_EQ(sq.qprio, qid == 97 ? 2 : expected[(qid - 1) / 24]) << qid;
    EXPECT_EQ(sq.cqid, qid);
    EXPECT_EQ(sq.size, 1024u);
    EXPECT_EQ(cq.size, 1024u);
    EXPECT_EQ(cq.interrupts, qid != 97);
    EXPECT_EQ(cq.vector, qid == 97 ? 0 : qid);
  }
}

TEST(NvmePciProbe, AsksForQueuesZeroBasedBeforeItCreatesAny) {
  Machine m(Wrr(24));
  m.Probe();
  const auto features = m.Admin(nvme::AdminOpcode::kSetFeatures);
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features[0].cdw10, 7u);
  EXPECT_EQ(features[0].cdw11, 95u | (95u << 16));
}

TEST(NvmePciProbe, ArbitrationIsSetOnlyWhenAskedFor) {
  NvmeParams params = Wrr(24);
  params.arbitration = 0x40200800;
  Machine m(params);
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  EXPECT_EQ(m.device.arbitration(), 0x40200800u);
  EXPECT_EQ(m.Admin(nvme::AdminOpcode::kSetFeatures).front().cdw10, 1u);
}

TEST(NvmePciProbe, QueueDepthIsTheSmallerOfMqesAndTheParameter) {
  FakeConfig config;
  config.cap = 0x207803003f;  // 64 entries
  Machine m(NvmeParams{}, config);
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  EXPECT_EQ(m.device.sqs().at(1).size, 64u);
  EXPECT_EQ(m.driver.block().config().depth, 63u);
}

TEST(NvmePciProbe, TellsThatTheDeviceGivesFewerQueues) {
  FakeConfig config;
  config.granted_queues = 31;
  Machine m(Wrr(24), config);
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  EXPECT_EQ(m.driver.QueueSummary(),
            "1/0/0/24/6/0/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_TRUE(m.HasNotice("asked for 96 I/O queues, the controller gives 31"));
  EXPECT_TRUE(m.HasNotice("asked for 24 medium queues, 6 made"));
  EXPECT_TRUE(m.HasNotice("asked for 24 high queues, 0 made"));
}

TEST(NvmePciProbe, RetriesWithWhatCouldBeCreated) {
  FakeConfig config;
  config.creatable_sqs = 10;  // the controller promised 127
  Machine m(Wrr(2), config, CpuTopology(1, 16, 1));
  m.Probe();
  ASSERT_TRUE(m.driver.live()) << m.driver.failure();
  EXPECT_EQ(m.driver.QueueSummary(),
            "4/0/0/2/2/2/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_EQ(m.device.sqs().size(), 11u);
  EXPECT_EQ(m.device.cqs().size(), 11u);  // the half-made pair 11 is gone
  EXPECT_EQ(m.device.sqs().at(10).qprio, 1);
  EXPECT_EQ(m.device.sqs().at(4).qprio, 2);
  EXPECT_EQ(m.Admin(nvme::AdminOpcode::kDeleteIoSq).size(), 10u);
  EXPECT_TRUE(m.HasNotice("only 10 of 16 I/O queues could be created"));
  EXPECT_TRUE(m.device.errors().empty()) << m.device.errors().front();
}

TEST(NvmePciProbe, RetriesWhenACompletionQueueIsRefused) {
  FakeConfig config;
  config.creatable_cqs = 3;
  Machine m(NvmeParams{}, config, CpuTopology(1, 8, 1));
  m.Probe();
  ASSERT_TRUE(m.driver.live()) << m.driver.failure();
  EXPECT_EQ(m.device.sqs().size(), 4u);
  EXPECT_EQ(m.driver.block().hctx_count(), 3u);
}

TEST(NvmePciProbe, DiesWhenNoQueueCanBeHad) {
  FakeConfig config;
  config.creatable_sqs = 0;
  Machine m(NvmeParams{}, config);
  m.Probe();
  EXPECT_EQ(m.driver.state(), NvmePci::State::kDead);
  EXPECT_EQ(m.ready_calls, 1);
  EXPECT_EQ(m.driver.failure(), "nvme0: no I/O queue could be had");
}

TEST(NvmePciProbe, FewVectorsCutTheClasses) {
  NvmeParams params = Wrr(24);
  params.vectors = 9;
  Machine m(params);
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  EXPECT_EQ(m.driver.QueueSummary(),
            "1/0/0/7/0/0/0 default/read/poll/low/medium/high/urgent queues");
  EXPECT_EQ(m.device.sqs().size(), 9u);
}

TEST(NvmePciProbe, ControllerWithoutWrrGetsNoWrrQueuesAndASharedModuleIsLeftAlone) {
  FakeConfig plain;
  plain.cap = 0x2078010fff;  // CAP.AMS = 0
  auto module = std::make_shared<NvmeParams>(Wrr(2));
  const CpuTopology cpus(1, 8, 1);
  Machine first(module, plain, cpus);
  first.Probe();
  ASSERT_TRUE(first.driver.live());
  EXPECT_EQ(first.Register("cc"), 0x460001u);
  EXPECT_EQ(first.driver.plan().WrrTotal(), 0u);
  EXPECT_TRUE(first.HasNotice("no weighted round robin"));
  Machine second(module, FakeConfig{}, cpus);
  second.Probe();
  EXPECT_TRUE(second.driver.wrr_enabled());
  EXPECT_EQ(second.driver.plan().WrrTotal(), 6u);
}

TEST(NvmePciProbe, PostedCodeDisablesWrrForEveryControllerAfterOneWithoutIt) {
  FakeConfig plain;
  plain.cap = 0x2078010fff;
  NvmeParams params = Wrr(2);
  params.posted_bugs = true;
  auto module = std::make_shared<NvmeParams>(params);
  const CpuTopology cpus(1, 8, 1);
  Machine first(module, plain, cpus);
  first.Probe();
  Machine second(module, FakeConfig{}, cpus);
  second.Probe();
  ASSERT_TRUE(second.driver.live());
  EXPECT_FALSE(second.driver.wrr_enabled());
  EXPECT_EQ(second.driver.plan().WrrTotal(), 0u);
}

TEST(NvmePciProbe, PostedCodeMakesEveryQueueUrgentWhenNoVectorIsLeftForWrr) {
  for (const bool posted : {true, false}) {
    NvmeParams params = Wrr(24);
    params.vectors = 2;
    params.posted_bugs = posted;
    Machine m(params);
    m.Probe();
    ASSERT_TRUE(m.driver.live());
    EXPECT_EQ(m.Register("cc"), 0x460801u);
    EXPECT_EQ(m.device.sqs().at(1).qprio, posted ? 0 : 2);
  }
}

TEST(NvmePciProbe, GivesUpAfterCapTo) {
  FakeConfig config;
  config.cap = 0x2003030fff;  // TO = 3: 1.5 s, and the kernel adds one unit
  config.never_ready = true;
  Machine m(NvmeParams{}, config);
  m.driver.Probe(Bind<&Machine::OnReady>(&m));
  m.clock.RunUntil(1999 * kMs);
  EXPECT_EQ(m.driver.state(), NvmePci::State::kConnecting);
  m.clock.RunUntil(2002 * kMs);
  EXPECT_EQ(m.driver.state(), NvmePci::State::kDead);
  EXPECT_EQ(m.driver.failure(), "nvme0: not ready within 2000 ms (CAP.TO), CSTS=0x0");
  EXPECT_EQ(m.ready_calls, 1);
}

TEST(NvmePciProbe, NamesTheAdminCommandThatFailed) {
  Machine m(NvmeParams{});
  m.device.FailAdmin(nvme::AdminOpcode::kIdentify, nvme::Status::kInternalError);
  m.Probe();
  EXPECT_EQ(m.driver.failure(), "nvme0: Identify Controller failed: Internal Error (0x6)");
  EXPECT_EQ(m.ready_calls, 1);
}

TEST(NvmePciProbe, AdminCommandWithoutAnswerEndsTheBringUp) {
  NvmeParams params;
  params.admin_timeout = 5;
  Machine m(params);
  m.device.IgnoreAdmin(nvme::AdminOpcode::kCreateIoCq);
  m.Probe();
  EXPECT_EQ(m.driver.failure(), "nvme0: an admin command was not answered during bring-up");
  EXPECT_EQ(m.ready_calls, 1);
}

TEST(NvmePciProbe, RefusesADeviceWithLargerPagesOrNoNamespace) {
  FakeConfig config;
  config.cap |= std::uint64_t{2} << 48;
  Machine pages(NvmeParams{}, config);
  pages.Probe();
  EXPECT_NE(pages.driver.failure().find("smallest page, 16 KiB"), std::string::npos);
  FakeConfig empty;
  empty.nn = 0;
  Machine none(NvmeParams{}, empty);
  none.Probe();
  EXPECT_EQ(none.driver.failure(), "nvme0: the controller has no namespace");
}

TEST(NvmePciProbe, LimitsComeFromIdentify) {
  FakeConfig config;
  config.mdts = 6;
  config.lbads = 12;
  config.noiob = 16;
  config.vwc = 1;
  config.blocks = 1000;
  Machine m(NvmeParams{}, config);
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  const QueueLimits& limits = m.driver.block().config().limits;
  EXPECT_EQ(limits.max_bytes, 256u * 1024);
  EXPECT_EQ(limits.logical_block_bytes, 4096u);
  EXPECT_EQ(limits.chunk_bytes, 65536u);
  EXPECT_EQ(limits.capacity_bytes, 4096000u);
  EXPECT_TRUE(limits.write_cache);
  EXPECT_EQ(m.driver.identity().model, "FAKE CONTROLLER");
}

TEST(NvmePciProbe, ParametersOutOfRangeAreAUserError) { EXPECT_THROW(Machine(Wrr(97)), UserError); }

TEST(NvmePciAdmin, ManyCommandsAtOnceWaitForTagsInOrder) {
  Machine m(NvmeParams{});
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  struct Count {
    void Done(std::uint64_t argument, const nvme::Cqe& cqe) {
      EXPECT_EQ(cqe.GetStatus(), nvme::Status::kSuccess);
      order.push_back(argument);
    }
    std::vector<std::uint64_t> order;
  } count;
  for (std::uint64_t i = 0; i < 100; ++i) {
    m.driver.SetArbitration(static_cast<std::uint32_t>(i), BindAdmin<&Count::Done>(&count, i));
  }
  m.clock.RunUntil(m.clock.Now() + kSec);
  ASSERT_EQ(count.order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(count.order.begin(), count.order.end()));
  EXPECT_EQ(m.device.arbitration(), 99u);
  EXPECT_TRUE(m.device.errors().empty()) << m.device.errors().front();
}

TEST(NvmePciAdmin, ErrorEventIsReportedItsLogReadAndTheNextOneAskedFor) {
  Machine m(NvmeParams{});
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  EXPECT_EQ(m.Admin(nvme::AdminOpcode::kAsyncEventRequest).size(), 1u);
  m.device.RaiseDoorbellError(1);
  m.device.RaiseDoorbellError(0);  // masked until the log has been read
  m.clock.RunUntil(m.clock.Now() + kSec);
  EXPECT_EQ(m.driver.stats().async_events, 2u);
  EXPECT_EQ(m.driver.stats().doorbell_events, 2u);
  EXPECT_EQ(m.Admin(nvme::AdminOpcode::kGetLogPage).size(), 2u);
  EXPECT_EQ(m.Admin(nvme::AdminOpcode::kAsyncEventRequest).size(), 3u);
  EXPECT_TRUE(m.HasNotice("refused a doorbell: invalid value"));
  EXPECT_TRUE(m.HasNotice("refused a doorbell: no such queue"));
}

TEST(NvmePciAdmin, AsyncEventRequestThatFailsIsNotRepeated) {
  Machine m(NvmeParams{});
  m.device.FailAdmin(nvme::AdminOpcode::kAsyncEventRequest, nvme::Status::kAerLimitExceeded);
  m.Probe();
  ASSERT_TRUE(m.driver.live());
  EXPECT_EQ(m.Admin(nvme::AdminOpcode::kAsyncEventRequest).size(), 1u);
  EXPECT_EQ(m.driver.stats().async_events, 0u);
  EXPECT_TRUE(m.HasNotice("Asynchronous Event Request failed"));
}

}  // namespace
}  // namespace nvmearb::host
