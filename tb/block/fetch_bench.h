// SPDX-License-Identifier: Apache-2.0
//
// FetchBench: everything around nvmearb_axi_fetch alone, clock by clock: a core that decides one
// grant per clock, host memory behind an AXI4 slave of any latency, and a device that takes SQEs.
//
// The bench checks as it goes: each burst asks for the very next granted slots of one SQ, each SQE
// has the bytes of its slot and the names of its grant, in grant order, and is committed once
// before it is shown. What is wrong goes to findings(), with that of the AxiMonitor.
#ifndef NVMEARB_TB_BLOCK_FETCH_BENCH_H_
#define NVMEARB_TB_BLOCK_FETCH_BENCH_H_

#include <fmt/format.h>
#include <verilated.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "block/axi_monitor.h"
#include "harness/unknown_start.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {

/// What the surroundings do. Shares are those of the clocks, in percent.
struct FetchTraffic {
  unsigned grant_percent = 100;
  unsigned ar_percent = 100;
  unsigned ar_every = 1;  ///< AR is taken at every so many clocks at most
  unsigned r_percent = 100;
  unsigned stream_percent = 100;
  unsigned latency_min = 1;  ///< clocks from AR to the first beat, 1 or more
  unsigned latency_max = 1;
  unsigned core_lag = 6;      ///< clocks from a decision to the grant port
  unsigned max_count = 1;     ///< commands of a grant, 1..8
  unsigned stay_percent = 0;  ///< chance that the next grant is of the same SQ
};

/// `Build`: Model (a Verilated nvmearb_fetch_flat of 16 SQs), kDataW, kMaxReads.
template <typename Build>
class FetchBench {
 public:
  static constexpr unsigned kSqs = 16;
  static constexpr unsigned kBeatsPerSqe = 512 / Build::kDataW;

  explicit FetchBench(std::uint64_t seed) : random_(seed, 17) {
    context_.fatalOnError(false);
    model_.clk_i = 0;
    Reset(2);
  }
  ~FetchBench() { model_.final(); }

  FetchTraffic traffic;

  /// Holds reset for `clocks` clocks. What was granted is forgotten; reads that were asked for are
  /// still answered when `late` is true, as by a slave that was not reset.
  void Reset(unsigned clocks, bool late = false) {
    pipe_.clear();
    granted_.clear();
    asked_count_ = committed_count_ = streamed_count_ = 0;
    expect_dead_ = false;
    for (Burst& burst : reads_) burst.late = true;
    if (!late) {
      reads_.clear();
      beat_ = 0;
      model_.m_axi_rvalid_i = 0;
    }
    for (unsigned i = 0; i < clocks; ++i) {
      model_.rst_ni = 0;
      Step();
    }
    model_.rst_ni = 1;
  }

  /// Makes an SQ; its base reaches the design in the next clock.
  void Create(unsigned sqid, std::uint32_t size_count, std::uint64_t base) {
    rings_[sqid] = {base, size_count, 0};
    model_.base_valid_i = 1;
    model_.base_sqid_i = static_cast<std::uint16_t>(sqid);
    model_.base_i = base;
    Step();
    model_.base_valid_i = 0;
  }
  /// Lets the core decide `count` more grants; kForEver: no end.
  static constexpr std::uint64_t kForEver = ~std::uint64_t{0};
  void Allow(std::uint64_t count) { allowed_ = count; }
  /// Decides this very grant next.
  void Decide(unsigned sqid, unsigned count) { wanted_.push_back({sqid, count}); }
  /// The beat that carries this address is answered with `resp`.
  void Poison(std::uint64_t address, unsigned resp) { poison_[address] = resp; }
  void ForgetPoison() { poison_.clear(); }
  void SetDrain(bool drain) { model_.drain_i = drain; }
  /// Lets the design forget an error, once it is idle.
  void Clear() {
    model_.clear_i = 1;
    Step();
    model_.clear_i = 0;
    pipe_.clear();
    granted_.clear();
    asked_count_ = committed_count_ = streamed_count_ = 0;
    expect_dead_ = false;
  }

  void Step() {
    Drive();
    model_.eval();
    Sample();
    model_.clk_i = 1;
    model_.eval();
    model_.clk_i = 0;
    ++clock_;
    // What was taken at the edge is withdrawn behind it.
    if (grant_taken_) model_.grant_valid_i = 0;
    if (beat_taken_) model_.m_axi_rvalid_i = 0;
    grant_taken_ = beat_taken_ = false;
  }
  void Run(unsigned clocks) {
    for (unsigned i = 0; i < clocks; ++i) Step();
  }
  /// Runs until nothing is left to do; false when that takes too long.
  bool Finish(unsigned limit = 200'000) {
    for (unsigned i = 0; i < limit; ++i) {
      if (wanted_.empty() && (allowed_ == 0 || allowed_ == kForEver) && PipeEmpty() &&
          model_.idle_o) {
        return true;
      }
      Step();
    }
    return false;
  }

  [[nodiscard]] typename Build::Model& model() { return model_; }
  [[nodiscard]] std::uint64_t clock() const { return clock_; }
  [[nodiscard]] std::uint64_t sqe_count() const { return sqe_count_; }
  [[nodiscard]] std::uint64_t beat_count() const { return beat_count_; }
  [[nodiscard]] std::uint64_t grant_count() const { return grant_count_; }
  [[nodiscard]] std::uint64_t burst_count() const { return burst_count_; }
  [[nodiscard]] std::uint64_t error_count() const { return error_count_; }
  [[nodiscard]] std::uint64_t settled_count() const { return settled_count_; }
  [[nodiscard]] unsigned longest_burst() const { return longest_burst_; }
  /// Granted commands that were not streamed.
  [[nodiscard]] std::size_t left_count() const { return granted_.size() - streamed_count_; }
  [[nodiscard]] std::size_t waiting_count() const { return granted_.size() - asked_count_; }
  /// Reads whose data is still to come.
  [[nodiscard]] std::size_t read_count() const { return reads_.size(); }
  /// Clocks of the last grant, burst shown, beat and SQE.
  [[nodiscard]] std::uint64_t grant_clock() const { return grant_clock_; }
  [[nodiscard]] std::uint64_t ar_clock() const { return ar_clock_; }
  [[nodiscard]] std::uint64_t beat_clock() const { return beat_clock_; }
  [[nodiscard]] std::uint64_t sqe_clock() const { return sqe_clock_; }
  [[nodiscard]] bool AssertionFailed() const { return context_.gotError(); }
  [[nodiscard]] std::vector<std::string> findings() const {
    std::vector<std::string> all = findings_;
    all.insert(all.end(), monitor_.findings().begin(), monitor_.findings().end());
    if (context_.gotError()) all.push_back("an assertion of the RTL failed");
    return all;
  }
  /// Test access: changes what the bench believes of the pins before it checks them.
  std::function<void(AxiPins*)> tamper;

 private:
  struct Ring {
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;
    std::uint32_t head = 0;
  };
  struct Grant {
    unsigned sqid;
    std::uint32_t head;
    unsigned count;
  };
  struct Command {
    unsigned sqid;
    std::uint32_t slot;
    std::uint64_t address;
  };
  struct Burst {
    std::uint64_t address;
    unsigned beats;
    std::uint64_t due;
    bool late;
  };
  struct Wanted {
    unsigned sqid;
    unsigned count;
  };

  bool Coin(unsigned percent) { return percent >= 100 || random_.Below(100) < percent; }
  [[nodiscard]] bool PipeEmpty() const {
    for (const auto& stage : pipe_) {
      if (stage) return false;
    }
    return !model_.grant_valid_i;
  }
  static std::uint64_t Content(std::uint64_t address) {
    std::uint64_t z = address * 0x9e3779b97f4a7c15u + 1;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 29);
  }
  static unsigned Cqid(unsigned sqid) { return (sqid * 7 + 3) % kSqs; }
  static unsigned Class(unsigned sqid) { return sqid == 0 ? 4 : sqid % 4; }
  void Finding(const std::string& what) {
    if (findings_.size() < 20) findings_.push_back(fmt::format("clock {}: {}", clock_, what));
  }

  // --- Inputs of the coming edge -----------------------------------------------------------------

  /// A decision of the core, if it makes one in this clock.
  std::optional<Grant> NextGrant() {
    if (hold_seen_) return std::nullopt;
    unsigned sqid;
    unsigned want;
    if (!wanted_.empty()) {
      sqid = wanted_.front().sqid;
      want = wanted_.front().count;
      wanted_.pop_front();
    } else {
      if (allowed_ == 0 || !Coin(traffic.grant_percent)) return std::nullopt;
      if (allowed_ != kForEver) --allowed_;
      if (rings_[last_sq_].size_count == 0 || !Coin(traffic.stay_percent)) NextSq();
      sqid = last_sq_;
      want = static_cast<unsigned>(random_.InRange(1, traffic.max_count));
    }
    Ring& ring = rings_[sqid];
    const unsigned count = std::min(want, ring.size_count - ring.head);
    const Grant grant{sqid, ring.head, count};
    ring.head = (ring.head + count) % ring.size_count;
    return grant;
  }
  void NextSq() {
    do {
      last_sq_ = (last_sq_ + 1) % kSqs;
    } while (rings_[last_sq_].size_count == 0);
  }

  void Drive() {
    if (!model_.grant_valid_i && model_.rst_ni) {
      pipe_.push_back(NextGrant());
      if (pipe_.size() > traffic.core_lag) {
        if (pipe_.front()) Show(*pipe_.front());
        pipe_.pop_front();
      }
    }
    hold_seen_ = model_.hold_o;
    model_.m_axi_arready_i = clock_ % traffic.ar_every == 0 && Coin(traffic.ar_percent);
    model_.sqe_ready_i = Coin(traffic.stream_percent);
    if (!model_.m_axi_rvalid_i && !reads_.empty() && reads_.front().due <= clock_ &&
        Coin(traffic.r_percent)) {
      ShowBeat();
    }
  }
  void Show(const Grant& grant) {
    model_.grant_valid_i = 1;
    model_.grant_sqid_i = static_cast<std::uint16_t>(grant.sqid);
    model_.grant_cqid_i = static_cast<std::uint16_t>(Cqid(grant.sqid));
    model_.grant_head_i = static_cast<std::uint16_t>(grant.head);
    model_.grant_size_zb_i = static_cast<std::uint16_t>(rings_[grant.sqid].size_count - 1);
    model_.grant_count_i = static_cast<std::uint8_t>(grant.count);
    model_.grant_class_i = static_cast<std::uint8_t>(Class(grant.sqid));
    shown_ = grant;
  }
  void ShowBeat() {
    const Burst& burst = reads_.front();
    const std::uint64_t address = burst.address + std::uint64_t{beat_} * (Build::kDataW / 8);
    std::array<std::uint64_t, 8> words{};
    for (unsigned i = 0; i < Build::kDataW / 64; ++i) words[i] = Content(address + 8 * i);
    std::memcpy(&model_.m_axi_rdata_i, words.data(), Build::kDataW / 8);
    const auto bad = poison_.find(address);
    model_.m_axi_rresp_i = static_cast<std::uint8_t>(bad == poison_.end() ? 0 : bad->second);
    model_.m_axi_rlast_i = beat_ + 1 == burst.beats;
    model_.m_axi_rvalid_i = 1;
  }

  // --- What the edge sees ------------------------------------------------------------------------

  void Sample() {
    AxiPins pins = Pins();
    if (tamper) tamper(&pins);
    monitor_.Sample(pins);
    if (!model_.rst_ni) {
      if (model_.m_axi_rvalid_i && model_.m_axi_rready_o) TakeBeat();
      grant_taken_ = true;
      return;
    }
    if (model_.err_valid_o) {
      ++error_count_;
      expect_dead_ = true;
    }
    if (model_.commit_valid_o) Commit();
    if (pins.stream.Fires()) Stream();
    if (model_.m_axi_rvalid_i && model_.m_axi_rready_o) TakeBeat();
    if (pins.m_ar.Fires()) Ask(pins);
    if (model_.grant_valid_i && model_.grant_ready_o) TakeGrant();
  }

  AxiPins Pins() const {
    AxiPins pins;
    pins.reset = !model_.rst_ni;
    pins.m_ar = {model_.m_axi_arvalid_o != 0, model_.m_axi_arready_i != 0,
                 model_.m_axi_araddr_o ^ (std::uint64_t{model_.m_axi_arlen_o} << 56)};
    pins.m_araddr = model_.m_axi_araddr_o;
    pins.m_arlen = model_.m_axi_arlen_o;
    pins.m_arsize = model_.m_axi_arsize_o;
    pins.m_arburst = model_.m_axi_arburst_o;
    if (reads_.empty() || !reads_.front().late) {
      pins.m_r = {model_.m_axi_rvalid_i != 0, model_.m_axi_rready_o != 0, 0};
      pins.m_rlast = model_.m_axi_rlast_i;
    }
    std::uint64_t hash = 0;
    for (unsigned i = 0; i < 16; ++i) hash = Content(hash ^ model_.sqe_data_o[i]);
    hash = Content(hash ^ (std::uint64_t{model_.sqe_sqid_o} << 16 | model_.sqe_sqhd_o));
    pins.stream = {model_.sqe_valid_o != 0, model_.sqe_ready_i != 0, hash};
    return pins;
  }

  void TakeGrant() {
    const Ring& ring = rings_[shown_.sqid];
    for (unsigned i = 0; i < shown_.count; ++i) {
      const std::uint32_t slot = shown_.head + i;
      granted_.push_back({shown_.sqid, slot, ring.base + std::uint64_t{64} * slot});
    }
    ++grant_count_;
    grant_clock_ = clock_;
    grant_taken_ = true;
  }

  void Ask(const AxiPins& pins) {
    const unsigned beats = pins.m_arlen + 1;
    const unsigned count = beats / kBeatsPerSqe;
    ++burst_count_;
    ar_clock_ = clock_;
    longest_burst_ = std::max(longest_burst_, count);
    for (unsigned i = 0; i < count; ++i, ++asked_count_) {
      if (asked_count_ >= granted_.size()) return Finding("AR of what was not granted");
      const Command& command = granted_[asked_count_];
      const Command& first = granted_[asked_count_ - i];
      if (command.address != pins.m_araddr + std::uint64_t{64} * i || command.sqid != first.sqid ||
          command.slot != first.slot + i) {
        return Finding(fmt::format("AR {:x} + {}: not the next slots granted", pins.m_araddr, i));
      }
    }
    const std::uint64_t latency = random_.InRange(traffic.latency_min, traffic.latency_max);
    reads_.push_back({pins.m_araddr, beats, clock_ + latency, false});
  }

  void TakeBeat() {
    ++beat_count_;
    beat_clock_ = clock_;
    beat_taken_ = true;
    if (++beat_ == reads_.front().beats) {
      beat_ = 0;
      reads_.pop_front();
    }
  }

  void Commit() {
    if (expect_dead_) {
      if (!model_.drain_i) Finding("a commit behind an error");
      settled_count_ += model_.commit_count_o;
    } else if (model_.commit_count_o != 1) {
      Finding("a commit of more than one");
    }
    for (unsigned i = 0; i < model_.commit_count_o; ++i, ++committed_count_) {
      if (committed_count_ >= asked_count_ ||
          granted_[committed_count_].sqid != model_.commit_sqid_o) {
        return Finding("a commit that is not the next one");
      }
    }
  }

  void Stream() {
    ++sqe_count_;
    sqe_clock_ = clock_;
    if (streamed_count_ >= granted_.size() || streamed_count_ >= committed_count_) {
      return Finding("an SQE that was not committed");
    }
    const Command& command = granted_[streamed_count_++];
    const std::uint32_t sqhd = (command.slot + 1) % rings_[command.sqid].size_count;
    if (model_.sqe_sqid_o != command.sqid || model_.sqe_cqid_o != Cqid(command.sqid) ||
        model_.sqe_sqhd_o != sqhd || model_.sqe_class_o != Class(command.sqid)) {
      Finding(fmt::format("SQE of SQ {} SQHD {}, expected {} {}", model_.sqe_sqid_o,
                          model_.sqe_sqhd_o, command.sqid, sqhd));
    }
    std::array<std::uint64_t, 8> words{};
    std::memcpy(words.data(), model_.sqe_data_o.data(), 64);
    for (unsigned i = 0; i < 8; ++i) {
      if (words[i] != Content(command.address + 8 * i)) return Finding("an SQE with wrong bytes");
    }
    Trim();
  }

  /// Forgets what is through, now and then.
  void Trim() {
    if (streamed_count_ < 4096) return;
    granted_.erase(granted_.begin(), granted_.begin() + 4096);
    streamed_count_ -= 4096;
    committed_count_ -= 4096;
    asked_count_ -= 4096;
  }

  UnknownStart context_;
  typename Build::Model model_{&context_};
  base::Random random_;
  AxiMonitor monitor_{Build::kDataW / 8, Build::kMaxReads};
  std::array<Ring, kSqs> rings_{};
  std::deque<std::optional<Grant>> pipe_;  // decisions on their way to the grant port
  std::deque<Wanted> wanted_;
  std::uint64_t allowed_ = 0;
  unsigned last_sq_ = kSqs - 1;
  bool hold_seen_ = false;
  Grant shown_{};
  bool grant_taken_ = false, beat_taken_ = false;
  std::deque<Command> granted_;  // in grant order; the indices below count from its front
  std::size_t asked_count_ = 0, committed_count_ = 0, streamed_count_ = 0;
  std::deque<Burst> reads_;
  unsigned beat_ = 0;
  std::map<std::uint64_t, unsigned> poison_;
  bool expect_dead_ = false;
  std::uint64_t clock_ = 0, sqe_count_ = 0, beat_count_ = 0, grant_count_ = 0, burst_count_ = 0;
  std::uint64_t error_count_ = 0, settled_count_ = 0;
  std::uint64_t grant_clock_ = 0, ar_clock_ = 0, beat_clock_ = 0, sqe_clock_ = 0;
  unsigned longest_burst_ = 0;
  std::vector<std::string> findings_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_FETCH_BENCH_H_
