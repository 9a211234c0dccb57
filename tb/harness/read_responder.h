// SPDX-License-Identifier: Apache-2.0
//
// ReadResponder: AXI4 slave behind the fetch engine: host memory with a fixed latency.
//
// A burst is answered from `latency` edges after its address handshake on, in order, one beat per
// edge. Host memory is read when the first beat of an SQE is due; an SQE that host memory refuses
// is answered with DECERR.
#ifndef NVMEARB_TB_HARNESS_READ_RESPONDER_H_
#define NVMEARB_TB_HARNESS_READ_RESPONDER_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/fifo.h"
#include "harness/stall.h"
#include "ssd/front_end.h"

namespace nvmearb::tb {

/// No edge.
inline constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};

template <typename Model, unsigned DataW>
class ReadResponder {
 public:
  explicit ReadResponder(unsigned latency) : latency_(latency) {}

  void Attach(ssd::FrontEndDma* dma) { dma_ = dma; }
  /// Edge of the next beat, kNoEdge if none was asked for.
  [[nodiscard]] std::uint64_t NextEdge() const {
    return bursts_.empty() ? kNoEdge : bursts_.front().due;
  }
  /// Lets one beat come unasked (see RtlFrontEnd::ViolateAssertion()).
  void SendUnasked() { unasked_ = true; }
  [[nodiscard]] bool Pending() const { return unasked_; }

  /// Returns false when every pin is as it was.
  bool Drive(Model& model, const Stall& stall, std::uint64_t edge) {
    const bool active = valid_ || unasked_ || NextEdge() <= edge || stall.Any();
    if (!active && !was_active_) return false;
    was_active_ = active;
    model.m_axi_arready_i = !stall(Stall::kAr, edge);
    if (!bursts_.empty() && bursts_.front().due <= edge) {
      // Valid, once shown, stays until ready.
      if (!valid_ && !stall(Stall::kR, edge)) ShowBeat(model);
    }
    model.m_axi_rvalid_i = valid_ || unasked_;
    unasked_ = false;
    return true;
  }

  void Sample(const Model& model, std::uint64_t edge) {
    if (valid_ && model.m_axi_rready_o) {
      valid_ = false;
      if (++beat_ == kBeatsPerSqe) {
        beat_ = 0;
        Burst& burst = bursts_.front();
        burst.address += 64;
        if (--burst.sqe_count == 0) bursts_.pop();
      }
    }
    if (model.m_axi_arvalid_o && model.m_axi_arready_i) {
      bursts_.push(
          {edge + latency_, model.m_axi_araddr_o, (model.m_axi_arlen_o + 1u) / kBeatsPerSqe});
    }
  }

 private:
  static constexpr unsigned kBeatsPerSqe = 512 / DataW;
  static constexpr unsigned kBeatBytes = DataW / 8;
  struct Burst {
    std::uint64_t due;
    std::uint64_t address;
    unsigned sqe_count;
  };

  void ShowBeat(Model& model) {
    const Burst& burst = bursts_.front();
    if (beat_ == 0) good_ = dma_->Read(burst.address, sqe_.data(), sqe_.size());
    model.m_axi_rresp_i = good_ ? 0 : 3;
    model.m_axi_rlast_i = beat_ == kBeatsPerSqe - 1 && burst.sqe_count == 1;
    const std::uint8_t* const bytes = sqe_.data() + beat_ * kBeatBytes;
    if constexpr (DataW == 64) {
      std::memcpy(&model.m_axi_rdata_i, bytes, kBeatBytes);
    } else {
      std::memcpy(model.m_axi_rdata_i.data(), bytes, kBeatBytes);
    }
    valid_ = true;
  }

  unsigned latency_;
  ssd::FrontEndDma* dma_ = nullptr;
  Fifo<Burst> bursts_;
  unsigned beat_ = 0;
  bool valid_ = false;
  bool good_ = true;
  bool unasked_ = false;
  bool was_active_ = true;  // at the last Drive(): its pins have to be taken back
  std::array<std::uint8_t, 64> sqe_{};
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_READ_RESPONDER_H_
