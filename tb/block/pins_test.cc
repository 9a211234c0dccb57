// SPDX-License-Identifier: Apache-2.0
//
// What a host behind PCIe cannot do, on the pins: AW and W in any order, byte strobes,
// back-pressure on every response, with the protocol monitor watching; and the monitor itself,
// shown pins that break each rule.
#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <deque>
#include <functional>

#include "Vnvmearb_rtl_7.h"
#include "block/axi_monitor.h"
#include "block/quiet_pins.h"
#include "harness/unknown_start.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {
namespace {

using Tamper = std::function<void(AxiPins*)>;

/// Drives the AXI4-Lite channels at random and compares with a register file of four lines.
class Bench {
 public:
  explicit Bench(std::uint64_t seed) : random_(seed) {
    context_.fatalOnError(false);
    model_.cap_i = 0x2078030fff;
    model_.vs_i = 0x10400;
    model_.max_count_i = 1;
    QuietPins(&model_);
    model_.rst_ni = 0;
    Clock();
    Clock();
    model_.rst_ni = 1;
    for (int i = 0; i < 32; ++i) Clock();
  }
  ~Bench() { model_.final(); }

  void Write(std::uint32_t address, std::uint32_t data, unsigned strobe) {
    writes_.push_back({address, data, strobe});
  }
  /// Sends a read behind the writes so far; its value is checked against the register file.
  void Read(std::uint32_t address) { reads_.push_back({address, writes_sent_ + writes_.size()}); }

  /// Runs until all is answered; false when it takes too long.
  bool Finish(unsigned ready_percent, const Tamper& tamper = nullptr) {
    for (int clock = 0; clock < 20'000; ++clock) {
      if (writes_.empty() && reads_.empty() && answered_writes_ == writes_sent_ && !read_sent_) {
        return true;
      }
      Step(ready_percent, tamper);
    }
    return false;
  }

  [[nodiscard]] const AxiMonitor& monitor() const { return monitor_; }
  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t compared_count() const { return compared_; }
  [[nodiscard]] bool AssertionFailed() const { return context_.gotError(); }

 private:
  struct Access {
    std::uint32_t address;
    std::uint32_t data;
    unsigned strobe;
  };
  struct PendingRead {
    std::uint32_t address;
    std::uint64_t after;  // writes that have to be in front
  };

  void Clock() {
    SetClocks(0);
    SetClocks(1);
  }

  /// All copies of the clock, ungated.
  void SetClocks(std::uint8_t level) {
    model_.clk_regs_i = model_.clk_ctrl_i = model_.clk_core_i = model_.clk_fetch_i = level;
    model_.clk_event_i = model_.clk_grant_i = level;
    model_.eval();
  }

  bool Coin(unsigned percent) { return random_.Below(100) < percent; }

  void Step(unsigned ready_percent, const Tamper& tamper) {
    // AW and W run ahead of each other by up to three.
    if (!model_.s_axil_awvalid_i && aw_next_ < writes_.size() && aw_next_ < w_next_ + 3 &&
        Coin(50)) {
      model_.s_axil_awvalid_i = 1;
      model_.s_axil_awaddr_i = static_cast<std::uint16_t>(writes_[aw_next_].address);
    }
    if (!model_.s_axil_wvalid_i && w_next_ < writes_.size() && w_next_ < aw_next_ + 3 && Coin(50)) {
      model_.s_axil_wvalid_i = 1;
      model_.s_axil_wdata_i = writes_[w_next_].data;
      model_.s_axil_wstrb_i = static_cast<std::uint8_t>(writes_[w_next_].strobe);
    }
    // A read goes out when every write in front of it was taken, in the same clock at the earliest.
    if (!model_.s_axil_arvalid_i && !read_sent_ && !reads_.empty() &&
        writes_sent_ + std::min(aw_next_, w_next_) >= reads_.front().after && Coin(70)) {
      model_.s_axil_arvalid_i = 1;
      model_.s_axil_araddr_i = static_cast<std::uint16_t>(reads_.front().address);
    }
    model_.s_axil_bready_i = Coin(ready_percent);
    model_.s_axil_rready_i = Coin(ready_percent);
    SetClocks(0);

    AxiPins pins = Pins();
    const AxiPins seen = pins;
    if (tamper) tamper(&pins);
    monitor_.Sample(pins);
    SetClocks(1);

    if (seen.aw.Fires()) {
      ++aw_next_;
      model_.s_axil_awvalid_i = 0;
    }
    if (seen.w.Fires()) {
      ++w_next_;
      model_.s_axil_wvalid_i = 0;
    }
    while (aw_next_ > 0 && w_next_ > 0) {
      Apply(writes_.front());
      if (read_sent_) allowed_.push_back(Value(reads_.front().address));
      writes_.pop_front();
      --aw_next_;
      --w_next_;
      ++writes_sent_;
    }
    if (seen.b.Fires()) ++answered_writes_;
    if (seen.ar.Fires()) {
      model_.s_axil_arvalid_i = 0;
      read_sent_ = true;
      allowed_.assign(1, Value(reads_.front().address));
    }
    if (seen.r.Fires()) {
      // Every write taken before the read or with it has acted; later ones may have.
      if (std::find(allowed_.begin(), allowed_.end(), seen.r.payload) == allowed_.end()) {
        wrong_.push_back("read of " + std::to_string(reads_.front().address));
      }
      ++compared_;
      reads_.pop_front();
      read_sent_ = false;
    }
  }

  AxiPins Pins() const {
    AxiPins pins;
    pins.aw = {model_.s_axil_awvalid_i != 0, model_.s_axil_awready_o != 0, model_.s_axil_awaddr_i};
    pins.w = {model_.s_axil_wvalid_i != 0, model_.s_axil_wready_o != 0,
              (std::uint64_t{model_.s_axil_wstrb_i} << 32) | model_.s_axil_wdata_i};
    pins.b = {model_.s_axil_bvalid_o != 0, model_.s_axil_bready_i != 0, model_.s_axil_bresp_o};
    pins.ar = {model_.s_axil_arvalid_i != 0, model_.s_axil_arready_o != 0, model_.s_axil_araddr_i};
    pins.r = {model_.s_axil_rvalid_o != 0, model_.s_axil_rready_i != 0, model_.s_axil_rdata_o};
    pins.m_ar = {model_.m_axi_arvalid_o != 0, model_.m_axi_arready_i != 0, model_.m_axi_araddr_o};
    pins.m_araddr = model_.m_axi_araddr_o;
    pins.m_arlen = model_.m_axi_arlen_o;
    pins.m_arsize = model_.m_axi_arsize_o;
    pins.m_arburst = model_.m_axi_arburst_o;
    pins.bresp = model_.s_axil_bresp_o;
    pins.rresp = model_.s_axil_rresp_o;
    return pins;
  }

  /// AQA, ASQ and the interrupt mask: what they hold after a write with strobes.
  void Apply(const Access& access) {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if ((access.strobe >> i) & 1) bits |= 0xffu << (8 * i);
    }
    const auto merge = [&](std::uint32_t& reg, std::uint32_t mask) {
      reg = ((reg & ~bits) | (access.data & bits)) & mask;
    };
    switch (access.address) {
      case 0x0c:
        mask_ |= access.data & bits;
        break;
      case 0x10:
        mask_ &= ~(access.data & bits);
        break;
      case 0x24:
        merge(aqa_, 0x0fff0fff);
        break;
      case 0x28:
        merge(asq_low_, 0xfffff000);
        break;
      case 0x2c:
        merge(asq_high_, 0xffffffff);
        break;
      default:
        break;
    }
  }
  std::uint32_t Value(std::uint32_t address) const {
    switch (address) {
      case 0x0c:
        return mask_;
      case 0x10:
        return mask_;
      case 0x24:
        return aqa_;
      case 0x28:
        return asq_low_;
      case 0x2c:
        return asq_high_;
      default:
        return 0;
    }
  }

  UnknownStart context_;
  Vnvmearb_rtl_7 model_{&context_};
  base::Random random_;
  AxiMonitor monitor_{64};
  std::deque<Access> writes_;
  std::deque<PendingRead> reads_;
  std::size_t aw_next_ = 0, w_next_ = 0;
  std::uint64_t writes_sent_ = 0, answered_writes_ = 0;
  bool read_sent_ = false;
  std::vector<std::uint64_t> allowed_;  // values that the read under way may return
  std::uint32_t mask_ = 0, aqa_ = 0, asq_low_ = 0, asq_high_ = 0;
  std::uint64_t compared_ = 0;
  std::vector<std::string> wrong_;
};

constexpr std::uint32_t kAddresses[] = {0x0c, 0x10, 0x24, 0x28, 0x2c, 0x40, 0x1000};

void RandomAccesses(Bench& bench, std::uint64_t seed, int count) {
  base::Random random(seed, 9);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t address = kAddresses[random.Below(7)];
    if (random.Below(3) != 0) {
      bench.Write(address, static_cast<std::uint32_t>(random.Next()),
                  static_cast<unsigned>(random.Below(16)));
    } else {
      bench.Read(address);
    }
  }
}

TEST(AxiLitePins, AnyInterleavingAndBackPressureGivesTheRightValues) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Bench bench(seed);
    RandomAccesses(bench, seed, 300);
    ASSERT_TRUE(bench.Finish(seed % 2 == 0 ? 90 : 20)) << "seed " << seed;
    EXPECT_TRUE(bench.wrong().empty()) << bench.wrong().front() << " seed " << seed;
    EXPECT_GT(bench.compared_count(), 50u);
    EXPECT_TRUE(bench.monitor().findings().empty()) << bench.monitor().findings().front();
    EXPECT_FALSE(bench.AssertionFailed());
  }
}

/// What the monitor says when every clock's pins pass through `tamper`.
std::vector<std::string> FindingsWith(const Tamper& tamper) {
  Bench bench(5);
  RandomAccesses(bench, 5, 100);
  EXPECT_TRUE(bench.Finish(30, tamper));
  return bench.monitor().findings();
}

bool Contains(const std::vector<std::string>& findings, const std::string& what) {
  return std::find(findings.begin(), findings.end(), what) != findings.end();
}

TEST(AxiMonitor, ReportsAResponseThatIsWithdrawn) {
  int count = 0;
  EXPECT_TRUE(Contains(FindingsWith([&](AxiPins* pins) {
                         if (pins->r.valid && ++count % 2 == 0) pins->r.valid = false;
                       }),
                       "R valid withdrawn"));
}

TEST(AxiMonitor, ReportsDataThatChangesWhileItWaits) {
  std::uint64_t count = 0;
  EXPECT_TRUE(Contains(FindingsWith([&](AxiPins* pins) { pins->r.payload += ++count; }),
                       "R payload changed"));
}

TEST(AxiMonitor, ReportsResponsesNobodyAskedFor) {
  EXPECT_TRUE(
      Contains(FindingsWith([](AxiPins* pins) { pins->b.valid = true; }), "B without a write"));
  EXPECT_TRUE(
      Contains(FindingsWith([](AxiPins* pins) { pins->r.valid = true; }), "R without a read"));
}

TEST(AxiMonitor, ReportsBurstsThatBreakTheRules) {
  AxiMonitor monitor(64);
  AxiPins pins;
  pins.m_ar = {true, true, 0xfc0};
  pins.m_araddr = 0xfc0;
  pins.m_arlen = 1;
  monitor.Sample(pins);
  EXPECT_TRUE(Contains(monitor.findings(), "M_AR crosses 4 KiB"));
  pins = {};
  pins.m_r = {true, true, 0};
  pins.m_rlast = true;  // the first of two
  monitor.Sample(pins);
  EXPECT_TRUE(Contains(monitor.findings(), "M_R last misplaced"));
  monitor.Sample(pins);
  monitor.Sample(pins);  // a third
  EXPECT_TRUE(Contains(monitor.findings(), "M_R without a burst"));
  pins = {};
  pins.m_ar = {true, true, 0x20};
  pins.m_araddr = 0x20;
  monitor.Sample(pins);
  EXPECT_TRUE(Contains(monitor.findings(), "M_AR not whole SQEs"));
}

TEST(AxiMonitor, ReportsEachAttributeThatABurstMustNotHave) {
  const auto finding = [](const Tamper& tamper) {
    AxiMonitor monitor(64, 2);
    AxiPins pins;
    pins.m_ar = {true, true, 0x1000};
    pins.m_araddr = 0x1000;
    monitor.Sample(pins);
    monitor.Sample(pins);
    EXPECT_TRUE(monitor.findings().empty());
    tamper(&pins);
    monitor.Sample(pins);
    return monitor.findings();
  };
  EXPECT_TRUE(Contains(finding([](AxiPins* pins) { pins->m_arburst = 0; }), "M_AR not INCR"));
  EXPECT_TRUE(
      Contains(finding([](AxiPins* pins) { pins->m_arsize = 5; }), "M_AR size not of the bus"));
  EXPECT_TRUE(
      Contains(finding([](AxiPins* pins) { pins->m_arlen = 256; }), "M_AR longer than 256 beats"));
  EXPECT_TRUE(Contains(finding([](AxiPins*) {}), "M_AR beyond the reads allowed"));
}

TEST(AxiMonitor, ReportsResponsesThatAxiLiteDoesNotHave) {
  EXPECT_TRUE(Contains(FindingsWith([](AxiPins* pins) { pins->bresp = 1; }), "B with EXOKAY"));
  EXPECT_TRUE(Contains(FindingsWith([](AxiPins* pins) { pins->rresp = 1; }), "R with EXOKAY"));
}

TEST(AxiMonitor, ReportsOffersDuringResetAndForgetsWhatWasBeforeIt) {
  AxiMonitor monitor(64);
  AxiPins pins;
  pins.m_ar = {true, false, 0x1000};
  pins.m_araddr = 0x1000;
  monitor.Sample(pins);
  pins = {};
  pins.reset = true;
  monitor.Sample(pins);
  EXPECT_TRUE(monitor.findings().empty()) << monitor.findings().front();
  pins.b.valid = pins.r.valid = pins.m_ar.valid = pins.stream.valid = true;
  monitor.Sample(pins);
  const std::vector<std::string> expected = {"B valid in reset", "R valid in reset",
                                             "M_AR valid in reset", "STREAM valid in reset"};
  EXPECT_EQ(monitor.findings(), expected);
}

TEST(AxiMonitor, ReportsAnyChannelThatLetsGoOfAnOffer) {
  using Channel = ChannelPins AxiPins::*;
  const std::pair<Channel, const char*> channels[] = {
      {&AxiPins::aw, "AW"},   {&AxiPins::w, "W"},          {&AxiPins::b, "B"},
      {&AxiPins::ar, "AR"},   {&AxiPins::r, "R"},          {&AxiPins::m_ar, "M_AR"},
      {&AxiPins::m_r, "M_R"}, {&AxiPins::stream, "STREAM"}};
  for (const auto& [channel, name] : channels) {
    AxiMonitor monitor(64);
    AxiPins pins;
    pins.*channel = {true, false, 1};
    monitor.Sample(pins);
    (pins.*channel).payload = 2;
    monitor.Sample(pins);
    EXPECT_TRUE(Contains(monitor.findings(), std::string(name) + " payload changed"));
    (pins.*channel).valid = false;
    monitor.Sample(pins);
    EXPECT_TRUE(Contains(monitor.findings(), std::string(name) + " valid withdrawn"));
  }
}

}  // namespace
}  // namespace nvmearb::tb
