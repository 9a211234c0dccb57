// SPDX-License-Identifier: Apache-2.0
//
// What RtlFrontEnd relies on. Outputs of nvmearb_top come from registers, so an input moves none of
// them before the edge, and they can be sampled beside the inputs. And ClockPins may run an edge
// through the inner regions of the model instead of eval().
#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "Vnvmearb_rtl_7_root.h"
#include "harness/clock_pins.h"
#include "harness/unknown_start.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {
namespace {

/// nvmearb_top with random inputs; device_ready_i and the straps stay as they are.
class RandomTop {
 public:
  /// `use_clock_pins`: edges through ClockPins, else through eval().
  explicit RandomTop(std::uint64_t seed, bool use_clock_pins = false)
      : random_(seed), use_clock_pins_(use_clock_pins) {
    context_.assertOn(false);  // random inputs break the assumptions
    model_.cap_i = 0x2078030fff;
    model_.vs_i = 0x10200;
    model_.max_count_i = 1;
    model_.rst_ni = 0;
    clock_.Start(model_);
    Edge();
    Edge();
    model_.rst_ni = 1;
    for (int i = 0; i < 32; ++i) Edge();
    for (const auto& [address, data] : kBringUp) Write(address, data);
    model_.device_ready_i = 1;
    for (int i = 0; i < 64; ++i) Edge();
  }
  ~RandomTop() {
    Verilated::threadContextp(&context_);  // the destructor of a model looks there
    model_.final();
  }

  /// An edge of the blocks in `awake` (kAllAwake: of all).
  void Edge(unsigned awake = kAllAwake, bool inputs_moved = true) {
    if (use_clock_pins_) return clock_.Edge(model_, awake, inputs_moved);
    SetClocks(0);
    SetClocks(awake);
  }
  void Settle() { model_.eval(); }

  void DriveAtRandom() {
    model_.s_axil_awvalid_i = Bit();
    model_.s_axil_awaddr_i = static_cast<std::uint16_t>(0x1000 + 4 * random_.Below(4));
    model_.s_axil_wvalid_i = Bit();
    model_.s_axil_wdata_i = static_cast<std::uint32_t>(random_.Below(16));
    model_.s_axil_wstrb_i = 0xf;
    model_.s_axil_bready_i = Bit();
    model_.s_axil_arvalid_i = Bit();
    model_.s_axil_araddr_i = static_cast<std::uint16_t>(4 * random_.Below(8));
    model_.s_axil_rready_i = Bit();
    model_.m_axi_arready_i = Bit();
    model_.m_axi_rvalid_i = Bit();
    model_.m_axi_rlast_i = Bit();
    model_.m_axi_rresp_i = static_cast<std::uint8_t>(random_.Below(4));
    model_.m_axis_sqe_tready_i = Bit();
    model_.dev_cfg_valid_i = Bit();
    for (std::uint32_t& word : model_.dev_cfg_i.m_storage) {
      word = static_cast<std::uint32_t>(random_.Next());
    }
    model_.slot_give_i = static_cast<std::uint8_t>(random_.Below(3));
    model_.complete_valid_i = Bit();
    model_.complete_i = random_.Below(8);
  }

  /// Every output pin, as bytes.
  [[nodiscard]] std::vector<std::uint8_t> Outputs() const {
    std::vector<std::uint8_t> bytes;
    const auto add = [&bytes](const auto& pin) {
      const auto* first = reinterpret_cast<const std::uint8_t*>(&pin);
      bytes.insert(bytes.end(), first, first + sizeof(pin));
    };
    const Vnvmearb_rtl_7& m = model_;
    add(m.s_axil_awready_o), add(m.s_axil_wready_o), add(m.s_axil_bvalid_o);
    add(m.s_axil_bresp_o), add(m.s_axil_arready_o), add(m.s_axil_rvalid_o);
    add(m.s_axil_rdata_o), add(m.s_axil_rresp_o), add(m.m_axi_arvalid_o), add(m.m_axi_araddr_o);
    add(m.m_axi_arlen_o), add(m.m_axi_rready_o), add(m.m_axis_sqe_tvalid_o);
    add(m.m_axis_sqe_tdata_o), add(m.m_axis_sqe_tuser_o), add(m.dev_cfg_ready_o);
    add(m.dev_cfg_done_o), add(m.complete_ready_o), add(m.enable_valid_o), add(m.enable_cc_o);
    add(m.disable_valid_o), add(m.shutdown_valid_o), add(m.db_error_valid_o), add(m.db_error_o);
    add(m.fetch_error_valid_o), add(m.fetch_error_sqid_o), add(m.int_mask_o), add(m.obs_o);
    add(m.awake_o), add(m.quiescent_o);
    return bytes;
  }

 private:
  static constexpr std::pair<std::uint32_t, std::uint32_t> kBringUp[] = {
      {0x24, 0x001f001f}, {0x28, 0x1000}, {0x30, 0x2000}, {0x14, 0x00460801}};

  void SetClocks(unsigned awake) {
    model_.clk_regs_i = awake & 1;
    model_.clk_ctrl_i = awake >> 1 & 1;
    model_.clk_core_i = awake >> 2 & 1;
    model_.clk_fetch_i = awake >> 3 & 1;
    model_.clk_event_i = awake >> 4 & 1;
    model_.clk_grant_i = awake >> 5 & 1;
    model_.eval();
  }
  std::uint8_t Bit() { return static_cast<std::uint8_t>(random_.Below(2)); }
  void Write(std::uint32_t address, std::uint32_t data) {
    model_.s_axil_bready_i = 1;
    model_.s_axil_awaddr_i = static_cast<std::uint16_t>(address);
    model_.s_axil_wdata_i = data;
    model_.s_axil_wstrb_i = 0xf;
    model_.s_axil_awvalid_i = model_.s_axil_wvalid_i = 1;
    Edge();
    model_.s_axil_awvalid_i = model_.s_axil_wvalid_i = 0;
    for (int i = 0; i < 8; ++i) Edge();
  }

  base::Random random_;
  const bool use_clock_pins_;
  UnknownStart context_;
  Vnvmearb_rtl_7 model_{&context_};
  ClockPins<Vnvmearb_rtl_7> clock_;
};

TEST(TopOutputs, ComeFromRegistersOnly) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomTop top(seed);
    std::vector<std::uint8_t> former = top.Outputs();
    int moved = 0;
    for (int clock = 0; clock < 500; ++clock) {
      const std::vector<std::uint8_t> before = top.Outputs();
      moved += before != former;
      former = before;
      top.DriveAtRandom();
      top.Settle();
      ASSERT_EQ(top.Outputs(), before) << "seed " << seed << ", clock " << clock;
      top.Edge();
    }
    EXPECT_GT(moved, 100) << "the edges themselves have to move outputs, seed " << seed;
  }
}

TEST(ClockPins, RunAnEdgeAsEvalDoes) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomTop by_eval(seed);
    RandomTop by_pins(seed, true);
    base::Random random(seed, 3);
    int moved = 0;
    for (int clock = 0; clock < 500; ++clock) {
      const std::vector<std::uint8_t> before = by_eval.Outputs();
      const bool drives = random.Below(3) != 0;
      if (drives) {
        by_eval.DriveAtRandom();
        by_pins.DriveAtRandom();
      }
      const auto awake = static_cast<unsigned>(random.Below(kAllAwake + 1));
      by_eval.Edge(awake);
      by_pins.Edge(awake, drives);
      ASSERT_EQ(by_eval.Outputs(), by_pins.Outputs()) << "seed " << seed << " clock " << clock;
      moved += by_eval.Outputs() != before;
    }
    EXPECT_GT(moved, 100) << "seed " << seed;
  }
}

}  // namespace
}  // namespace nvmearb::tb
