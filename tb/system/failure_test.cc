// SPDX-License-Identifier: Apache-2.0
//
// What must be noticed is noticed: falsified grants, devices that stop, I/O that ends in errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "forwarding_front_end.h"
#include "short_scenario.h"
#include "sim/cli/exit_code.h"
#include "sim/scenario/reader.h"

namespace nvmearb::system {
namespace {

const std::vector<std::string> kShort = {"run.runtime=3ms", "run.ramp=0s"};

/// Counts grants of I/O queues and falsifies one of them.
struct Falsifier {
  int countdown = 500;
  static void Tamper(void* context, arbiter::Event* event) {
    auto* self = static_cast<Falsifier*>(context);
    if (event->kind != arbiter::EventKind::kGrant || event->sqid == 0) return;
    if (--self->countdown == 0) event->sqid = static_cast<std::uint16_t>(event->sqid % 90 + 1);
  }
};

TEST(Failure, AFalsifiedGrantIsReportedAndTheRunFails) {
  for (const sim::Engine engine : {sim::Engine::kRtl, sim::Engine::kModel}) {
    const sim::Scenario scenario = Shipped("wrr_v3_randread", kShort);
    Falsifier falsifier;
    sim::SimulationOptions options;
    options.machine.engine = engine;
    options.machine.tamper = &Falsifier::Tamper;
    options.machine.tamper_context = &falsifier;
    sim::RunResult run;
    run.variants.push_back(sim::RunVariant(scenario, VariantOf(scenario, "wrr"), options));
    EXPECT_LE(falsifier.countdown, 0) << "nothing was falsified";
    ASSERT_FALSE(run.variants[0].findings.empty());
    EXPECT_NE(run.variants[0].first_finding.find("grant"), std::string::npos)
        << run.variants[0].first_finding;
    EXPECT_EQ(sim::ExitCodeOf(run), 1);
  }
}

TEST(Failure, TheSameRunWithoutFalsificationIsGood) {
  const sim::Scenario scenario = Shipped("wrr_v3_randread", kShort);
  sim::RunResult run;
  run.variants.push_back(sim::RunVariant(scenario, VariantOf(scenario, "wrr"), {}));
  EXPECT_TRUE(run.variants[0].findings.empty());
  EXPECT_EQ(sim::ExitCodeOf(run), 0);
}

/// Passes on `count` doorbells of I/O SQs and loses the rest.
class DeafFrontEnd : public ForwardingFrontEnd {
 public:
  DeafFrontEnd(ssd::FrontEnd* inner, int count) : ForwardingFrontEnd(inner), left_(count) {}
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    if (offset >= 0x1008 && offset % 8 == 0 && left_-- <= 0) return;
    ForwardingFrontEnd::MmioWrite(offset, value, bytes);
  }

 private:
  int left_;
};

TEST(Failure, ADeviceThatStopsListeningEndsInNoProgressWithHeadsAndTails) {
  for (const sim::Engine engine : {sim::Engine::kRtl, sim::Engine::kModel}) {
    const sim::Scenario scenario =
        Shipped("wrr_v3_randread", {"run.runtime=1s", "run.stall=100ms"});
    sim::SimulationOptions options;
    options.machine.engine = engine;
    options.machine.wrap = [](ssd::FrontEnd* inner) {
      return std::make_unique<DeafFrontEnd>(inner, 3000);
    };
    try {
      sim::RunVariant(scenario, VariantOf(scenario, "rr"), options);
      FAIL() << "the run ended";
    } catch (const sim::NoProgress& stall) {
      const std::string text = stall.what();
      EXPECT_NE(text.find("no completion for 100ms"), std::string::npos) << text;
      EXPECT_NE(text.find("I/O outstanding"), std::string::npos) << text;
      EXPECT_NE(text.find("tail"), std::string::npos) << text;
      EXPECT_NE(text.find("head"), std::string::npos) << text;
    }
  }
}

/// Hands every `period`-th fetched command on with another byte in it.
class CorruptingFrontEnd : public ForwardingFrontEnd, private ssd::FrontEndSink {
 public:
  CorruptingFrontEnd(ssd::FrontEnd* inner, int period)
      : ForwardingFrontEnd(inner), period_(period) {}
  void Attach(ssd::FrontEndSink* sink, ssd::FrontEndDma* dma, arbiter::EventSink* events) override {
    sink_ = sink;
    ForwardingFrontEnd::Attach(this, dma, events);
  }

 private:
  void OnEnable(const ssd::EnableConfig& config) override { sink_->OnEnable(config); }
  void OnDisable() override { sink_->OnDisable(); }
  void OnShutdown(std::uint8_t shn) override { sink_->OnShutdown(shn); }
  void OnConfigDone() override { sink_->OnConfigDone(); }
  void OnCommand(const ssd::FetchedCommand& command) override {
    ssd::FetchedCommand changed = command;
    if (command.sqid != 0 && ++count_ % period_ == 0) changed.sqe[60] ^= 1;  // CDW15: not used
    sink_->OnCommand(changed);
  }
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override {
    sink_->OnDoorbellError(error, is_cq, qid);
  }
  void OnFetchError(std::uint16_t sqid) override { sink_->OnFetchError(sqid); }

  ssd::FrontEndSink* sink_ = nullptr;
  int period_;
  int count_ = 0;
};

TEST(Failure, AWrongByteInAFetchedCommandIsFound) {
  const sim::Scenario scenario = Shipped("wrr_v3_randread", kShort);
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  options.machine.wrap = [](ssd::FrontEnd* inner) {
    return std::make_unique<CorruptingFrontEnd>(inner, 1000);
  };
  sim::RunResult run;
  run.variants.push_back(sim::RunVariant(scenario, VariantOf(scenario, "rr"), options));
  ASSERT_FALSE(run.variants[0].findings.empty());
  EXPECT_EQ(sim::ExitCodeOf(run), 1);
}

TEST(Failure, MoreQueuesThanTheRtlHasSaysWhatToChange) {
  const sim::Scenario scenario = Shipped("wrr_v3_randread", {"host.cpus=8x64x2"});
  try {
    sim::RunVariant(scenario, VariantOf(scenario, "rr"), {});
    FAIL() << "it ran";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("1024 I/O queues"), std::string::npos) << text;
    EXPECT_NE(text.find("NVMEARB_SIM_SQS=1025"), std::string::npos) << text;
    EXPECT_NE(text.find("host.cpus"), std::string::npos) << text;
  }
}

TEST(Failure, CommandsThatAResetTakesBackAreNotLost) {
  const sim::Scenario scenario = sim::ParseScenario(R"(title = "t"
source = "s"
host = { cpus = "1x2x1", io_timeout = 1 }
device = { dies = 1, read_time = "50ms" }
[[job]]
name = "a"
command = "--name=a --ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=64 --runtime=2 --time_based"
[[variant]]
name = "v"
)",
                                                    "x.toml", {});
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  sim::RunResult run;
  run.variants.push_back(sim::RunVariant(scenario, VariantOf(scenario, "v"), options));
  const std::vector<std::string>& notices = run.variants[0].notices;
  EXPECT_TRUE(std::any_of(notices.begin(), notices.end(), [](const std::string& notice) {
    return notice.find("resetting") != std::string::npos;
  }));
  EXPECT_EQ(run.variants[0].findings, std::vector<std::string>());
  EXPECT_EQ(sim::ExitCodeOf(run), 0);
}

/// The driver reads CSTS once for each of the 64 timeouts, and the RTL runs ahead for each read.
TEST(Failure, ManyTimeoutsAtOnceAreNoIdlenessOfTheRtl) {
  const sim::Scenario scenario = sim::ParseScenario(R"(title = "t"
source = "s"
run = { stall = "120s" }
host = { cpus = "1x2x1", io_timeout = 1, wrr_high_queues = 1 }
device = { dies = 1, read_time = "100ms" }
[[job]]
name = "a"
command = "--name=a --ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=64 --runtime=4 --time_based"
[[variant]]
name = "v"
)",
                                                    "x.toml", {});
  const sim::VariantResult result = sim::RunVariant(scenario, VariantOf(scenario, "v"), {});
  for (const std::string& finding : result.findings) {
    EXPECT_EQ(finding.find("idle"), std::string::npos) << finding;
  }
  EXPECT_EQ(result.first_finding, "");
}

TEST(Failure, AnInterruptGivesWhatWasMeasuredSoFar) {
  const sim::Scenario scenario = Shipped("wrr_v3_randread", {"run.runtime=60s", "run.ramp=0s"});
  volatile std::sig_atomic_t flag = 0;
  sim::SimulationOptions options;
  options.machine.engine = sim::Engine::kModel;
  options.interrupt = &flag;
  options.progress = [&flag](const sim::ProgressReport& report) {
    if (report.simulated_ps > 20'000'000'000) flag = 1;
  };
  sim::RunResult run;
  run.variants.push_back(sim::RunVariant(scenario, VariantOf(scenario, "rr"), options));
  EXPECT_TRUE(run.variants[0].interrupted);
  EXPECT_LT(run.variants[0].simulated_ps, 100'000'000'000u);
  EXPECT_GT(run.variants[0].jobs[0].iops, 100000);
  EXPECT_EQ(sim::ExitCodeOf(run), 130);
}

}  // namespace
}  // namespace nvmearb::system
