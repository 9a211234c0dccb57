// SPDX-License-Identifier: Apache-2.0
//
// AxilAgent: AXI4-Lite master of the harness: posted writes in order, and one read at a time.
//
// A driver: touches pins only. Drive() sets the inputs while the clock is low, Sample() looks at
// the handshakes of the coming edge. A read is sent after the last queued write was taken.
#ifndef NVMEARB_TB_HARNESS_AXIL_AGENT_H_
#define NVMEARB_TB_HARNESS_AXIL_AGENT_H_

#include <cstdint>

#include "harness/fifo.h"
#include "harness/stall.h"

namespace nvmearb::tb {

/// Sets a pin whose C++ type depends on its width.
template <typename Pin>
void SetPin(Pin& pin, std::uint64_t value) {
  pin = static_cast<Pin>(value);
}

template <typename Model>
class AxilAgent {
 public:
  /// `after`: number of completions that have to be done before the write may start; see Drive().
  void PostWrite(std::uint32_t address, std::uint32_t data, std::uint64_t after) {
    writes_.push({address, data, after});
  }
  void StartRead(std::uint32_t address) {
    read_ = Read::kWanted;
    read_address_ = address;
  }
  [[nodiscard]] bool ReadDone() const { return read_ == Read::kNone; }
  [[nodiscard]] std::uint32_t ReadData() const { return read_data_; }
  /// An input of the next edge is waiting.
  [[nodiscard]] bool Pending() const { return !writes_.empty() || read_ != Read::kNone; }

  /// `done_count`: completions that the RTL has taken so far. On a real bus the host sees a CQE
  /// hundreds of clocks after the arbiter was told; here it may ring the CQ head at the very same
  /// time.
  /// Returns false when every pin is as it was.
  bool Drive(Model& model, const Stall& stall, std::uint64_t edge, std::uint64_t done_count) {
    const bool have = !writes_.empty() && writes_.front().after <= done_count;
    const bool active = have || read_ != Read::kNone || stall.Any();
    if (!active && !was_active_) return false;
    was_active_ = active;
    if (have) {
      SetPin(model.s_axil_awaddr_i, writes_.front().address);
      model.s_axil_wdata_i = writes_.front().data;
      model.s_axil_wstrb_i = 0xf;
    }
    // A channel that has shown valid keeps it until ready (AXI4 A3.2.1).
    aw_valid_ = have && !aw_done_ && (aw_valid_ || !stall(Stall::kAw, edge));
    w_valid_ = have && !w_done_ && (w_valid_ || !stall(Stall::kW, edge));
    model.s_axil_awvalid_i = aw_valid_;
    model.s_axil_wvalid_i = w_valid_;
    model.s_axil_bready_i = !stall(Stall::kB, edge);
    ar_valid_ =
        read_ == Read::kWanted && writes_.empty() && (ar_valid_ || !stall(Stall::kHostAr, edge));
    model.s_axil_arvalid_i = ar_valid_;
    if (ar_valid_) SetPin(model.s_axil_araddr_i, read_address_);
    model.s_axil_rready_i = !stall(Stall::kHostR, edge);
    return true;
  }

  void Sample(const Model& model) {
    if (aw_valid_ && model.s_axil_awready_o) {
      aw_done_ = true;
      aw_valid_ = false;
    }
    if (w_valid_ && model.s_axil_wready_o) {
      w_done_ = true;
      w_valid_ = false;
    }
    if (aw_done_ && w_done_) {
      aw_done_ = w_done_ = false;
      writes_.pop();
    }
    if (read_ == Read::kNone) return;
    if (ar_valid_ && model.s_axil_arready_o) {
      read_ = Read::kSent;
      ar_valid_ = false;
    }
    if (read_ == Read::kSent && model.s_axil_rvalid_o && model.s_axil_rready_i) {
      read_ = Read::kNone;
      read_data_ = model.s_axil_rdata_o;
    }
  }

 private:
  struct Write {
    std::uint32_t address;
    std::uint32_t data;
    std::uint64_t after;
  };
  enum class Read { kNone, kWanted, kSent };

  Fifo<Write> writes_;
  bool was_active_ = true;  // at the last Drive(): its pins have to be taken back
  bool aw_valid_ = false, aw_done_ = false;
  bool w_valid_ = false, w_done_ = false;
  bool ar_valid_ = false;
  Read read_ = Read::kNone;
  std::uint32_t read_address_ = 0;
  std::uint32_t read_data_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_AXIL_AGENT_H_
