// SPDX-License-Identifier: Apache-2.0
//
// Bring-up of a controller, step by step (nvme_reset_work of Linux). Each step ends in the next
// one, in a wait, or in Die().
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "host_driver/nvme/pci.h"
#include "nvme/admin_commands.h"
#include "nvme/base/check.h"
#include "nvme/features.h"
#include "nvme/io_commands.h"

namespace nvmearb::host {
namespace {

// The kernel sleeps between 1 and 2 ms from one look at CSTS to the next.
constexpr TimePs kReadyPoll = 1 * kMs;

constexpr std::uint32_t kMaxRequestBytes = 4096 * 1024;  // NVME_MAX_KB_SZ

}  // namespace

void NvmePci::Probe(Callback ready) {
  NVMEARB_CHECK(state_ == State::kNew, "a controller is probed once");
  ready_ = ready;
  state_ = State::kConnecting;
  device_.AttachHost(this);
  Connect();
}

// nvme_pci_enable and nvme_disable_ctrl: what is it, and is it quiet?
void NvmePci::Connect() {
  identity_.cap_raw = device_.MmioRead(nvme::kRegCap, 8);
  identity_.cap = nvme::Cap::Decode(identity_.cap_raw);
  identity_.version = static_cast<std::uint32_t>(device_.MmioRead(nvme::kRegVs, 4));
  if (identity_.cap_raw == ~std::uint64_t{0}) return Die("CAP reads all ones: no device");
  if (identity_.cap.mpsmin > 0) {
    return Die(fmt::format("the device's smallest page, {} KiB, is larger than the host's 4 KiB",
                           4u << identity_.cap.mpsmin));
  }
  nvme::Cc cc = nvme::Cc::Decode(cc_);
  cc.en = false;
  cc.shn = 0;
  cc_ = cc.Encode();
  device_.MmioWrite(nvme::kRegCc, cc_, 4);
  WaitReady(false, &NvmePci::ConfigureAdminQueue);
}

void NvmePci::ConfigureAdminQueue() {
  if (admin_ == nullptr) {
    admin_ = std::make_unique<AdminQueue>(clock_, memory_, device_, identity_.cap.dstrd,
                                          module_->admin_timeout * kSec,
                                          Bind<&NvmePci::OnAdminTimeout>(this));
    admin_buffer_ = memory_.Allocate(nvme::kIdentifyBytes);
  }
  nvme::Aqa aqa;
  aqa.sq_count = AdminQueue::kDepth;
  aqa.cq_count = AdminQueue::kDepth;
  device_.MmioWrite(nvme::kRegAqa, aqa.Encode(), 4);
  device_.MmioWrite(nvme::kRegAsq, admin_->queue().sq_address(), 8);
  device_.MmioWrite(nvme::kRegAcq, admin_->queue().cq_address(), 8);
  irq_pending_.assign(1, 0);
  Enable();
}

// get_ams of the WRR series.
std::uint8_t NvmePci::GetAms() {
  params_ = *module_;
  wrr_enabled_ = false;
  const bool capable = (identity_.cap.ams & nvme::kCapAmsWeightedRoundRobin) != 0;
  if (!capable) {
    if (params_.WrrQueuesAsked() > 0) {
      Notice("the controller has no weighted round robin (CAP.AMS): no wrr queues are made");
    }
    params_.ClearWrr();
    if (module_->posted_bugs) module_->ClearWrr();
    return static_cast<std::uint8_t>(nvme::Ams::kRoundRobin);
  }
  wrr_enabled_ = params_.WrrQueuesAsked() > 0;
  return static_cast<std::uint8_t>(wrr_enabled_ ? nvme::Ams::kWeightedRoundRobinUrgent
                                                : nvme::Ams::kRoundRobin);
}

void NvmePci::Enable() {
  nvme::Cc cc;
  cc.ams = GetAms();
  cc.iosqes = 6;
  cc.iocqes = 4;
  cc.en = true;
  cc_ = cc.Encode();
  device_.MmioWrite(nvme::kRegCc, cc_, 4);
  WaitReady(true, &NvmePci::IdentifyController);
}

// nvme_wait_ready: look at once, then every poll period, until CAP.TO (+ 1, as the kernel does).
void NvmePci::WaitReady(bool ready, Step next) {
  want_ready_ = ready;
  after_ready_ = next;
  ready_deadline_ = clock_.Now() + (identity_.cap.timeout_500ms + 1u) * 500 * kMs;
  WaitReadyEvent(epoch_);
}

void NvmePci::WaitReadyEvent(std::uint64_t epoch) {
  if (epoch != epoch_) return;
  const auto raw = static_cast<std::uint32_t>(device_.MmioRead(nvme::kRegCsts, 4));
  if (raw == ~std::uint32_t{0}) return Die("CSTS reads all ones: the device is gone");
  if (nvme::Csts::Decode(raw).rdy == want_ready_) return (this->*after_ready_)();
  if (clock_.Now() > ready_deadline_) {
    return Die(fmt::format("not {} within {} ms (CAP.TO), CSTS={:#x}",
                           want_ready_ ? "ready" : "disabled",
                           (identity_.cap.timeout_500ms + 1u) * 500, raw));
  }
  clock_.At(clock_.Now() + kReadyPoll, Bind<&NvmePci::WaitReadyEvent>(this, epoch));
}

bool NvmePci::Failed(const nvme::Cqe& cqe, const char* what) {
  if (GivenUp()) return true;
  const nvme::Status status = cqe.GetStatus();
  if (status == nvme::Status::kSuccess) return false;
  Die(fmt::format("{} failed: {} ({:#x})", what, nvme::Name(status),
                  static_cast<unsigned>(status)));
  return true;
}

void NvmePci::IdentifyController() {
  nvme::Identify command;
  command.cns = static_cast<std::uint8_t>(nvme::Cns::kController);
  command.prp1 = admin_buffer_.address;
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnIdentifyController>(this));
}

void NvmePci::OnIdentifyController(std::uint64_t, const nvme::Cqe& cqe) {
  if (Failed(cqe, "Identify Controller")) return;
  nvme::IdentifyController data;
  std::memcpy(&data, admin_buffer_.data, sizeof(data));
  identity_.model = nvme::GetAscii(data.mn);
  identity_.serial = nvme::GetAscii(data.sn);
  identity_.firmware = nvme::GetAscii(data.fr);
  abort_budget_ = data.acl + 1u;
  // MDTS counts pages of CAP.MPSMIN, which is 4 KiB (Connect() made sure).
  limits_.max_bytes = kMaxRequestBytes;
  if (data.mdts != 0 && data.mdts < 10) limits_.max_bytes = 4096u << data.mdts;
  limits_.write_cache = (data.vwc & 1u) != 0;
  limits_.discard = (data.oncs & nvme::kOncsDatasetManagement) != 0;
  if (data.nn == 0) return Die("the controller has no namespace");
  SetPowerOnArbitration();
}

void NvmePci::SetPowerOnArbitration() {
  if (!params_.arbitration) return AskForQueues();
  SetArbitration(*params_.arbitration, BindAdmin<&NvmePci::OnArbitration>(this));
}

void NvmePci::SetArbitration(std::uint32_t value, AdminHandler done) {
  nvme::SetFeatures command;
  command.fid = static_cast<std::uint8_t>(nvme::FeatureId::kArbitration);
  command.cdw11 = value;
  AdminCommand(command.Encode(0), done);
}

void NvmePci::OnArbitration(std::uint64_t, const nvme::Cqe& cqe) {
  if (!Failed(cqe, "Set Features, Arbitration")) AskForQueues();
}

void NvmePci::AskForQueues() {
  if (module_->posted_bugs) {
    // The posted code reads the module's parameters again here; another controller may have cleared
    // them.
    params_ = *module_;
    if ((identity_.cap.ams & nvme::kCapAmsWeightedRoundRobin) == 0) params_.ClearWrr();
  }
  asked_ = QueuesToAskFor(params_, cpus_.cpu_count());
  nvme::SetFeatures command;
  command.fid = static_cast<std::uint8_t>(nvme::FeatureId::kNumberOfQueues);
  command.cdw11 = nvme::NumberOfQueuesFeature{asked_, asked_}.Encode();
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnNumberOfQueues>(this));
}

void NvmePci::OnNumberOfQueues(std::uint64_t, const nvme::Cqe& cqe) {
  // The kernel goes on with the admin queue alone; for us a controller without a disk is useless.
  if (Failed(cqe, "Set Features, Number of Queues")) return;
  const auto granted = nvme::NumberOfQueuesFeature::Decode(cqe.dw0);
  nr_io_ = QueuesGranted(params_, asked_, granted.sq_count, granted.cq_count, identity_.cap.dstrd);
  if (nr_io_ < asked_) {
    Notice(fmt::format("asked for {} I/O queues, the controller gives {}", asked_, nr_io_));
  }
  SetupQueues();
}

// RETRY of host_algorithms 1.5.
void NvmePci::SetupQueues() {
  if (nr_io_ == 0) return Die("no I/O queue could be had");
  plan_ = PlanQueues(params_, nr_io_);
  irq_pending_.assign(plan_.vectors, 0);
  io_depth_ = std::min<std::uint32_t>(identity_.cap.mqes_zb + 1u, params_.io_queue_depth);
  created_ = 0;
  CreateCq();
}

void NvmePci::CreateCq() {
  const auto qid = static_cast<std::uint16_t>(created_ + 1);
  if (queues_.size() < qid) {
    queues_.push_back(
        std::make_unique<IoQueue>(memory_, device_, qid, io_depth_, identity_.cap.dstrd));
  }
  IoQueue& queue = *queues_[qid - 1u];
  queue.ring.Reinit();
  queue.polled = plan_.TypeOfQueue(qid) == HctxType::kPoll;
  nvme::CreateIoCq command;
  command.prp1 = queue.ring.cq_address();
  command.qid = qid;
  command.size_zb = static_cast<std::uint16_t>(io_depth_ - 1);
  command.vector = queue.polled ? std::uint16_t{0} : plan_.VectorOf(qid);
  command.interrupts = !queue.polled;
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnCqCreated>(this));
}

void NvmePci::OnCqCreated(std::uint64_t, const nvme::Cqe& cqe) {
  if (GivenUp()) return;
  if (cqe.GetStatus() != nvme::Status::kSuccess) return QueuesReady();
  const auto qid = static_cast<std::uint16_t>(created_ + 1);
  nvme::CreateIoSq command;
  command.prp1 = queues_[qid - 1u]->ring.sq_address();
  command.qid = qid;
  command.cqid = qid;
  command.size_zb = static_cast<std::uint16_t>(io_depth_ - 1);
  command.qprio = QprioOf(params_, plan_, wrr_enabled_, plan_.TypeOfQueue(qid));
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnSqCreated>(this));
}

void NvmePci::OnSqCreated(std::uint64_t, const nvme::Cqe& cqe) {
  if (GivenUp()) return;
  if (cqe.GetStatus() != nvme::Status::kSuccess) {
    // The completion queue of this pair exists without its submission queue: take it back first.
    deleting_ = created_ + 1;
    nvme::DeleteIoCq command;
    command.qid = static_cast<std::uint16_t>(deleting_);
    admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnCqDeleted>(this));
    return;
  }
  ++created_;
  if (created_ < plan_.Total()) return CreateCq();
  QueuesReady();
}

// All queues that could be had exist. Fewer than planned: delete them and plan again with that
// many.
void NvmePci::QueuesReady() {
  if (created_ == plan_.Total()) {
    NoteMissingQueues();
    RequestAsyncEvent();
    nvme::Identify command;
    command.nsid = 1;
    command.cns = static_cast<std::uint8_t>(nvme::Cns::kNamespace);
    command.prp1 = admin_buffer_.address;
    admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnIdentifyNamespace>(this));
    return;
  }
  Notice(fmt::format("only {} of {} I/O queues could be created", created_, plan_.Total()));
  nr_io_ = created_;
  deleting_ = created_;
  DeleteQueues();
}

void NvmePci::DeleteQueues() {
  if (deleting_ == 0) return SetupQueues();
  nvme::DeleteIoSq command;
  command.qid = static_cast<std::uint16_t>(deleting_);
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnSqDeleted>(this));
}

void NvmePci::OnSqDeleted(std::uint64_t, const nvme::Cqe& cqe) {
  if (Failed(cqe, "Delete I/O Submission Queue")) return;
  nvme::DeleteIoCq command;
  command.qid = static_cast<std::uint16_t>(deleting_);
  admin_->Submit(command.Encode(0), BindAdmin<&NvmePci::OnCqDeleted>(this));
}

void NvmePci::OnCqDeleted(std::uint64_t, const nvme::Cqe& cqe) {
  if (Failed(cqe, "Delete I/O Completion Queue")) return;
  if (deleting_ > created_) return QueuesReady();  // the half-made pair is gone
  --deleting_;
  DeleteQueues();
}

void NvmePci::NoteMissingQueues() {
  const PerHctxType<unsigned> asked = params_.QueuesAsked();
  for (std::size_t type = 1; type < kHctxTypeCount; ++type) {
    if (plan_.count[type] >= asked[type]) continue;
    Notice(fmt::format("asked for {} {} queues, {} made", asked[type],
                       HctxTypeName(static_cast<HctxType>(type)), plan_.count[type]));
  }
}

void NvmePci::OnIdentifyNamespace(std::uint64_t, const nvme::Cqe& cqe) {
  if (Failed(cqe, "Identify Namespace 1")) return;
  nvme::IdentifyNamespace data;
  std::memcpy(&data, admin_buffer_.data, sizeof(data));
  const nvme::LbaFormat format = data.lbaf[data.flbas & 0xfu];
  if (format.lbads < 9 || format.lbads > 16) {
    return Die(fmt::format("namespace 1 has blocks of 2^{} bytes", format.lbads));
  }
  block_shift_ = format.lbads;
  identity_.blocks = data.nsze;
  identity_.block_bytes = 1u << block_shift_;
  limits_.logical_block_bytes = identity_.block_bytes;
  limits_.capacity_bytes = data.nsze << block_shift_;
  limits_.chunk_bytes = static_cast<std::uint32_t>(data.noiob) << block_shift_;
  limits_.max_bytes = std::max(limits_.max_bytes, limits_.logical_block_bytes);
  if (block_ == nullptr) {
    MakeDisk();
  } else if (block_->hctx_count() != plan_.Total()) {
    return Die("the controller came back from a reset with another number of queues");
  }
  GoLive();
}

void NvmePci::MakeDisk() {
  BlkMqConfig config;
  config.name = params_.fabrics ? fmt::format("nvme0c{}n1", params_.instance) : disk_id().name;
  config.disk_number = params_.disk_number;
  config.queue_count = plan_.count;
  config.spread = plan_.vectors > 1;
  config.depth = io_depth_ - 1;
  config.io_timeout = params_.io_timeout * kSec;
  config.plug_style = params_.plug_style;
  config.limits = limits_;
  config.scheduler = params_.scheduler;
  config.iosched = params_.iosched;
  config.nr_requests = params_.nr_requests;
  config.nomerges = params_.nomerges;
  config.shared_tags = params_.shared_tags;
  config.iocost = params_.iocost;
  QueueOps& ops = *this;
  block_ = std::make_unique<BlkMq>(clock_, cpus_, costs_, ops, config);
  prp_pool_ = std::make_unique<PrpPool>(memory_, limits_.max_bytes);
  while ((1u << data_slot_shift_) < limits_.max_bytes) ++data_slot_shift_;
  data_ = memory_.Reserve(std::size_t{kDataSlotCount} << data_slot_shift_);
  for (unsigned i = 0; i < block_->hctx_count(); ++i) {
    Hctx& hctx = block_->hctx(i);
    IoQueue& queue = *queues_[i];
    queue.hctx = &hctx;
    queue.irq_cpu = hctx.cpus.empty() ? std::uint16_t{0} : hctx.cpus.front();
    hctx.driver_data = &queue;
  }
}

void NvmePci::GoLive() {
  const bool first = state_ == State::kConnecting && ready_.function != nullptr;
  state_ = State::kLive;
  block_->Unquiesce();
  if (watcher_ != nullptr) watcher_->OnLive();
  if (first) {
    const Callback ready = ready_;
    ready_ = Callback();
    ready.function(ready.context, ready.argument);
  }
}

void NvmePci::Die(const std::string& why) {
  if (state_ == State::kDead || ReconnectLater(why)) return;
  state_ = State::kDead;
  ++epoch_;
  failure_ = fmt::format("nvme{}: {}", params_.instance, why);
  if (watcher_ != nullptr) watcher_->OnGone();
  if (admin_ != nullptr) admin_->EndAll();
  if (block_ != nullptr) {
    block_->Kill(kHostPathError);
    CancelAll();
  }
  if (ready_.function != nullptr) {
    const Callback ready = ready_;
    ready_ = Callback();
    ready.function(ready.context, ready.argument);
  }
}

}  // namespace nvmearb::host
