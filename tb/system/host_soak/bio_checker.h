// SPDX-License-Identifier: Apache-2.0
//
// BioChecker: what anybody can see of a disk from outside: each bio comes back once, as it went in,
// and no clock runs backwards. Knows nothing of the host's code.
#ifndef NVMEARB_TB_SYSTEM_HOST_SOAK_BIO_CHECKER_H_
#define NVMEARB_TB_SYSTEM_HOST_SOAK_BIO_CHECKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "host_driver/block/bio.h"

namespace nvmearb::system {

class BioChecker {
 public:
  /// `may_fail`: bios may end with an error of the host (all ways to the drive given up, too many
  /// resets).
  BioChecker(std::size_t slots, bool may_fail) : open_(slots), may_fail_(may_fail) {}

  /// `bio` of `slot` is about to be submitted. Returns what its completion has to bring back.
  std::uint64_t Begin(std::uint32_t slot, const host::Bio& bio, host::TimePs now);
  /// A completion: `key` is what Begin() returned for it.
  void End(std::uint64_t key, const host::Bio& bio, host::TimePs now);
  [[nodiscard]] static std::uint32_t SlotOf(std::uint64_t key) {
    return static_cast<std::uint32_t>(key);
  }
  /// The clock was looked at.
  void See(host::TimePs now);
  /// Nothing is in flight any more: complains of what is.
  void ExpectAllEnded();

  [[nodiscard]] std::uint64_t begun() const { return begun_; }
  [[nodiscard]] std::uint64_t ended() const { return ended_; }
  [[nodiscard]] std::uint64_t failed() const { return failed_; }
  [[nodiscard]] std::uint64_t in_flight() const { return begun_ - ended_; }
  /// The first thing that was wrong; empty: nothing.
  [[nodiscard]] const std::string& finding() const { return finding_; }
  void Note(std::string finding) {
    if (finding_.empty()) finding_ = std::move(finding);
  }

 private:
  struct Open {
    std::uint32_t life = 0;  // odd: in flight
    host::BioOp op = host::BioOp::kRead;
    std::uint32_t bytes = 0;
    std::uint64_t offset = 0;
  };

  std::vector<Open> open_;
  bool may_fail_;
  host::TimePs last_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t failed_ = 0;
  std::string finding_;
};

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_HOST_SOAK_BIO_CHECKER_H_
