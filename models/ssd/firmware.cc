// SPDX-License-Identifier: Apache-2.0
#include "ssd/firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "nvme/base/check.h"
#include "nvme/io_commands.h"
#include "nvme/registers.h"

namespace nvmearb::ssd {

using nvme::Status;

namespace {

/// Queue pairs of the controller, the admin pair included.
unsigned QueueCount(const FrontEnd& front_end, const IdentityParams& identity) {
  const unsigned most = front_end.Limits().sq_count;
  return identity.max_io_queues == 0 ? most : std::min(most, identity.max_io_queues + 1);
}

}  // namespace

Firmware::Firmware(Kernel* kernel, const SsdParams& params, FrontEnd* front_end, FrontEndDma* dma,
                   InterruptSink* interrupts, Flash* flash)
    : kernel_(kernel),
      dma_(dma),
      params_(params),
      front_end_(front_end),
      cap_(nvme::Cap::Decode(params.identity.cap)),
      queues_(QueueCount(*front_end, params.identity)),
      completions_(front_end, dma, interrupts, front_end->Limits().sq_count),
      pool_(params.media.window_slots + 1),
      window_(kernel, params_, front_end, &pool_, this, &statistics_),
      media_(kernel, params_.media, params.seed, front_end->Limits().sq_count, &pool_, &window_,
             flash),
      admin_({kernel, front_end, dma, &params_, &queues_, &completions_, &window_, &statistics_}) {
  NVMEARB_CHECK(params.Problem().empty(), "parameters have been checked by the caller");
  const FrontEndLimits limits = front_end->Limits();
  cap_.mqes_zb = static_cast<std::uint16_t>(
      std::min<std::uint32_t>(cap_.mqes_zb, limits.queue_size_count - 1));
  cap_.dstrd = static_cast<std::uint8_t>(limits.dstrd);
  window_.Attach(&media_);
  statistics_.fetched_by_sq.resize(limits.sq_count);
  front_end->SetStraps(cap_.Encode(), params.identity.vs);
}

void Firmware::OnEnable(const EnableConfig& config) {
  const nvme::Cc cc = nvme::Cc::Decode(config.cc);
  const nvme::Aqa aqa = nvme::Aqa::Decode(config.aqa);
  ++epoch_;
  queues_.Reset(cap_, cc);
  queues_.sq(0).base = config.asq;
  queues_.sq(0).size_count = aqa.sq_count;
  completions_.Reset();
  completions_.Open(0, {config.acq, aqa.cq_count, 0, true});
  shutting_down_ = false;

  if (cc.mps < cap_.mpsmin || cc.mps > cap_.mpsmax || cc.css != 0) {
    front_end_->SetFatal();  // a page size or command set that this drive does not have
    return;
  }
  const bool wrr = cc.ams == static_cast<std::uint8_t>(nvme::Ams::kWeightedRoundRobinUrgent) &&
                   (cap_.ams & nvme::kCapAmsWeightedRoundRobin) != 0;
  const nvme::ArbitrationFeature& a = admin_.features().arbitration();
  enabling_ = true;
  front_end_->SetArbitration({a.ab, a.hpw_zb, a.mpw_zb, a.lpw_zb});
  window_.Start(wrr);
}

void Firmware::OnConfigDone() {
  if (!enabling_) {
    admin_.OnConfigDone();
    return;
  }
  enabling_ = false;
  kernel_->Call<&Firmware::SetReady>(kernel_->Now() + params_.firmware.ready_ps, this, epoch_);
}

void Firmware::SetReady(std::uint64_t epoch) {
  if (epoch == epoch_) front_end_->SetReady(true);
}

void Firmware::OnDisable() {
  ++epoch_;
  if (shutting_down_) {  // one write asked for both; nothing is left to wait for
    front_end_->SetShutdownStatus(static_cast<std::uint8_t>(nvme::ShutdownStatus::kComplete));
  }
  enabling_ = shutting_down_ = false;
  window_.Stop();
  media_.Reset();
  pool_.Clear();
  admin_.Reset();
  completions_.Reset();
  queues_.Reset(cap_, {});
  front_end_->SetReady(false);
}

void Firmware::OnShutdown(std::uint8_t /*shn*/) {
  shutting_down_ = true;
  front_end_->SetShutdownStatus(static_cast<std::uint8_t>(nvme::ShutdownStatus::kOccurring));
  ContinueShutdown();
}

void Firmware::ContinueShutdown() {
  if (!shutting_down_ || window_.window_count() > 0) return;
  shutting_down_ = false;
  front_end_->SetShutdownStatus(static_cast<std::uint8_t>(nvme::ShutdownStatus::kComplete));
}

void Firmware::OnCommand(const FetchedCommand& command) {
  ++statistics_.fetched_by_class[static_cast<std::size_t>(command.sq_class)];
  ++statistics_.fetched_by_sq[command.sqid];
  queues_.sq(command.sqid).fetched_head = command.sqhd;
  if (command.sqid == 0) {
    front_end_->GiveSlots(1);
    admin_.OnCommand(command);
  } else {
    OnIoCommand(command);
  }
}

void Firmware::OnIoCommand(const FetchedCommand& command) {
  nvme::Sqe sqe;
  std::memcpy(&sqe, command.sqe.data(), sizeof sqe);
  const std::uint32_t index = pool_.Allocate();
  IoCommand& io = pool_[index];
  io.fetched_ps = kernel_->Now();
  io.sqid = command.sqid;
  io.cqid = command.cqid;
  io.cid = sqe.CommandId();
  io.sq_class = command.sq_class;
  io.status = CheckIo(sqe, &io);
  ++queues_.sq(command.sqid).in_flight;
  window_.Enqueue(index);
}

/// Checks of the NVM command set; fills opcode and extent of `io`.
Status Firmware::CheckIo(const nvme::Sqe& sqe, IoCommand* io) const {
  io->opcode = static_cast<nvme::IoOpcode>(sqe.Opcode());
  if (sqe.Opcode() > static_cast<std::uint8_t>(nvme::IoOpcode::kRead) &&
      io->opcode != nvme::IoOpcode::kDatasetManagement) {
    return Status::kInvalidOpcode;
  }
  if (sqe.FuseBits() != 0 || sqe.Psdt() != 0) return Status::kInvalidField;
  if (io->opcode == nvme::IoOpcode::kFlush) {
    const bool good = sqe.nsid == kOnlyNsid || sqe.nsid == nvme::kBroadcastNsid;
    return good ? Status::kSuccess : Status::kInvalidNamespace;
  }
  if (io->opcode == nvme::IoOpcode::kDatasetManagement) return CheckTrim(sqe);
  const auto command = nvme::ReadWrite::Decode(sqe);
  const std::uint64_t block_count = params_.BlockCount();
  const std::uint64_t bytes = std::uint64_t{command.block_count} << params_.identity.lba_shift;
  if (command.nsid != kOnlyNsid) return Status::kInvalidNamespace;
  if (bytes > params_.MaxTransferBytes()) return Status::kInvalidField;
  if (command.slba >= block_count || command.block_count > block_count - command.slba) {
    return Status::kLbaOutOfRange;
  }
  if ((command.prp1 & 3) != 0) return Status::kPrpOffsetInvalid;
  io->slba = command.slba;
  io->bytes = static_cast<std::uint32_t>(bytes);
  return Status::kSuccess;
}

/// Reads the ranges. They fill at most a page; a list that goes on behind one is read through PRP2.
Status Firmware::CheckTrim(const nvme::Sqe& sqe) const {
  const auto command = nvme::DatasetManagement::Decode(sqe);
  if (command.nsid != kOnlyNsid) return Status::kInvalidNamespace;
  if ((command.prp1 & 3) != 0) return Status::kPrpOffsetInvalid;
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t bytes = command.range_count * sizeof(nvme::DsmRange);
  const std::uint64_t first = std::min(bytes, kPage - command.prp1 % kPage);
  std::array<nvme::DsmRange, 256> ranges;
  auto* const data = reinterpret_cast<std::uint8_t*>(ranges.data());
  if (!dma_->Read(command.prp1, data, first) ||
      (first < bytes && !dma_->Read(command.prp2, data + first, bytes - first))) {
    return Status::kDataTransferError;
  }
  const std::uint64_t block_count = params_.BlockCount();
  for (std::uint32_t i = 0; i < command.range_count; ++i) {
    const nvme::DsmRange& range = ranges[i];
    if (range.slba > block_count || range.block_count > block_count - range.slba) {
      return Status::kLbaOutOfRange;
    }
  }
  return Status::kSuccess;
}

void Firmware::OnIoComplete(std::uint32_t command) {
  const IoCommand& io = pool_[command];
  const bool good = io.status == Status::kSuccess;
  if (good && io.opcode == nvme::IoOpcode::kRead) {
    ++statistics_.reads_completed;
    statistics_.read_bytes += io.bytes;
  } else if (good && io.opcode == nvme::IoOpcode::kWrite) {
    ++statistics_.writes_completed;
    statistics_.written_bytes += io.bytes;
  } else {
    ++statistics_.other_completed;
  }
  statistics_.latency_sum_ps += kernel_->Now() - io.fetched_ps;

  QueueTable::Sq& sq = queues_.sq(io.sqid);
  const std::uint16_t sqid = io.sqid;
  completions_.Post({io.sqid, io.cqid, io.cid, sq.fetched_head, io.status, 0});
  pool_.Free(command);
  if (--sq.in_flight == 0) admin_.OnSqIdle(sqid);
  ContinueShutdown();
}

void Firmware::OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) {
  admin_.OnDoorbellError(error, is_cq, qid);
}

/// The front end has set CSTS.CFS and stopped; only a reset helps.
void Firmware::OnFetchError(std::uint16_t /*sqid*/) { ++fetch_error_count_; }

const Statistics& Firmware::UpdatedStatistics() {
  window_.UpdateStatistics();
  return statistics_;
}

std::string Firmware::Describe() const {
  std::string text;
  for (unsigned id = 0; id < queues_.queue_count(); ++id) {
    const auto sqid = static_cast<std::uint16_t>(id);
    const QueueTable::Sq& sq = queues_.sq(sqid);
    if (!sq.exists) continue;
    text += fmt::format("SQ {}: fetched head {}, {} in the device, CQ {} tail {}\n", id,
                        sq.fetched_head, sq.in_flight, sq.cqid, completions_.tail(sq.cqid));
  }
  return text + window_.Describe() + "\n" + media_.Describe() + "\n";
}

}  // namespace nvmearb::ssd
