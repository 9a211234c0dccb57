// SPDX-License-Identifier: Apache-2.0
//
// DeviceAgent: drives the device-side inputs of nvmearb_top: configuration, slots, completions,
// status.
//
// A driver: queues what the firmware asks for and shows it to the pins edge by edge.
#ifndef NVMEARB_TB_HARNESS_DEVICE_AGENT_H_
#define NVMEARB_TB_HARNESS_DEVICE_AGENT_H_

#include <algorithm>
#include <cstdint>

#include "harness/cfg_words.h"
#include "harness/fifo.h"
#include "harness/obs_layout.h"
#include "harness/stall.h"

namespace nvmearb::tb {

template <typename Model>
class DeviceAgent {
 public:
  void Configure(const CfgWords& request) { requests_.push(request); }
  void GiveSlots(unsigned count) { slot_count_ += count; }
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) {
    completions_.push((std::uint64_t{sqid} << complete::kSqid.low) |
                      (std::uint64_t{cqid} << complete::kCqid.low) | (posted ? 1u : 0u));
    ++told_count_;
  }
  /// Completions asked for, and those that the RTL has taken (one that meets a reset is dropped
  /// there). One that was taken takes effect in the next clock, before any register write that is
  /// shown after it.
  [[nodiscard]] std::uint64_t told_count() const { return told_count_; }
  [[nodiscard]] std::uint64_t done_count() const { return done_count_; }
  void SetReady(bool ready) {
    ready_ = ready;
    level_changed_ = true;
  }
  void SetFatal() { fatal_ = true; }
  void SetShutdownStatus(std::uint8_t shst) {
    shst_ = shst & 3u;
    shst_valid_ = true;
  }

  /// The controller was disabled: slots and completions that were not taken yet are forgotten.
  void Forget() {
    completions_.clear();
    done_count_ = told_count_;
    slot_count_ = 0;
  }
  /// Takes back a request that waits. Returns false when there is none.
  bool Withdraw() {
    if (requests_.empty()) return false;
    requests_.pop();
    request_taken_ = false;
    return true;
  }

  /// An input of the next edge is waiting.
  [[nodiscard]] bool Pending() const {
    return slot_count_ != 0 || !completions_.empty() || (!requests_.empty() && !request_taken_) ||
           level_changed_ || fatal_ || shst_valid_;
  }

  /// Returns false when every pin is as it was.
  bool Drive(Model& model, const Stall& stall, std::uint64_t edge) {
    const bool active = Pending() || request_valid_;
    if (!active && !was_active_) return false;
    was_active_ = active;
    const unsigned give = std::min(slot_count_, 15u);
    slot_count_ -= give;
    model.slot_give_i = static_cast<std::uint8_t>(give);
    request_valid_ = !requests_.empty() && !request_taken_;
    if (request_valid_) {
      std::copy(requests_.front().begin(), requests_.front().end(), model.dev_cfg_i.data());
    }
    model.dev_cfg_valid_i = request_valid_;
    complete_valid_ = !completions_.empty() && (complete_valid_ || !stall(Stall::kComplete, edge));
    if (complete_valid_) model.complete_i = completions_.front();
    model.complete_valid_i = complete_valid_;
    model.device_ready_i = ready_;
    control_active_ = request_valid_ || level_changed_ || fatal_ || shst_valid_;
    level_changed_ = false;
    model.fatal_i = fatal_;
    fatal_ = false;
    model.shst_valid_i = shst_valid_;
    model.shst_i = shst_;
    shst_valid_ = false;
    return true;
  }

  /// An input of nvmearb_top's control block is active since Drive().
  [[nodiscard]] bool ControlActive() const { return control_active_; }

  /// Returns true when a request was answered.
  bool Sample(const Model& model) {
    if (complete_valid_ && model.complete_ready_o) {
      complete_valid_ = false;
      completions_.pop();
      ++done_count_;
    }
    if (requests_.empty()) return false;
    if (request_valid_ && model.dev_cfg_ready_o) request_taken_ = true;
    if (!request_taken_ || !model.dev_cfg_done_o) return false;
    request_taken_ = false;
    requests_.pop();
    return true;
  }

 private:
  Fifo<CfgWords> requests_;
  Fifo<std::uint64_t> completions_;
  std::uint64_t told_count_ = 0, done_count_ = 0;
  unsigned slot_count_ = 0;
  bool request_valid_ = false, request_taken_ = false;
  bool complete_valid_ = false;
  bool control_active_ = false;
  bool ready_ = false, level_changed_ = false;
  bool fatal_ = false;
  bool shst_valid_ = false;
  std::uint8_t shst_ = 0;
  bool was_active_ = true;  // at the last Drive(): its pins have to be taken back
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_DEVICE_AGENT_H_
