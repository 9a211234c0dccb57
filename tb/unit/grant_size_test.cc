// SPDX-License-Identifier: Apache-2.0
//
// nvmearb_grant_size against the sentence of rule 11, worked out command by command.
#include <Vnvmearb_unit_grant_size_16.h>
#include <Vnvmearb_unit_grant_size_3.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <type_traits>

#include "arbiter/ring.h"
#include "harness/unknown_start.h"
#include "nvme/base/random.h"

namespace nvmearb::tb {
namespace {

struct Case {
  unsigned max_count, head, tail, size, room, burst, ab, weight_zb, credit, slots;
  bool halted, is_new, weighted;
};
struct Result {
  bool grant;
  unsigned step, count, burst, head;
};
enum Step : unsigned { kKeep, kRequeue, kEmpty, kDrop, kPark };

/// Grants one command after the other until something runs out (rules 4 to 7 and 11).
Result Reference(const Case& c) {
  unsigned present = arbiter::RingDistance(c.tail, c.head, c.size);
  if (c.halted || present == 0) return {false, kDrop, 0, 0, 0};
  if (c.room == 0) return {false, c.is_new ? kPark : kRequeue, 0, 0, 0};
  unsigned burst = c.burst;
  if (c.is_new && c.weighted)
    burst = c.ab == 7 ? c.weight_zb + 1 : std::min(1u << c.ab, c.weight_zb + 1);
  if (c.is_new && !c.weighted) burst = c.ab == 7 ? present : 1u << c.ab;
  unsigned credit = c.credit, room = c.room, slots = c.slots, head = c.head, count = 0;
  while (count < c.max_count && burst != 0 && present != 0 && room != 0 && slots != 0 &&
         (!c.weighted || credit != 0)) {
    --burst, --present, --room, --slots, --credit, ++count;
    if (++head == c.size) {
      head = 0;
      break;
    }
  }
  return {true, present == 0 ? kEmpty : burst == 0 ? kRequeue : kKeep, count, burst, head};
}

template <typename Model>
void RunAgainstReference(unsigned ptr_w) {
  UnknownStart context;
  Model dut(&context);
  base::Random random(ptr_w);
  const auto pick = [&random](unsigned low, unsigned high) {
    return static_cast<unsigned>(random.InRange(low, high));
  };
  const auto few = [&](unsigned low, unsigned high) {  // near the low end half of the time
    return pick(low, random.Below(2) != 0 ? std::min(low + 10, high) : high);
  };
  unsigned steps[5] = {};
  for (int i = 0; i < 300000; ++i) {
    Case c{};
    c.size = few(2, 1u << ptr_w);
    c.head = pick(0, c.size - 1);
    c.tail = random.Below(2) != 0 ? pick(0, c.size - 1) : (c.head + few(0, c.size - 1)) % c.size;
    c.max_count = pick(1, 8);
    c.room = few(0, (1u << ptr_w) - 1);
    c.ab = pick(0, 7);
    c.weight_zb = few(0, 255);
    c.credit = few(1, c.weight_zb + 1);
    c.slots = few(1, 1023);
    c.halted = random.Below(20) == 0;
    c.is_new = random.Below(2) != 0;
    c.weighted = random.Below(2) != 0;
    c.burst = few(1, c.weighted ? 256 : (1u << std::max(ptr_w, 9u)) - 1);
    dut.max_count_i = static_cast<std::uint8_t>(c.max_count);
    dut.head_i = static_cast<std::decay_t<decltype(dut.head_i)>>(c.head);
    dut.tail_i = static_cast<std::decay_t<decltype(dut.tail_i)>>(c.tail);
    dut.size_zb_i = static_cast<std::decay_t<decltype(dut.size_zb_i)>>(c.size - 1);
    dut.halted_i = c.halted;
    dut.room_i = static_cast<std::decay_t<decltype(dut.room_i)>>(c.room);
    dut.new_i = c.is_new;
    dut.burst_i = static_cast<std::uint16_t>(c.burst);
    dut.ab_i = static_cast<std::uint8_t>(c.ab);
    dut.weighted_i = c.weighted;
    dut.weight_zb_i = static_cast<std::uint8_t>(c.weight_zb);
    dut.credit_i = static_cast<std::uint16_t>(c.credit);
    dut.slots_i = static_cast<std::uint16_t>(c.slots);
    dut.valid_i = 0;
    dut.prepare_i = 1;
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
    dut.prepare_i = 0;
    dut.clk_i = 0;
    // Taken by now.
    dut.burst_i = static_cast<std::uint16_t>(random.Below(512));
    dut.credit_i = static_cast<std::uint16_t>(random.Below(257));
    dut.weight_zb_i = static_cast<std::uint8_t>(random.Below(256));
    dut.eval();
    ASSERT_EQ(dut.grant_o | dut.step_o | dut.count_o | dut.burst_o | dut.head_o, 0) << "case " << i;
    dut.valid_i = 1;
    dut.eval();
    const Result r = Reference(c);
    ++steps[r.step];
    ASSERT_EQ(dut.grant_o, r.grant) << "case " << i;
    ASSERT_EQ(dut.step_o, r.step) << "case " << i;
    if (!r.grant) continue;
    ASSERT_EQ(dut.count_o, r.count) << "case " << i;
    ASSERT_EQ(dut.burst_o, r.burst) << "case " << i;
    ASSERT_EQ(dut.head_o, r.head) << "case " << i;
  }
  for (const unsigned seen : steps) EXPECT_GT(seen, 1000u);
}

TEST(GrantSize, EqualsOneCommandAfterTheOtherAtFullPointers) {
  RunAgainstReference<Vnvmearb_unit_grant_size_16>(16);
}
TEST(GrantSize, EqualsOneCommandAfterTheOtherAtShortPointers) {
  RunAgainstReference<Vnvmearb_unit_grant_size_3>(3);
}

}  // namespace
}  // namespace nvmearb::tb
