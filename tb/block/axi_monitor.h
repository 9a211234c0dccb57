// SPDX-License-Identifier: Apache-2.0
//
// AxiMonitor: the rules of AXI4-Lite, AXI4 and AXI4-Stream on the pins of nvmearb_top, and nothing
// about their meaning. A monitor: it is shown the pins as an edge sees them, and never drives.
#ifndef NVMEARB_TB_BLOCK_AXI_MONITOR_H_
#define NVMEARB_TB_BLOCK_AXI_MONITOR_H_

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace nvmearb::tb {

/// One channel at one edge. `payload` stands for everything that has to be stable with valid.
struct ChannelPins {
  bool valid = false;
  bool ready = false;
  std::uint64_t payload = 0;
  [[nodiscard]] bool Fires() const { return valid && ready; }
};

struct AxiPins {
  ChannelPins aw, w, b, ar, r;    ///< AXI4-Lite slave
  ChannelPins m_ar, m_r, stream;  ///< AXI4 read master, SQE stream
  std::uint64_t m_araddr = 0;
  unsigned m_arlen = 0;
  bool m_rlast = false;
};

class AxiMonitor {
 public:
  /// `beat_bytes`: width of the read data bus.
  explicit AxiMonitor(unsigned beat_bytes) : beat_bytes_(beat_bytes) {}

  void Sample(const AxiPins& pins) {
    Held(0, "AW", pins.aw);
    Held(1, "W", pins.w);
    Held(2, "B", pins.b);
    Held(3, "AR", pins.ar);
    Held(4, "R", pins.r);
    Held(5, "M_AR", pins.m_ar);
    Held(6, "M_R", pins.m_r);
    Held(7, "STREAM", pins.stream);
    Responses(pins);
    Bursts(pins);
  }

  /// Every rule that was broken, in order; empty when all is well.
  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }

 private:
  /// A3.2.1: valid and payload stay until ready.
  void Held(std::size_t index, const char* name, const ChannelPins& pins) {
    ChannelPins& last = last_[index];
    if (last.valid && !last.ready) {
      if (!pins.valid) findings_.push_back(std::string(name) + " valid withdrawn");
      if (pins.valid && pins.payload != last.payload) {
        findings_.push_back(std::string(name) + " payload changed");
      }
    }
    last = pins;
  }

  /// A3.3.1: a response follows its request, and there are as many.
  void Responses(const AxiPins& pins) {
    if (pins.b.valid && (aw_count_ <= b_count_ || w_count_ <= b_count_)) {
      findings_.push_back("B without a write");
    }
    if (pins.r.valid && ar_count_ <= r_count_) findings_.push_back("R without a read");
    aw_count_ += pins.aw.Fires();
    w_count_ += pins.w.Fires();
    b_count_ += pins.b.Fires();
    ar_count_ += pins.ar.Fires();
    r_count_ += pins.r.Fires();
  }

  /// A3.4.1: bursts stay within 4 KiB; as many beats as asked for, the last one marked.
  void Bursts(const AxiPins& pins) {
    if (pins.m_r.Fires()) {
      if (beats_left_.empty()) {
        findings_.push_back("M_R without a burst");
      } else {
        --beats_left_.front();
        if (pins.m_rlast != (beats_left_.front() == 0)) findings_.push_back("M_R last misplaced");
        if (beats_left_.front() == 0) beats_left_.pop_front();
      }
    }
    if (pins.m_ar.valid && !(last_burst_shown_ && !pins.m_ar.ready)) {
      const std::uint64_t bytes = (pins.m_arlen + std::uint64_t{1}) * beat_bytes_;
      if (pins.m_araddr / 4096 != (pins.m_araddr + bytes - 1) / 4096) {
        findings_.push_back("M_AR crosses 4 KiB");
      }
      if (pins.m_araddr % 64 != 0 || bytes % 64 != 0) findings_.push_back("M_AR not whole SQEs");
    }
    last_burst_shown_ = pins.m_ar.valid && !pins.m_ar.ready;
    if (pins.m_ar.Fires()) beats_left_.push_back(pins.m_arlen + 1);
  }

  unsigned beat_bytes_;
  std::array<ChannelPins, 8> last_{};
  std::uint64_t aw_count_ = 0, w_count_ = 0, b_count_ = 0, ar_count_ = 0, r_count_ = 0;
  bool last_burst_shown_ = false;
  std::deque<unsigned> beats_left_;
  std::vector<std::string> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_AXI_MONITOR_H_
