// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/playground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "nvme/base/check.h"
#include "nvme/opcodes.h"
#include "nvme/registers.h"
#include "nvme/sqe.h"

namespace nvmearb::tb {

using arbiter::Mechanism;

namespace {

constexpr std::uint32_t kSqeBytes = nvme::kSqeBytes;
constexpr std::uint64_t kQueueStrideBytes = 65536ull * kSqeBytes;  // the largest queue
constexpr std::uint32_t kSmallestQueueCount = 2;
constexpr std::uint32_t kVersion = nvme::MakeVersion(1, 4, 0);
// Far more than any front end needs between two slots; only a hang takes longer.
constexpr ssd::TimePs kStepPs = 1'000'000;  // 1 us
constexpr int kMostSteps = 100'000;

/// The SQE of the `number`-th command of an SQ: says in every field that is free where it is from.
nvme::Sqe MakeSqe(std::uint16_t sqid, std::uint32_t number) {
  nvme::Sqe sqe = nvme::Sqe::Make(sqid == 0 ? 0x06 : 0x02, static_cast<std::uint16_t>(number));
  sqe.nsid = 1;
  sqe.cdw10 = number;
  sqe.cdw11 = 0x5a5a0000u | sqid;
  sqe.cdw15 = ~number;
  return sqe;
}

}  // namespace

std::string FormatOrder(const GrantOrder& order) {
  std::string text;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && order[end] == order[begin]) ++end;
    if (begin > 0) text += ' ';
    text += fmt::format("{}", order[begin]);
    if (end - begin > 1) text += fmt::format("x{}", end - begin);
    begin = end;
  }
  return text;
}

Playground::Playground(ssd::FrontEnd* front_end, ssd::Kernel* kernel, arbiter::EventSink* events)
    : front_end_(front_end),
      kernel_(kernel),
      events_(events),
      limits_(front_end->Limits()),
      queues_(limits_.sq_count) {
  front_end_->Attach(this, this, this);
  nvme::Cap cap;
  cap.mqes_zb = static_cast<std::uint16_t>(limits_.queue_size_count - 1);
  cap.cqr = true;
  cap.ams = nvme::kCapAmsWeightedRoundRobin;
  cap.timeout_500ms = 1;
  cap.dstrd = static_cast<std::uint8_t>(limits_.dstrd);
  cap.css = 1;
  front_end_->SetStraps(cap.Encode(), kVersion);
}

GrantOrder Playground::Run(const ArbitrateOptions& options) {
  order_.clear();
  command_count_ = 0;
  held_slot_count_ = 0;
  admin_granted_count_ = 0;
  is_rung_.assign(options.afters.size(), false);
  BringUp(options);
  for (const ArbitrateOptions::Queue& queue : options.queues) Submit(queue.sqid, queue.count);
  Settle();

  while (true) {
    const std::size_t rung_at = order_.size();
    RingDue(options);
    if (order_.size() > rung_at) continue;  // a slot was still held; more may be due
    // One slot is for SQ 0 in WRR: an I/O command needs two, an admin command one.
    const bool admin_waits = admin_granted_count_ < queues_[0].submitted_count;
    const bool is_rr = options.mechanism == Mechanism::kRoundRobin;
    const std::uint32_t wanted_count = is_rr || admin_waits ? 1 : 2;
    const std::size_t before = order_.size();
    if (held_slot_count_ < wanted_count) {
      const std::uint32_t given_count = wanted_count - held_slot_count_;
      held_slot_count_ = wanted_count;
      front_end_->GiveSlots(given_count);
      Settle();
    }
    const bool all_rung = std::find(is_rung_.begin(), is_rung_.end(), false) == is_rung_.end();
    if (order_.size() == before && all_rung) break;
    NVMEARB_CHECK(order_.size() > before, "commands wait, a slot is given, and nothing is granted");
  }

  NVMEARB_CHECK(command_count_ == order_.size(), "every granted command is fetched");
  front_end_->MmioWrite(nvme::kRegCc, 0, 4);
  Settle();
  NVMEARB_CHECK(!is_enabled_, "the controller disables");
  return order_;
}

void Playground::BringUp(const ArbitrateOptions& options) {
  for (Queue& queue : queues_) queue = {};
  std::map<std::uint16_t, std::uint64_t> totals{{0, 0}};
  for (const auto& queue : options.queues) totals[queue.sqid] += queue.count;
  for (const auto& after : options.afters) totals[after.sqid] += after.count;
  for (const auto& [sqid, count] : totals) Prepare(sqid, count);

  const std::uint32_t admin_size_zb = queues_[0].size_count - 1;
  front_end_->MmioWrite(nvme::kRegAqa, (admin_size_zb << 16) | admin_size_zb, 4);
  front_end_->MmioWrite(nvme::kRegAsq, BaseOf(0), 8);
  front_end_->MmioWrite(nvme::kRegAcq, 0, 8);  // no CQE is ever written
  nvme::Cc cc;
  cc.en = true;
  cc.ams = options.mechanism == Mechanism::kRoundRobin
               ? static_cast<std::uint8_t>(nvme::Ams::kRoundRobin)
               : static_cast<std::uint8_t>(nvme::Ams::kWeightedRoundRobinUrgent);
  cc.iosqes = 6;
  cc.iocqes = 4;
  front_end_->MmioWrite(nvme::kRegCc, cc.Encode(), 4);
  Settle();
  NVMEARB_CHECK(is_enabled_, "the controller enables");
  CreateQueues(options);
}

/// Makes room for `count` commands of an SQ and writes them.
void Playground::Prepare(std::uint16_t sqid, std::uint64_t count) {
  Queue& queue = queues_[sqid];
  queue.size_count = std::max(kSmallestQueueCount, static_cast<std::uint32_t>(count) + 1);
  NVMEARB_CHECK(count <= MostCommandsOf(sqid, limits_), "the options were checked");
  queue.entries.resize(std::size_t{queue.size_count} * kSqeBytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const nvme::Sqe sqe = MakeSqe(sqid, i);
    std::memcpy(queue.entries.data() + std::size_t{i} * kSqeBytes, &sqe, kSqeBytes);
  }
}

void Playground::CreateQueues(const ArbitrateOptions& options) {
  config_done_count_ = 0;
  std::uint32_t call_count = 1;
  front_end_->SetArbitration(options.settings);
  for (const ArbitrateOptions::Queue& option : options.queues) {
    if (option.sqid == 0) continue;
    const Queue& queue = queues_[option.sqid];
    front_end_->CreateCq({option.sqid, queue.size_count});
    front_end_->CreateSq(
        {option.sqid, option.sqid, queue.size_count, option.sq_class, BaseOf(option.sqid)});
    call_count += 2;
  }
  Settle();
  NVMEARB_CHECK(config_done_count_ == call_count, "every configuration call is answered");
}

void Playground::Submit(std::uint16_t sqid, std::uint32_t count) {
  if (count == 0) return;
  Queue& queue = queues_[sqid];
  queue.submitted_count += count;
  queue.tail += count;
  const std::uint32_t offset = nvme::kRegDoorbells + 2u * sqid * (4u << limits_.dstrd);
  front_end_->MmioWrite(offset, queue.tail, 4);
}

/// Rings the --after entries whose time has come, in the order given.
void Playground::RingDue(const ArbitrateOptions& options) {
  const std::uint64_t granted_count = order_.size();
  bool any = false;
  for (std::size_t i = 0; i < options.afters.size(); ++i) {
    if (is_rung_[i] || options.afters[i].granted_count != granted_count) continue;
    is_rung_[i] = true;
    any = true;
    Submit(options.afters[i].sqid, options.afters[i].count);
  }
  if (any) Settle();
}

/// Runs the simulation until nothing is left to happen.
void Playground::Settle() {
  for (int i = 0; i < kMostSteps; ++i) {
    if (!kernel_->RunUntil(kernel_->Now() + kStepPs)) return;
  }
  NVMEARB_CHECK(false, "the front end does not come to rest");
}

std::uint64_t Playground::BaseOf(std::uint16_t sqid) const {
  return kQueueStrideBytes * (std::uint64_t{sqid} + 1);
}

void Playground::OnEnable(const ssd::EnableConfig& /*config*/) {
  is_enabled_ = true;
  front_end_->SetReady(true);
}

void Playground::OnDisable() {
  is_enabled_ = false;
  front_end_->SetReady(false);
}

void Playground::OnShutdown(std::uint8_t /*shn*/) {
  NVMEARB_CHECK(false, "nobody asked for a shutdown");
}

void Playground::OnDoorbellError(arbiter::DoorbellError /*error*/, bool /*is_cq*/,
                                 std::uint16_t /*qid*/) {
  NVMEARB_CHECK(false, "every doorbell is legal");
}

void Playground::OnFetchError(std::uint16_t /*sqid*/) {
  NVMEARB_CHECK(false, "every slot is mapped");
}

void Playground::OnCommand(const ssd::FetchedCommand& command) {
  NVMEARB_CHECK(command_count_ < order_.size() && order_[command_count_] == command.sqid,
                "commands are fetched in the order of their grants");
  ++command_count_;
  const nvme::Sqe expected = MakeSqe(command.sqid, queues_[command.sqid].fetched_count++);
  NVMEARB_CHECK(std::memcmp(&expected, command.sqe.data(), kSqeBytes) == 0,
                "the command is the one in memory");
  front_end_->Complete(command.sqid, command.cqid, false);
}

bool Playground::Read(std::uint64_t address, void* destination, std::size_t bytes) {
  const std::uint64_t number = address / kQueueStrideBytes;
  const std::uint64_t offset = address % kQueueStrideBytes;
  if (number == 0 || number > queues_.size()) return false;
  const Queue& queue = queues_[number - 1];
  if (offset + bytes > queue.entries.size()) return false;
  std::memcpy(destination, queue.entries.data() + offset, bytes);
  return true;
}

bool Playground::Write(std::uint64_t /*address*/, const void* /*source*/, std::size_t /*bytes*/) {
  return false;
}

void Playground::OnEvent(const arbiter::Event& event) {
  if (event.kind == arbiter::EventKind::kGrant) {
    if (event.sqid == 0) admin_granted_count_ += event.count;
    order_.insert(order_.end(), event.count, event.sqid);
    held_slot_count_ -= std::min(held_slot_count_, event.count);
  }
  if (events_ != nullptr) events_->OnEvent(event);
}

GrantOrder Arbitrate(const ArbitrateOptions& options, ssd::FrontEnd* front_end,
                     ssd::Kernel* kernel) {
  return Playground(front_end, kernel).Run(options);
}

}  // namespace nvmearb::tb
