// SPDX-License-Identifier: Apache-2.0
//
// TopBench: nvmearb_top on its pins, every clock run: a host that writes registers back to back, a
// memory that answers after `latency` clocks, a device that takes everything; an AxiMonitor
// watches.
#ifndef NVMEARB_TB_BLOCK_TOP_BENCH_H_
#define NVMEARB_TB_BLOCK_TOP_BENCH_H_

#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <deque>

#include "Vnvmearb_rtl_7.h"
#include "block/axi_monitor.h"
#include "block/quiet_pins.h"
#include "harness/cfg_words.h"
#include "harness/obs_layout.h"
#include "harness/unknown_start.h"
#include "nvme/base/check.h"

namespace nvmearb::tb {

class TopBench {
 public:
  static constexpr unsigned kSqs = 7;

  explicit TopBench(bool wrr) {
    context_.fatalOnError(false);
    model_.cap_i = 0x2078030fff;
    model_.vs_i = 0x10400;
    model_.max_count_i = 1;
    QuietPins(&model_);
    Reset(2);
    BringUp(wrr);
  }
  ~TopBench() { model_.final(); }

  unsigned latency = 1;  ///< clocks from AR to its first beat

  /// A hardware reset. Memory is not reset: it still answers what it was asked before.
  void Reset(unsigned clocks) {
    for (Burst& burst : bursts_) burst.late = true;
    model_.device_ready_i = 0;
    model_.rst_ni = 0;
    Run(clocks);
    model_.rst_ni = 1;
  }
  /// Enables the controller, from a reset on.
  void BringUp(bool wrr) {
    enabled_ = false;
    Run(32);
    Write(0x24, 0x00ff'00ff);
    Write(0x28, 0x0100'0000);
    Write(0x30, 0x0200'0000);
    Write(0x14, 0x0046'0001u | (wrr ? 0x800u : 0u));
    Run(64);
    model_.device_ready_i = 1;
    Run(4);
    NVMEARB_CHECK(enabled_, "the controller was not enabled");
  }

  /// CQ and SQ `id` of `size_count` entries.
  void Create(std::uint16_t id, std::uint32_t size_count, arbiter::SqClass sq_class) {
    Configure(CfgCreateCq({id, size_count}));
    Configure(CfgCreateSq({id, id, size_count, sq_class, (std::uint64_t{id} + 1) << 24}));
  }
  void Configure(const CfgWords& words) {
    std::copy(words.begin(), words.end(), model_.dev_cfg_i.data());
    model_.dev_cfg_valid_i = 1;
    while (!model_.dev_cfg_ready_o) Clock();
    Clock();
    model_.dev_cfg_valid_i = 0;
    while (!model_.dev_cfg_done_o) Clock();
    Clock();
  }
  void GiveSlots(unsigned count) {
    for (; count > 0; count -= std::min(count, 15u)) {
      model_.slot_give_i = static_cast<std::uint8_t>(std::min(count, 15u));
      Clock();
    }
    model_.slot_give_i = 0;
  }

  /// Shows a register write; returns false while it was not taken in this clock.
  bool TryWrite(std::uint32_t address, std::uint32_t data) {
    model_.s_axil_awaddr_i = static_cast<std::uint16_t>(address);
    model_.s_axil_wdata_i = data;
    model_.s_axil_wstrb_i = 0xf;
    model_.s_axil_awvalid_i = model_.s_axil_wvalid_i = 1;
    const bool taken = model_.s_axil_awready_o && model_.s_axil_wready_o;
    Clock();
    model_.s_axil_awvalid_i = model_.s_axil_wvalid_i = 0;
    return taken;
  }
  void Write(std::uint32_t address, std::uint32_t data) {
    while (!TryWrite(address, data)) {
    }
  }
  static std::uint32_t SqDoorbell(unsigned id) { return 0x1000 + 8 * id; }

  /// Shows a completion; returns whether it was taken in this clock.
  bool TryComplete(std::uint16_t id) {
    model_.complete_valid_i = 1;
    model_.complete_i =
        (std::uint64_t{id} << complete::kSqid.low) | (std::uint64_t{id} << complete::kCqid.low) | 1;
    const bool taken = model_.complete_ready_o;
    Clock();
    model_.complete_valid_i = 0;
    return taken;
  }

  void Run(unsigned clocks) {
    for (unsigned i = 0; i < clocks; ++i) Clock();
  }
  void Clock() {
    model_.m_axi_rvalid_i = !bursts_.empty() && bursts_.front().due <= clock_;
    model_.m_axi_rlast_i = !bursts_.empty() && bursts_.front().beats == 1;
    Level(0);
    Sample();
    Level(1);
    ++clock_;
  }

  [[nodiscard]] std::uint64_t clock() const { return clock_; }
  [[nodiscard]] std::uint64_t granted_count() const { return granted_; }
  [[nodiscard]] std::uint64_t sqe_count() const { return sqes_; }
  [[nodiscard]] std::uint64_t completed_count() const { return completed_; }
  /// Clocks at whose edge the last of each was seen.
  std::uint64_t doorbell_clock = 0, grant_clock = 0, ar_clock = 0, data_clock = 0, sqe_clock = 0;
  [[nodiscard]] bool AssertionFailed() const { return context_.gotError(); }
  /// Reads whose data is still to come.
  [[nodiscard]] std::size_t read_count() const { return bursts_.size(); }
  [[nodiscard]] const AxiMonitor& monitor() const { return monitor_; }

 private:
  void Level(std::uint8_t level) {
    model_.clk_regs_i = model_.clk_ctrl_i = model_.clk_core_i = model_.clk_fetch_i = level;
    model_.clk_event_i = model_.clk_grant_i = level;
    model_.eval();
  }
  AxiPins Pins() const {
    AxiPins pins;
    pins.reset = !model_.rst_ni;
    pins.aw = {model_.s_axil_awvalid_i != 0, model_.s_axil_awready_o != 0, model_.s_axil_awaddr_i};
    pins.w = {model_.s_axil_wvalid_i != 0, model_.s_axil_wready_o != 0, model_.s_axil_wdata_i};
    pins.b = {model_.s_axil_bvalid_o != 0, model_.s_axil_bready_i != 0, model_.s_axil_bresp_o};
    pins.bresp = model_.s_axil_bresp_o;
    pins.m_ar = {model_.m_axi_arvalid_o != 0, model_.m_axi_arready_i != 0, model_.m_axi_araddr_o};
    pins.m_araddr = model_.m_axi_araddr_o;
    pins.m_arlen = model_.m_axi_arlen_o;
    pins.m_arsize = model_.m_axi_arsize_o;
    pins.m_arburst = model_.m_axi_arburst_o;
    if (bursts_.empty() || !bursts_.front().late) {
      pins.m_r = {model_.m_axi_rvalid_i != 0, model_.m_axi_rready_o != 0, 0};
      pins.m_rlast = model_.m_axi_rlast_i;
    }
    pins.stream = {model_.m_axis_sqe_tvalid_o != 0, model_.m_axis_sqe_tready_i != 0,
                   model_.m_axis_sqe_tuser_o};
    return pins;
  }

  void Sample() {
    monitor_.Sample(Pins());
    const std::uint32_t* const words = model_.obs_o.data();
    enabled_ |= model_.enable_valid_o != 0;
    if (Get(words, obs::kDbValid) & 1) doorbell_clock = clock_;
    if (Get(words, obs::kGrantValid) & 1) {
      grant_clock = clock_;
      granted_ += Get(words, grant::kCount.At(obs::kGrant));
    }
    completed_ += Get(words, obs::kCompleteValid) & 1;
    if (model_.m_axis_sqe_tvalid_o) {
      sqe_clock = clock_;
      ++sqes_;
    }
    if (model_.m_axi_rvalid_i && model_.m_axi_rready_o) {
      data_clock = clock_;
      if (--bursts_.front().beats == 0) bursts_.pop_front();
    }
    if (model_.m_axi_arvalid_o && model_.rst_ni) {
      ar_clock = clock_;
      bursts_.push_back({model_.m_axi_arlen_o + 1u, clock_ + latency, false});
    }
  }

  UnknownStart context_;
  Vnvmearb_rtl_7 model_{&context_};
  AxiMonitor monitor_{64, 32};
  struct Burst {
    unsigned beats;
    std::uint64_t due;
    bool late;  ///< asked for before a reset
  };
  std::deque<Burst> bursts_;
  bool enabled_ = false;
  std::uint64_t clock_ = 0, granted_ = 0, sqes_ = 0, completed_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_TOP_BENCH_H_
