// SPDX-License-Identifier: Apache-2.0
//
// FunctionalCoverage: counts in which situations a front end has been, as seen on its observation
// port. What is counted is data (functional.toml). Counters are those of the process; they are
// written at its end to $NVMEARB_COVERAGE_DIR/functional-PROGRAM-PID.txt, a line per combination
// that occurred: cross, bins, count. Without that variable nothing is written. One thread.
#ifndef NVMEARB_TB_COVERAGE_FUNCTIONAL_COVERAGE_H_
#define NVMEARB_TB_COVERAGE_FUNCTIONAL_COVERAGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arbiter/types.h"

namespace nvmearb::coverage {

/// What is known at an event. Of an SQ: as it was before the event.
enum class Quantity : std::uint8_t {
  kEvent,        ///< arbiter::EventKind in its order; 9, 10: doorbell and reject of a CQ
  kClass,        ///< arbiter::SqClass of the SQ
  kMechanism,    ///< 0 round robin, 1 WRR
  kBurst,        ///< burst limit in commands, 0 = none
  kWeight,       ///< commands per round of the SQ's class, 1..256; 0: it has none
  kWaiting,      ///< commands of the SQ that are submitted and not granted
  kRoom,         ///< entries of the SQ that are free after the event, as the host may count
  kOutstanding,  ///< commands of the SQ that are granted and not fetched
  kCount,        ///< grant, fetch: commands
  kFirst,        ///< grant: 1 = begins a visit
  kCreditLeft,   ///< grant: credits of its class after it
  kAtEnd,        ///< grant: 1 = its last command is that of the last slot
  kSize,         ///< entries of the SQ's ring
  kRivals,       ///< other SQs in which commands wait
  kAhead,        ///< grant under WRR: 1 = commands of a strictly higher class wait
  kRefusal,      ///< reject: 0 no such queue, 1 beyond the ring, 2 the present value, 3 too many
  kQuantityCount
};

class FunctionalCoverage {
 public:
  explicit FunctionalCoverage(unsigned sq_count);
  void OnEvent(const arbiter::Event& event);

  /// Of the process: how often a combination occurred. Names as in functional.toml.
  [[nodiscard]] static std::uint64_t Count(std::string_view cross,
                                           const std::vector<std::string_view>& bins);

 private:
  struct Sq {
    bool exists = false;
    arbiter::SqClass sq_class = arbiter::SqClass::kAdmin;
    std::uint32_t size_count = 0;
    std::uint32_t tail = 0;
    std::uint32_t issued = 0;   ///< slot of the next command to grant
    std::uint32_t fetched = 0;  ///< slot of the next command to fetch
    [[nodiscard]] std::uint32_t Waiting() const;
    [[nodiscard]] std::uint32_t Outstanding() const;
  };
  using Values = std::array<std::uint32_t, static_cast<std::size_t>(Quantity::kQuantityCount)>;

  [[nodiscard]] Values Describe(const arbiter::Event& event) const;
  void DescribeSq(const arbiter::Event& event, const Sq& sq, Values* values) const;
  void Apply(const arbiter::Event& event);
  void Wait(std::uint16_t sqid, std::uint32_t before);

  std::vector<Sq> sqs_;
  unsigned waiting_sq_count_ = 0;
  std::array<unsigned, 5> waiting_by_class_{};
  arbiter::Mechanism mechanism_ = arbiter::Mechanism::kRoundRobin;
  std::uint32_t burst_count_ = 1;
  std::array<std::uint16_t, arbiter::kLevelCount> weights_{1, 1, 1};
};

}  // namespace nvmearb::coverage

#endif  // NVMEARB_TB_COVERAGE_FUNCTIONAL_COVERAGE_H_
