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
  bool reset = false;             ///< reset is asserted at this edge
  ChannelPins aw, w, b, ar, r;    ///< AXI4-Lite slave
  unsigned bresp = 0, rresp = 0;  ///< AXI4-Lite responses
  ChannelPins m_ar, m_r, stream;  ///< AXI4 read master, SQE stream
  std::uint64_t m_araddr = 0;
  unsigned m_arlen = 0;
  unsigned m_arsize = 6;   ///< bytes of a beat, as a power of two
  unsigned m_arburst = 1;  ///< INCR
  bool m_rlast = false;
};

class AxiMonitor {
 public:
  /// `beat_bytes`: width of the read data bus. `max_reads`: bursts that may be outstanding.
  explicit AxiMonitor(unsigned beat_bytes, unsigned max_reads = 256)
      : beat_bytes_(beat_bytes), max_reads_(max_reads) {}

  void Sample(const AxiPins& pins) {
    if (pins.reset) return Reset(pins);
    in_reset_ = false;
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
  [[nodiscard]] std::size_t outstanding_count() const { return beats_left_.size(); }

 private:
  /// A3.1.2: no valid of a source while reset is asserted, from the edge on that sees it: the reset
  /// is synchronous. What was under way is forgotten.
  void Reset(const AxiPins& pins) {
    const bool first = !in_reset_;
    in_reset_ = true;
    last_ = {};
    aw_count_ = w_count_ = b_count_ = ar_count_ = r_count_ = 0;
    last_burst_shown_ = false;
    beats_left_.clear();
    if (first) return;
    if (pins.b.valid) findings_.push_back("B valid in reset");
    if (pins.r.valid) findings_.push_back("R valid in reset");
    if (pins.m_ar.valid) findings_.push_back("M_AR valid in reset");
    if (pins.stream.valid) findings_.push_back("STREAM valid in reset");
  }

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

  /// A3.3.1: a response follows its request, and there are as many. B1.1.1: EXOKAY is none of
  /// AXI4-Lite.
  void Responses(const AxiPins& pins) {
    if (pins.b.valid && (aw_count_ <= b_count_ || w_count_ <= b_count_)) {
      findings_.push_back("B without a write");
    }
    if (pins.r.valid && ar_count_ <= r_count_) findings_.push_back("R without a read");
    if (pins.b.valid && pins.bresp == kExokay) findings_.push_back("B with EXOKAY");
    if (pins.r.valid && pins.rresp == kExokay) findings_.push_back("R with EXOKAY");
    aw_count_ += pins.aw.Fires();
    w_count_ += pins.w.Fires();
    b_count_ += pins.b.Fires();
    ar_count_ += pins.ar.Fires();
    r_count_ += pins.r.Fires();
  }

  /// A3.4.1: bursts stay within 4 KiB; as many beats as asked for, the last one marked. Data
  /// follows its address by a clock at least: no path from input to output.
  void Bursts(const AxiPins& pins) {
    if (pins.m_r.valid && beats_left_.empty()) findings_.push_back("M_R without a burst");
    if (pins.m_r.Fires() && !beats_left_.empty()) {
      --beats_left_.front();
      if (pins.m_rlast != (beats_left_.front() == 0)) findings_.push_back("M_R last misplaced");
      if (beats_left_.front() == 0) beats_left_.pop_front();
    }
    if (pins.m_ar.valid && !last_burst_shown_) Burst(pins);
    last_burst_shown_ = pins.m_ar.valid && !pins.m_ar.ready;
    if (pins.m_ar.Fires()) {
      beats_left_.push_back(pins.m_arlen + 1);
      if (beats_left_.size() > max_reads_) findings_.push_back("M_AR beyond the reads allowed");
    }
  }

  void Burst(const AxiPins& pins) {
    const std::uint64_t bytes = (pins.m_arlen + std::uint64_t{1}) * beat_bytes_;
    if (pins.m_araddr / 4096 != (pins.m_araddr + bytes - 1) / 4096) {
      findings_.push_back("M_AR crosses 4 KiB");
    }
    if (pins.m_araddr % 64 != 0 || bytes % 64 != 0) findings_.push_back("M_AR not whole SQEs");
    if (pins.m_arburst != kIncr) findings_.push_back("M_AR not INCR");
    if ((1u << pins.m_arsize) != beat_bytes_) findings_.push_back("M_AR size not of the bus");
    if (pins.m_arlen > 255) findings_.push_back("M_AR longer than 256 beats");
  }

  static constexpr unsigned kExokay = 1;
  static constexpr unsigned kIncr = 1;

  unsigned beat_bytes_;
  std::size_t max_reads_;
  std::array<ChannelPins, 8> last_{};
  std::uint64_t aw_count_ = 0, w_count_ = 0, b_count_ = 0, ar_count_ = 0, r_count_ = 0;
  bool last_burst_shown_ = false;
  bool in_reset_ = false;
  std::deque<unsigned> beats_left_;
  std::vector<std::string> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_AXI_MONITOR_H_
