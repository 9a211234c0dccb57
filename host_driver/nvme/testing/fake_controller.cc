// SPDX-License-Identifier: Apache-2.0
#include "host_driver/nvme/testing/fake_controller.h"

#include <fmt/format.h>

#include <cstring>

#include "nvme/features.h"
#include "nvme/identify.h"
#include "nvme/io_commands.h"
#include "nvme/log_pages.h"

namespace nvmearb::host {

std::uint64_t FakeController::MmioRead(std::uint32_t offset, unsigned) {
  switch (offset) {
    case nvme::kRegCap:
      return config_.cap;
    case nvme::kRegVs:
      return config_.version;
    case nvme::kRegCc:
      return cc_;
    case nvme::kRegCsts:
      return csts_;
    case nvme::kRegAqa:
      return aqa_;
    case nvme::kRegAsq:
      return asq_;
    case nvme::kRegAcq:
      return acq_;
    default:
      return 0;
  }
}

void FakeController::MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  const auto low = static_cast<std::uint32_t>(value);
  const bool enabled = (cc_ & 1u) != 0;
  switch (offset) {
    case nvme::kRegCc:
      return WriteCc(low);
    case nvme::kRegAqa:
      if (enabled) Error("AQA written while enabled");
      aqa_ = low;
      return;
    case nvme::kRegAsq:
      if (enabled || bytes != 8) Error("ASQ written while enabled or in part");
      asq_ = value;
      return;
    case nvme::kRegAcq:
      if (enabled || bytes != 8) Error("ACQ written while enabled or in part");
      acq_ = value;
      return;
    default:
      break;
  }
  const auto doorbell = nvme::DecodeDoorbell(offset, nvme::Cap::Decode(config_.cap).dstrd);
  if (!doorbell || bytes != 4) return Error(fmt::format("write to {:#x}", offset));
  Doorbell(*doorbell, low);
}

void FakeController::WriteCc(std::uint32_t value) {
  const bool was = (cc_ & 1u) != 0;
  const bool now = (value & 1u) != 0;
  cc_ = value;
  if (was == now) return;
  ++generation_;
  if (now) {
    if ((csts_ & 1u) != 0) Error("enabled before the reset was over");
    const auto aqa = nvme::Aqa::Decode(aqa_);
    cqs_[0] = {acq_, aqa.cq_count, 0, 0, true, true, 0};
    sqs_[0] = {asq_, aqa.sq_count, 0, 0, 0, {}};
    sq_by_id_.assign(config_.creatable_sqs + 2u, nullptr);
    cq_by_id_.assign(config_.creatable_cqs + 2u, nullptr);
    sq_by_id_[0] = &sqs_[0];
    cq_by_id_[0] = &cqs_[0];
  } else {
    sqs_.clear();
    cqs_.clear();
    sq_by_id_.clear();
    cq_by_id_.clear();
    held_.clear();
    aer_outstanding_ = false;
    event_masked_ = false;
    events_.clear();
    csts_ &= ~2u;
  }
  if (!config_.never_ready) {
    clock_.At(clock_.Now() + config_.ready_delay,
              Bind<&FakeController::ReadyEvent>(this, generation_));
  }
}

void FakeController::ReadyEvent(std::uint64_t generation) {
  if (generation == generation_) csts_ = (csts_ & ~1u) | (cc_ & 1u);
}

void FakeController::Doorbell(const nvme::Doorbell& doorbell, std::uint32_t value) {
  if (config_.strict) doorbells_.push_back({doorbell.is_cq, doorbell.qid, value, clock_.Now()});
  if ((csts_ & 1u) == 0) return Error("doorbell while not ready");
  if (doorbell.is_cq) {
    Cq* const cq = doorbell.qid < cq_by_id_.size() ? cq_by_id_[doorbell.qid] : nullptr;
    if (cq == nullptr) return Error(fmt::format("doorbell of CQ {}", doorbell.qid));
    const std::uint32_t used = (cq->tail + cq->size - cq->head) % cq->size;
    const std::uint32_t freed = (value + cq->size - cq->head) % cq->size;
    if (value >= cq->size || freed == 0 || freed > used) {
      return Error(fmt::format("CQ {} head {} -> {}", doorbell.qid, cq->head, value));
    }
    cq->head = value;
    return;
  }
  Sq* const sq = doorbell.qid < sq_by_id_.size() ? sq_by_id_[doorbell.qid] : nullptr;
  if (sq == nullptr) return Error(fmt::format("doorbell of SQ {}", doorbell.qid));
  if (value >= sq->size || value == sq->head) {
    return Error(fmt::format("SQ {} head {} tail {}", doorbell.qid, sq->head, value));
  }
  Fetch(doorbell.qid, value);
}

void FakeController::Fetch(std::uint16_t sqid, std::uint32_t tail) {
  while (true) {
    Sq* const sq = sq_by_id_[sqid];
    if (sq == nullptr || sq->head == tail) return;
    nvme::Sqe sqe;
    if (!host_->DmaRead(sq->base + sq->head * nvme::kSqeBytes, &sqe, sizeof(sqe))) {
      return Error(fmt::format("SQ {} entry {} is not in host memory", sqid, sq->head));
    }
    sq->head = sq->head + 1 == sq->size ? 0 : sq->head + 1;
    if (config_.strict && !sq->outstanding.insert(sqe.CommandId()).second) {
      Error(fmt::format("SQ {} command id {} used twice", sqid, sqe.CommandId()));
    }
    if (sqid == 0) {
      Admin(sqe);
    } else {
      Io(sqid, sqe);
    }
  }
}

void FakeController::Admin(const nvme::Sqe& sqe) {
  admin_.push_back(sqe);
  const auto opcode = static_cast<nvme::AdminOpcode>(sqe.Opcode());
  if (opcode == nvme::AdminOpcode::kAsyncEventRequest) {
    const auto scripted = admin_status_.find(opcode);
    if (scripted != admin_status_.end()) {
      return Post(0, sqe.CommandId(), scripted->second, true, 0);
    }
    if (aer_outstanding_) Error("a second AER");
    aer_outstanding_ = true;
    aer_cid_ = sqe.CommandId();
    return AnswerAer();
  }
  if (ignored_.count(opcode) != 0) return;
  clock_.At(clock_.Now() + config_.admin_latency,
            Bind<&FakeController::AdminEvent>(this, (generation_ << 32) | (admin_.size() - 1)));
}

void FakeController::AdminEvent(std::uint64_t packed) {
  if ((packed >> 32) != generation_) return;
  const nvme::Sqe sqe = admin_[packed & 0xffffffffu];
  std::uint32_t dw0 = 0;
  bool answer = true;
  const auto scripted = admin_status_.find(static_cast<nvme::AdminOpcode>(sqe.Opcode()));
  const nvme::Status status =
      scripted != admin_status_.end() ? scripted->second : Execute(sqe, &dw0, &answer);
  if (answer) Post(0, sqe.CommandId(), status, true, dw0);
}

nvme::Status FakeController::Execute(const nvme::Sqe& sqe, std::uint32_t* dw0, bool*) {
  using nvme::AdminOpcode;
  using nvme::Status;
  switch (static_cast<AdminOpcode>(sqe.Opcode())) {
    case AdminOpcode::kIdentify:
      return Identify(nvme::Identify::Decode(sqe));
    case AdminOpcode::kSetFeatures: {
      const auto command = nvme::SetFeatures::Decode(sqe);
      if (command.fid == 1) {
        arbitration_ = command.cdw11;
        return Status::kSuccess;
      }
      if (command.fid != 7) return Status::kInvalidField;
      if (sqs_.size() > 1) return Status::kCommandSequenceError;
      *dw0 = nvme::NumberOfQueuesFeature{config_.granted_queues, config_.granted_queues}.Encode();
      return Status::kSuccess;
    }
    case AdminOpcode::kCreateIoCq: {
      const auto command = nvme::CreateIoCq::Decode(sqe);
      if (command.qid == 0 || command.qid > config_.creatable_cqs || cqs_.count(command.qid) != 0) {
        return Status::kInvalidQueueIdentifier;
      }
      if (!command.contiguous || command.prp1 % 4096 != 0) return Status::kInvalidField;
      cqs_[command.qid] = {command.prp1,       command.size_zb + 1u, 0, 0, true,
                           command.interrupts, command.vector};
      cq_by_id_[command.qid] = &cqs_[command.qid];
      return Status::kSuccess;
    }
    case AdminOpcode::kCreateIoSq: {
      const auto command = nvme::CreateIoSq::Decode(sqe);
      if (command.qid == 0 || command.qid > config_.creatable_sqs || sqs_.count(command.qid) != 0) {
        return Status::kInvalidQueueIdentifier;
      }
      if (cqs_.count(command.cqid) == 0) return Status::kCompletionQueueInvalid;
      sqs_[command.qid] = {command.prp1, command.size_zb + 1u, 0, command.cqid, command.qprio, {}};
      sq_by_id_[command.qid] = &sqs_[command.qid];
      return Status::kSuccess;
    }
    case AdminOpcode::kDeleteIoSq: {
      const auto command = nvme::DeleteIoSq::Decode(sqe);
      if (sqs_.erase(command.qid) == 0) return Status::kInvalidQueueIdentifier;
      sq_by_id_[command.qid] = nullptr;
      return Status::kSuccess;
    }
    case AdminOpcode::kDeleteIoCq: {
      const auto command = nvme::DeleteIoCq::Decode(sqe);
      for (const auto& [id, sq] : sqs_) {
        if (sq.cqid == command.qid) return Status::kInvalidQueueDeletion;
      }
      if (cqs_.erase(command.qid) == 0) return Status::kInvalidQueueIdentifier;
      cq_by_id_[command.qid] = nullptr;
      return Status::kSuccess;
    }
    case AdminOpcode::kAbort: {
      const auto command = nvme::Abort::Decode(sqe);
      *dw0 = 1;
      for (std::size_t i = 0; i < held_.size(); ++i) {
        if (held_[i].sqid != command.sqid || held_[i].cid != command.abort_cid) continue;
        CompleteHeld(i, Status::kAbortRequested, false);
        *dw0 = 0;
        break;
      }
      return Status::kSuccess;
    }
    case AdminOpcode::kGetLogPage:
      if (nvme::GetLogPage::Decode(sqe).retain_event == false) event_masked_ = false;
      return Status::kSuccess;
    default:
      return Status::kInvalidOpcode;
  }
}

nvme::Status FakeController::Identify(const nvme::Identify& command) {
  std::vector<std::uint8_t> page(nvme::kIdentifyBytes, 0);
  if (command.cns == 1) {
    nvme::IdentifyController data{};
    nvme::SetAscii(data.mn, "FAKE CONTROLLER");
    nvme::SetAscii(data.sn, "F0001");
    nvme::SetAscii(data.fr, "1.0");
    data.mdts = config_.mdts;
    data.acl = config_.acl;
    data.vwc = config_.vwc;
    data.nn = config_.nn;
    std::memcpy(page.data(), &data, sizeof(data));
  } else if (command.cns == 0 && command.nsid == 1) {
    nvme::IdentifyNamespace data{};
    data.nsze = config_.blocks;
    data.noiob = config_.noiob;
    data.lbaf[0].lbads = config_.lbads;
    std::memcpy(page.data(), &data, sizeof(data));
  } else {
    return nvme::Status::kInvalidField;
  }
  if (!host_->DmaWrite(command.prp1, page.data(), page.size())) Error("Identify data not mapped");
  return nvme::Status::kSuccess;
}

void FakeController::Io(std::uint16_t sqid, const nvme::Sqe& sqe) {
  ++io_count_;
  if (config_.strict) {
    IoCommand command{sqid, sqe, clock_.Now(), {}};
    if (sqe.Opcode() != 0) ReadPages(nvme::ReadWrite::Decode(sqe), &command.pages);
    io_.push_back(command);
  }
  if (hold_) {
    held_.push_back({sqid, sqe.CommandId()});
    return;
  }
  const std::uint64_t packed = (generation_ << 32) | (std::uint64_t{sqid} << 16) | sqe.CommandId();
  clock_.At(clock_.Now() + config_.io_latency, Bind<&FakeController::IoEvent>(this, packed));
}

// Follows PRP1, PRP2 and the list, and checks that every page is mapped.
void FakeController::ReadPages(const nvme::ReadWrite& command, std::vector<std::uint64_t>* pages) {
  const std::uint64_t bytes = std::uint64_t{command.block_count} << config_.lbads;
  pages->push_back(command.prp1);
  std::uint64_t covered = 4096 - command.prp1 % 4096;
  if (covered < bytes && bytes - covered <= 4096) {
    pages->push_back(command.prp2);
  } else if (covered < bytes) {
    std::uint64_t at = command.prp2;
    while (covered < bytes) {
      std::uint64_t entry = 0;
      if (!host_->DmaRead(at, &entry, 8)) return Error("a PRP list that is not mapped");
      if (at % 4096 == 4088 && bytes - covered > 4096) {
        at = entry;
        continue;
      }
      pages->push_back(entry);
      covered += 4096;
      at += 8;
    }
  }
  for (const std::uint64_t page : *pages) {
    std::uint8_t byte = 0;
    if (!host_->DmaRead(page, &byte, 1)) Error("a PRP that is not mapped");
  }
}

void FakeController::IoEvent(std::uint64_t packed) {
  if ((packed >> 32) != generation_) return;
  Post(static_cast<std::uint16_t>(packed >> 16), static_cast<std::uint16_t>(packed), io_status_,
       io_dnr_, 0);
}

void FakeController::CompleteHeld(std::size_t index, nvme::Status status, bool dnr) {
  const Held held = held_.at(index);
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
  Post(held.sqid, held.cid, status, dnr, 0);
}

void FakeController::CompleteAllHeld() {
  while (!held_.empty()) CompleteHeld(0);
}

void FakeController::Post(std::uint16_t sqid, std::uint16_t cid, nvme::Status status, bool dnr,
                          std::uint32_t dw0) {
  Sq* const sq = sqid < sq_by_id_.size() ? sq_by_id_[sqid] : nullptr;
  Cq* const cq = sq == nullptr ? nullptr : cq_by_id_[sq->cqid];
  if (cq == nullptr) return;  // its queue was deleted
  if (config_.strict) sq->outstanding.erase(cid);
  const std::uint32_t next = cq->tail + 1 == cq->size ? 0 : cq->tail + 1;
  if (next == cq->head) return Error(fmt::format("CQ {} is full", sq->cqid));
  nvme::Cqe cqe;
  cqe.dw0 = dw0;
  cqe.sqhd = static_cast<std::uint16_t>(sq->head);
  cqe.sqid = sqid;
  cqe.cid = cid;
  cqe.SetStatusPhase(status, dnr && status != nvme::Status::kSuccess, cq->phase);
  if (!host_->DmaWrite(cq->base + cq->tail * nvme::kCqeBytes, &cqe, sizeof(cqe))) {
    return Error(fmt::format("CQ {} is not in host memory", sq->cqid));
  }
  cq->tail = next;
  if (next == 0) cq->phase = !cq->phase;
  if (cq->interrupts && !(lose_interrupts_ && sqid != 0)) host_->Interrupt(cq->vector);
}

void FakeController::RaiseDoorbellError(std::uint8_t info) {
  events_.push_back((1u << 16) | (std::uint32_t{info} << 8));
  AnswerAer();
}

void FakeController::AnswerAer() {
  if (!aer_outstanding_ || event_masked_ || events_.empty()) return;
  const std::uint32_t event = events_.front();
  events_.erase(events_.begin());
  aer_outstanding_ = false;
  event_masked_ = true;
  Post(0, aer_cid_, nvme::Status::kSuccess, true, event);
}

}  // namespace nvmearb::host
