// SPDX-License-Identifier: Apache-2.0
#include "ssd/queue_table.h"

#include <algorithm>

namespace nvmearb::ssd {

using nvme::Status;

namespace {
constexpr std::uint8_t kIosqes = 6;  // 64 bytes
constexpr std::uint8_t kIocqes = 4;  // 16 bytes
}  // namespace

QueueTable::QueueTable(unsigned queue_count) : sqs_(queue_count), cqs_(queue_count) {
  Reset({}, {});
}

void QueueTable::Reset(const nvme::Cap& cap, const nvme::Cc& cc) {
  std::fill(sqs_.begin(), sqs_.end(), Sq{});
  std::fill(cqs_.begin(), cqs_.end(), Cq{});
  sqs_[0].exists = true;
  sqs_[0].sq_class = arbiter::SqClass::kAdmin;
  cqs_[0].exists = true;
  cqs_[0].sq_count = 1;
  allocated_sq_count_ = allocated_cq_count_ = queue_count() - 1;
  page_bytes_ = std::uint64_t{4096} << cc.mps;
  mqes_zb_ = cap.mqes_zb;
  sq_entry_size_set_ = cc.iosqes == kIosqes;
  cq_entry_size_set_ = cc.iocqes == kIocqes;
  io_queue_was_created_ = false;
}

Status QueueTable::CheckMemory(bool entry_size_set, std::uint16_t size_zb, bool contiguous,
                               std::uint64_t prp1) const {
  if (!entry_size_set || size_zb == 0 || size_zb > mqes_zb_) return Status::kInvalidQueueSize;
  if (!contiguous) return Status::kInvalidField;  // CAP.CQR = 1
  if ((prp1 & (page_bytes_ - 1)) != 0) return Status::kPrpOffsetInvalid;
  return Status::kSuccess;
}

Status QueueTable::CheckCreateCq(const nvme::CreateIoCq& command) const {
  if (command.qid == 0 || command.qid > allocated_cq_count_ || cqs_[command.qid].exists) {
    return Status::kInvalidQueueIdentifier;
  }
  const Status status =
      CheckMemory(cq_entry_size_set_, command.size_zb, command.contiguous, command.prp1);
  if (status != Status::kSuccess) return status;
  if (command.interrupts && command.vector >= queue_count()) {
    return Status::kInvalidInterruptVector;
  }
  return Status::kSuccess;
}

Status QueueTable::CheckCreateSq(const nvme::CreateIoSq& command) const {
  if (command.qid == 0 || command.qid > allocated_sq_count_ || sqs_[command.qid].exists) {
    return Status::kInvalidQueueIdentifier;
  }
  if (command.cqid == 0 || command.cqid > allocated_cq_count_) {
    return Status::kInvalidQueueIdentifier;
  }
  if (!cqs_[command.cqid].exists) return Status::kCompletionQueueInvalid;
  return CheckMemory(sq_entry_size_set_, command.size_zb, command.contiguous, command.prp1);
}

Status QueueTable::CheckDeleteSq(const nvme::DeleteIoSq& command) const {
  const bool good = command.qid != 0 && command.qid < sqs_.size() && sqs_[command.qid].exists;
  return good ? Status::kSuccess : Status::kInvalidQueueIdentifier;
}

Status QueueTable::CheckDeleteCq(const nvme::DeleteIoCq& command) const {
  if (command.qid == 0 || command.qid >= cqs_.size() || !cqs_[command.qid].exists) {
    return Status::kInvalidQueueIdentifier;
  }
  return cqs_[command.qid].sq_count > 0 ? Status::kInvalidQueueDeletion : Status::kSuccess;
}

void QueueTable::AddCq(const nvme::CreateIoCq& command) {
  cqs_[command.qid] = {0, true};
  io_queue_was_created_ = true;
}

void QueueTable::AddSq(const nvme::CreateIoSq& command) {
  Sq& sq = sqs_[command.qid];
  sq = Sq{};
  sq.base = command.prp1;
  sq.size_count = command.size_zb + 1u;
  sq.cqid = command.cqid;
  sq.sq_class = static_cast<arbiter::SqClass>(command.qprio);
  sq.exists = true;
  ++cqs_[command.cqid].sq_count;
}

void QueueTable::RemoveSq(std::uint16_t sqid) {
  --cqs_[sqs_[sqid].cqid].sq_count;
  sqs_[sqid] = Sq{};
}

void QueueTable::RemoveCq(std::uint16_t cqid) { cqs_[cqid] = Cq{}; }

void QueueTable::Allocate(std::uint32_t sq_count, std::uint32_t cq_count) {
  const std::uint32_t most = queue_count() - 1;
  allocated_sq_count_ = std::min(sq_count, most);
  allocated_cq_count_ = std::min(cq_count, most);
}

}  // namespace nvmearb::ssd
