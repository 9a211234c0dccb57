// SPDX-License-Identifier: Apache-2.0
//
// The whole drive behind DevicePort and its TLM sockets, with a least host: bring-up, I/O, resets,
// several runs in one process.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "nvme/admin_commands.h"
#include "nvme/features.h"
#include "nvme/io_commands.h"
#include "ssd/model_front_end.h"
#include "ssd/ssd_device.h"
#include "ssd/testing/closed_loop.h"
#include "ssd/testing/test_host.h"

namespace nvmearb::ssd {
namespace {

using nvme::Status;

constexpr TimePs kMs = 1'000'000'000;
constexpr std::uint8_t kWrr = 1;

/// Another SystemC initiator at the BAR 0 socket of slot 1.
class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::vector<std::uint64_t> values;
  std::vector<tlm::tlm_response_status> responses;
  std::vector<TimePs> kernel_times;

  SC_HAS_PROCESS(Initiator);
  Initiator(sc_core::sc_module_name name, Kernel* kernel)
      : sc_core::sc_module(name), socket("socket"), kernel_(kernel) {
    SC_THREAD(Run);
  }
  void Go() { go_.notify(sc_core::SC_ZERO_TIME); }

 private:
  std::uint64_t Access(tlm::tlm_command command, std::uint64_t offset, std::uint64_t value,
                       unsigned bytes, TimePs delay_ps) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay = sc_core::sc_time::from_value(delay_ps);
    socket->b_transport(payload, delay);
    responses.push_back(payload.get_response_status());
    kernel_times.push_back(kernel_->Now());
    return value;
  }
  void Run() {
    while (true) {
      wait(go_);
      wait(100, sc_core::SC_NS);
      values.push_back(Access(tlm::TLM_READ_COMMAND, nvme::kRegCap, 0, 8, 0));
      Access(tlm::TLM_WRITE_COMMAND, nvme::kRegAqa, 0x1f001f, 4, 50'000);
      values.push_back(Access(tlm::TLM_READ_COMMAND, nvme::kRegAqa, 0, 4, 0));
      Access(tlm::TLM_READ_COMMAND, 0x2, 0, 4, 0);
      Access(tlm::TLM_READ_COMMAND, 0x0, 0, 2, 0);
    }
  }
  Kernel* kernel_;
  sc_core::sc_event go_;
};

class SsdDeviceTest : public testing::Test {
 public:
  static void SetUpTestSuite() {
    if (initiator_ != nullptr) return;
    initiator_ = new Initiator("initiator", &Platform::Instance().kernel());
    initiator_->socket.bind(Platform::Instance().slot(1).sockets->bar0);
  }

 protected:
  SsdDeviceTest() {
    Platform::Instance().Reset();
    Build(0);
  }
  void Build(std::size_t slot) {
    host_.reset();
    device_.reset();
    device_ = std::make_unique<SsdDevice>(
        &Platform::Instance(), slot, FindPreset("p4510")->make(),
        std::make_unique<ModelFrontEnd>(&kernel_, ModelFrontEndParams{}));
    host_ = std::make_unique<TestHost>(&kernel_, device_.get());
  }
  std::vector<nvme::Cqe> ReapAll(std::uint16_t qid) {
    std::vector<nvme::Cqe> cqes;
    nvme::Cqe cqe;
    while (host_->Reap(qid, &cqe)) cqes.push_back(cqe);
    if (!cqes.empty()) host_->RingHead(qid);
    return cqes;
  }

  static Initiator* initiator_;
  Kernel& kernel_ = Platform::Instance().kernel();
  std::unique_ptr<SsdDevice> device_;
  std::unique_ptr<TestHost> host_;
};

Initiator* SsdDeviceTest::initiator_ = nullptr;

TEST_F(SsdDeviceTest, RegistersReadAsPublishedAfterTheBringUp) {
  host_->Enable(kWrr);
  EXPECT_EQ(device_->MmioRead(nvme::kRegCap, 8), 0x2078030fffu);
  EXPECT_EQ(host_->Read32(nvme::kRegVs), 0x10200u);
  EXPECT_EQ(host_->Read32(nvme::kRegCc), 0x460801u);
  EXPECT_EQ(host_->Read32(nvme::kRegAqa), 0x1f001fu);
  EXPECT_EQ(host_->Read32(nvme::kRegCsts), 1u);
}

TEST_F(SsdDeviceTest, ReadGoesThroughAllOfTheDrive) {
  host_->Enable(kWrr);
  ASSERT_EQ(host_->CreatePair(1, 64, 1), Status::kSuccess);
  nvme::ReadWrite read;
  read.block_count = 8;
  host_->Place(1, read.Encode(77));
  host_->Ring(1);
  host_->Run(kMs);
  const std::vector<nvme::Cqe> cqes = ReapAll(1);
  ASSERT_EQ(cqes.size(), 1u);
  EXPECT_EQ(cqes[0].cid, 77);
  EXPECT_EQ(cqes[0].sqid, 1);
  EXPECT_EQ(cqes[0].sqhd, 1);
  EXPECT_EQ(cqes[0].GetStatus(), Status::kSuccess);
  EXPECT_EQ(host_->interrupts().back(), 1);
  EXPECT_EQ(device_->UpdatedStatistics().reads_completed, 1u);
}

TEST_F(SsdDeviceTest, EveryAdminQueueSlotIsUsedAndWraps) {
  host_->Enable(kWrr);
  for (std::uint32_t i = 0; i < 3 * TestHost::kAdminEntries + 2; ++i) {
    const nvme::Cqe cqe = host_->Admin(nvme::GetFeatures{1, 0, 0}.Encode(host_->NextCid()));
    ASSERT_EQ(cqe.GetStatus(), Status::kSuccess);
    ASSERT_EQ(cqe.sqhd, (i + 1) % TestHost::kAdminEntries);
  }
}

TEST_F(SsdDeviceTest, ManySqsMayShareACq) {
  host_->Enable(kWrr);
  ASSERT_EQ(host_->CreatePair(1, 64, 0), Status::kSuccess);
  for (std::uint16_t qid = 2; qid <= 4; ++qid) {
    nvme::CreateIoSq sq;
    TestHost::Pair& pair = host_->pair(qid);
    pair.sq_base = host_->Allocate(16 * 64);
    pair.size_count = 16;
    sq.prp1 = pair.sq_base;
    sq.qid = qid;
    sq.size_zb = 15;
    sq.cqid = 1;
    ASSERT_EQ(host_->Admin(sq.Encode(host_->NextCid())).GetStatus(), Status::kSuccess);
  }
  for (std::uint16_t qid = 1; qid <= 4; ++qid) {
    for (std::uint16_t i = 0; i < 3; ++i) {
      host_->Place(qid, nvme::ReadWrite{}.Encode(static_cast<std::uint16_t>(qid * 16 + i)));
    }
    host_->Ring(qid);
  }
  host_->Run(kMs);
  const std::vector<nvme::Cqe> cqes = ReapAll(1);
  ASSERT_EQ(cqes.size(), 12u);
  for (const nvme::Cqe& cqe : cqes) EXPECT_EQ(cqe.cid / 16, cqe.sqid);
}

TEST_F(SsdDeviceTest, HostThatDoesNotConsumeStallsItselfAndNobodyElse) {
  host_->Enable(kWrr);
  ASSERT_EQ(host_->CreatePair(1, 4, 1), Status::kSuccess);
  ASSERT_EQ(host_->CreatePair(2, 64, 1), Status::kSuccess);
  for (std::uint16_t i = 0; i < 3; ++i) host_->Place(1, nvme::ReadWrite{}.Encode(i));
  host_->Ring(1);
  host_->Run(kMs);
  for (std::uint16_t i = 3; i < 6; ++i) host_->Place(1, nvme::ReadWrite{}.Encode(i));
  host_->Ring(1);  // three more, but CQ 1 holds three that nobody took
  for (std::uint16_t i = 0; i < 20; ++i) host_->Place(2, nvme::ReadWrite{}.Encode(i));
  host_->Ring(2);
  host_->Run(2 * kMs);
  EXPECT_EQ(ReapAll(2).size(), 20u);
  EXPECT_NE(device_->DescribeQueues().find("SQ 1: head 3 tail 2 of 4, CQ 1 room 0, parked"),
            std::string::npos)
      << device_->DescribeQueues();
  // Deleting the SQ works although its CQ is full.
  EXPECT_EQ(host_->Admin(nvme::DeleteIoSq{1}.Encode(host_->NextCid())).GetStatus(),
            Status::kSuccess);
  EXPECT_EQ(ReapAll(1).size(), 3u);
}

TEST_F(SsdDeviceTest, ResetUnderLoadThenEverythingWorksAgain) {
  for (int round = 0; round < 3; ++round) {
    host_->Enable(kWrr);
    ASSERT_EQ(host_->Read32(nvme::kRegCsts), 1u);
    ASSERT_EQ(host_->CreatePair(1, 256, 2), Status::kSuccess);
    for (std::uint16_t i = 0; i < 200; ++i) {
      nvme::ReadWrite command;
      command.opcode = i % 3 == 0 ? nvme::IoOpcode::kWrite : nvme::IoOpcode::kRead;
      command.block_count = 256;
      host_->Place(1, command.Encode(i));
    }
    host_->Ring(1);
    host_->Run(kMs / 4);
    EXPECT_GT(ReapAll(1).size(), 0u);
    host_->Disable();
    EXPECT_EQ(host_->Read32(nvme::kRegCsts), 0u);
    EXPECT_EQ(host_->Read32(nvme::kRegCc), 0u);
    const auto interrupts = host_->interrupts().size();
    host_->Run(50 * kMs);
    EXPECT_EQ(host_->interrupts().size(), interrupts) << "no CQE after the reset";
  }
}

TEST_F(SsdDeviceTest, WeightsOfSetFeaturesRuleTheShares) {
  host_->Enable(kWrr);
  const std::uint32_t value = nvme::ArbitrationFeature::FromCounts(0, 8, 1, 1).Encode();
  ASSERT_EQ(host_->Admin(nvme::SetFeatures{1, false, value, 0}.Encode(1)).GetStatus(),
            Status::kSuccess);
  EXPECT_EQ(host_->Admin(nvme::GetFeatures{1, 0, 0}.Encode(2)).dw0, value);
  std::vector<LoopJob> jobs;
  for (std::uint16_t i = 0; i < 3; ++i) {
    LoopJob job;
    job.qid = static_cast<std::uint16_t>(i + 1);
    job.qprio = static_cast<std::uint8_t>(i + 1);
    job.depth = 500;
    jobs.push_back(job);
  }
  ClosedLoop loop(&kernel_, host_.get(), jobs);
  loop.Run(5 * kMs, 20 * kMs);
  EXPECT_NEAR(loop.RatePerSecond(1) / loop.RatePerSecond(2), 8.0, 0.2);
  EXPECT_NEAR(loop.RatePerSecond(2) / loop.RatePerSecond(3), 1.0, 0.05);
}

TEST_F(SsdDeviceTest, LostAdminQueueMemoryIsFatalAndReported) {
  host_->Enable(kWrr);
  host_->Unmap(host_->pair(0).sq_base, 4096);
  host_->Place(0, nvme::GetFeatures{1, 0, 0}.Encode(1));
  host_->Ring(0);
  host_->Run(kMs);
  EXPECT_EQ(host_->Read32(nvme::kRegCsts), 3u);
  EXPECT_EQ(device_->firmware().fetch_error_count(), 1u);
}

TEST_F(SsdDeviceTest, AnotherInitiatorReachesTheSameRegisters) {
  Build(1);
  initiator_->Go();
  kernel_.RunUntil(kMs);
  ASSERT_EQ(initiator_->values.size(), 2u);
  EXPECT_EQ(initiator_->values[0], 0x2078030fffu);
  EXPECT_EQ(initiator_->values[1], 0x1f001fu);
  ASSERT_EQ(initiator_->responses.size(), 5u);
  EXPECT_EQ(initiator_->responses[0], tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(initiator_->responses[3], tlm::TLM_BURST_ERROR_RESPONSE) << "not aligned";
  EXPECT_EQ(initiator_->responses[4], tlm::TLM_BURST_ERROR_RESPONSE) << "two bytes";
  EXPECT_EQ(initiator_->kernel_times[0], 100'000u);
  EXPECT_EQ(initiator_->kernel_times[1], 150'000u) << "its delay was waited for";
}

/// What a run of 5 ms leaves behind, as text.
std::string OneRun(std::uint64_t seed) {
  struct Hash : arbiter::EventSink {
    std::uint64_t value = 0xcbf29ce484222325u;
    std::uint64_t count = 0;
    void OnEvent(const arbiter::Event& event) override {
      ++count;
      for (const std::uint64_t word :
           {event.cycle, event.time_ps, std::uint64_t{event.sqid}, std::uint64_t{event.head},
            static_cast<std::uint64_t>(event.kind)}) {
        value = (value ^ word) * 0x100000001b3u;
      }
    }
  } hash;
  Platform& platform = Platform::Instance();
  platform.Reset();
  SsdParams params = FindPreset("p4510")->make();
  params.seed = seed;
  SsdDevice device(&platform, 0, params,
                   std::make_unique<ModelFrontEnd>(&platform.kernel(), ModelFrontEndParams{}),
                   &hash);
  TestHost host(&platform.kernel(), &device);
  host.Enable(kWrr);
  std::vector<LoopJob> jobs(4);
  for (std::uint16_t i = 0; i < 4; ++i) {
    jobs[i].qid = static_cast<std::uint16_t>(i + 1);
    jobs[i].qprio = static_cast<std::uint8_t>(i);
    jobs[i].depth = 64;
  }
  ClosedLoop loop(&platform.kernel(), &host, jobs);
  loop.Run(kMs, 4 * kMs);
  return std::to_string(hash.value) + "/" + std::to_string(hash.count) + "/" +
         std::to_string(device.UpdatedStatistics().latency_sum_ps) + "/" +
         std::to_string(platform.kernel().Now());
}

TEST(SsdRuns, AreTheSameAloneAndAfterOthers) {
  const std::string first = OneRun(1);
  EXPECT_EQ(first, OneRun(1));
  EXPECT_NE(first, OneRun(2));
  EXPECT_EQ(first, OneRun(1)) << "also after a different one";
}

TEST(SsdRuns, TwoDrivesRunSideBySide) {
  Platform& platform = Platform::Instance();
  platform.Reset();
  std::vector<std::unique_ptr<SsdDevice>> devices;
  std::vector<std::unique_ptr<TestHost>> hosts;
  for (std::size_t slot = 2; slot < 4; ++slot) {
    devices.push_back(std::make_unique<SsdDevice>(
        &platform, slot, FindPreset("p4510")->make(),
        std::make_unique<ModelFrontEnd>(&platform.kernel(), ModelFrontEndParams{})));
    hosts.push_back(std::make_unique<TestHost>(&platform.kernel(), devices.back().get()));
    hosts.back()->Enable(kWrr);
    ASSERT_EQ(hosts.back()->CreatePair(1, 64, 1), Status::kSuccess);
  }
  hosts[1]->Place(1, nvme::ReadWrite{}.Encode(5));
  hosts[1]->Ring(1);
  hosts[1]->Run(kMs);
  nvme::Cqe cqe;
  EXPECT_FALSE(hosts[0]->Reap(1, &cqe));
  EXPECT_TRUE(hosts[1]->Reap(1, &cqe));
}

TEST(SsdRunsDeathTest, OneDrivePerSlotAndNoneAtAReset) {
  Platform& platform = Platform::Instance();
  platform.Reset();
  const auto make = [&platform] {
    return std::make_unique<SsdDevice>(
        &platform, 0, FindPreset("p4510")->make(),
        std::make_unique<ModelFrontEnd>(&platform.kernel(), ModelFrontEndParams{}));
  };
  const auto device = make();
  EXPECT_DEATH(make(), "one drive per slot");
  EXPECT_DEATH(platform.Reset(), "drives are gone");
}

}  // namespace
}  // namespace nvmearb::ssd
