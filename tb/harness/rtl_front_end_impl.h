// SPDX-License-Identifier: Apache-2.0
//
// RtlFrontEndImpl: the clock loop around one Verilated model; see rtl_front_end.h for what it
// promises.
//
// Per edge: inputs while the clock is low, sample, rise, eval. All outputs of nvmearb_top come from
// registers (TopOutputs.ComeFromRegistersOnly checks it), so they can be sampled beside the inputs
// without an eval between, and Verilator settles what depends on inputs before it looks at the
// clock.
#ifndef NVMEARB_TB_HARNESS_RTL_FRONT_END_IMPL_H_
#define NVMEARB_TB_HARNESS_RTL_FRONT_END_IMPL_H_

#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "harness/axil_agent.h"
#include "harness/cfg_words.h"
#include "harness/clock_pins.h"
#include "harness/deferred.h"
#include "harness/device_agent.h"
#include "harness/event_decoder.h"
#include "harness/obs_layout.h"
#include "harness/port_coverage.h"
#include "harness/queue_shadow.h"
#include "harness/read_responder.h"
#include "harness/rtl_front_end.h"
#include "harness/trace.h"
#include "harness/unknown_start.h"
#include "nvme/base/check.h"

namespace nvmearb::tb {

template <typename Model, unsigned Sqs, unsigned Dstrd, unsigned DataW>
class RtlFrontEndImpl final : public RtlFrontEnd {
 public:
  RtlFrontEndImpl(ssd::Kernel* kernel, const RtlOptions& options)
      : kernel_(kernel),
        options_(options),
        period_(options.clock_period_ps),
        stall_(options.stall_seed, options.stall_percent),
        model_(&context_),
        memory_(options.read_latency_clocks) {
    NVMEARB_CHECK(period_ >= 1 && options.read_latency_clocks >= 1, "clock and latency from 1 on");
    NVMEARB_CHECK(options.max_count >= 1 && options.max_count <= 8, "grants of 1..8 commands");
    NVMEARB_CHECK(options.stall_percent < 100, "a channel must not stall for ever");
    context_.fatalOnError(false);
    context_.assertOn(false);  // until the first reset
    BeginTrace(model_, options.trace);
    pins_.max_count_i = static_cast<std::uint8_t>(options.max_count);
  }
  ~RtlFrontEndImpl() override {
    Verilated::threadContextp(&context_);  // the destructor of a model looks there
    model_.final();
  }

  void Attach(ssd::FrontEndSink* sink, ssd::FrontEndDma* dma, arbiter::EventSink* events) override {
    NVMEARB_CHECK(sink_ == nullptr, "attached twice");
    sink_ = sink;
    events_ = events;
    memory_.Attach(dma);
    pins_.rst_ni = 0;
    clock_.Start(model_);
    for (int i = 0; i < kResetClocks; ++i) {
      clock_.Edge(model_, kAllAwake);
    }
    context_.assertOn(true);
    pins_.rst_ni = 1;
    straps_moved_ = true;
    ScheduleWake(NextFreeEdge());  // memories clear themselves after reset
  }

  [[nodiscard]] ssd::FrontEndLimits Limits() const override { return {Sqs, 65536, Dstrd}; }

  void SetStraps(std::uint64_t cap, std::uint32_t vs) override {
    NVMEARB_CHECK(((cap >> 32) & 15) == Dstrd, "CAP.DSTRD has to be that of the build");
    pins_.cap_i = cap;
    pins_.vs_i = vs;
    straps_moved_ = true;
    Input();
  }

  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override {
    NVMEARB_CHECK((bytes == 4 || bytes == 8) && offset % bytes == 0, "aligned dwords or quadwords");
    const std::uint64_t low = ReadDword(offset);
    return bytes == 4 ? low : low | (std::uint64_t{ReadDword(offset + 4)} << 32);
  }

  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override {
    NVMEARB_CHECK((bytes == 4 || bytes == 8) && offset % bytes == 0, "aligned dwords or quadwords");
    for (unsigned part = 0; part < bytes; part += 4) {
      if (offset + part >= kRegisterBytes) break;  // outside the BAR: nobody is there
      host_.PostWrite(offset + part, static_cast<std::uint32_t>(value >> (8 * part)),
                      device_.told_count());
    }
    Input();
  }

  void CreateCq(const ssd::CqConfig& config) override { Configure(CfgCreateCq(config)); }
  void DeleteCq(std::uint16_t cqid) override { Configure(CfgRequest(CfgOp::kDeleteCq, cqid)); }
  void CreateSq(const ssd::SqConfig& config) override { Configure(CfgCreateSq(config)); }
  void DeleteSq(std::uint16_t sqid) override { Configure(CfgRequest(CfgOp::kDeleteSq, sqid)); }
  void SetArbitration(const arbiter::ArbitrationSettings& settings) override {
    Configure(CfgSetArb(settings));
  }
  void GiveSlots(unsigned count) override {
    device_.GiveSlots(count);
    Input();
  }
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) override {
    device_.Complete(sqid, cqid, posted);
    Input();
  }
  void SetReady(bool ready) override {
    device_.SetReady(ready);
    Input();
  }
  void SetFatal() override {
    device_.SetFatal();
    Input();
  }
  void SetShutdownStatus(std::uint8_t shst) override {
    device_.SetShutdownStatus(shst);
    Input();
  }

  [[nodiscard]] std::string Describe() const override {
    return fmt::format("RTL: edge {}, {}, {} edges run\n", next_edge_,
                       pins_.quiescent_o ? "quiescent" : "at work", statistics_.tick_count) +
           shadow_.Describe();
  }

  [[nodiscard]] const RtlStatistics& Statistics() const override { return statistics_; }
  [[nodiscard]] bool AssertionFailed() const override { return context_.gotError(); }
  [[nodiscard]] std::uint32_t InterruptMask() const override { return pins_.int_mask_o; }
  void ViolateAssertion() override {
    memory_.SendUnasked();
    Input();
  }

 private:
  using Pins = std::remove_pointer_t<std::remove_const_t<decltype(Model::rootp)>>;
  static constexpr int kResetClocks = 2;
  static constexpr std::uint64_t kReadPatienceClocks = 1'000'000;
  static constexpr std::uint64_t kRegisterBytes = [] {
    std::uint64_t bytes = 1;
    while (bytes < 4096 + (std::uint64_t{8} << Dstrd) * Sqs) bytes *= 2;
    return bytes;
  }();

  void Configure(const CfgWords& words) {
    device_.Configure(words);
    Input();
  }

  // --- The clock
  // -----------------------------------------------------------------------------------

  /// First edge that has not run and is not earlier than the kernel's time.
  [[nodiscard]] std::uint64_t NextFreeEdge() const {
    // Between two runs of the kernel everything due at Now() has happened, an edge included.
    const ssd::TimePs from = kernel_->InCallback() ? kernel_->Now() : kernel_->Now() + 1;
    return std::max(next_edge_, (from + period_ - 1) / period_);
  }

  void Input() {
    if (running_ || sink_ == nullptr) return;  // the loop looks for inputs itself
    ScheduleWake(NextFreeEdge());
  }

  void ScheduleWake(std::uint64_t edge) {
    if (edge >= wake_edge_) return;
    wake_edge_ = edge;
    kernel_->CallClock<&RtlFrontEndImpl::Wake>(edge * period_, this, edge);
  }

  void Wake(std::uint64_t edge) {
    if (edge != wake_edge_) return;  // an earlier wake took its place
    wake_edge_ = kNoEdge;
    ++statistics_.wake_count;
    running_ = true;
    edge = std::max(edge, next_edge_);  // a read may have run ahead
    while (true) {
      const ssd::TimePs time = edge * period_;
      if (time > kernel_->Now()) {
        if (time >= kernel_->NextTime()) break;
        kernel_->AdvanceTo(time);
      }
      Tick(edge);
      edge = NeededEdge();
      if (edge == kNoEdge) break;
    }
    running_ = false;
    if (edge != kNoEdge) ScheduleWake(edge);
  }

  /// The next edge that can change anything.
  [[nodiscard]] std::uint64_t NeededEdge() const {
    if (options_.free_running || !pins_.quiescent_o || host_.Pending() || device_.Pending() ||
        memory_.Pending()) {
      return next_edge_;
    }
    const std::uint64_t due = memory_.NextEdge();
    return due == kNoEdge ? kNoEdge : std::max(due, next_edge_);
  }

  void Tick(std::uint64_t edge) {
    bool moved = host_.Drive(pins_, stall_, edge, device_.done_count()) || straps_moved_;
    moved = device_.Drive(pins_, stall_, edge) || moved;
    moved = memory_.Drive(pins_, stall_, edge) || moved;
    straps_moved_ = false;
    pins_.m_axis_sqe_tready_i = !stall_(Stall::kStream, edge);  // with stalls all Drive() say moved
    const unsigned awake = options_.free_running ? kAllAwake : Awake();
    Sample(edge);
    TellEdge(model_, edge * period_, period_);
    clock_.Edge(model_, awake, moved);
    next_edge_ = edge + 1;
    ++statistics_.tick_count;
  }

  /// Blocks whose clock the edge needs (nvmearb_top, awake_o and the inputs beside each clock).
  [[nodiscard]] unsigned Awake() const {
    const unsigned regs = pins_.s_axil_awvalid_i | pins_.s_axil_wvalid_i | pins_.s_axil_arvalid_i;
    const unsigned read = pins_.m_axi_rvalid_i;
    const unsigned event = regs | pins_.complete_valid_i | read;
    const unsigned grant = pins_.slot_give_i != 0 ? 1 : 0;
    return pins_.awake_o | regs | (device_.ControlActive() ? 2u : 0u) | (event | grant) << 2 |
           read << 3 | event << 4 | grant << 5;
  }

  // --- What the edge will see, and who hears of it -----------------------------------------------

  void Sample(std::uint64_t edge) {
    host_.Sample(pins_);
    memory_.Sample(pins_, edge);
    const bool configured = device_.Sample(pins_);
    const std::uint32_t* const obs_words = pins_.obs_o.data();
    if (AnyEvent(obs_words)) EmitEvents(obs_words, edge);
    if (pins_.m_axis_sqe_tvalid_o && pins_.m_axis_sqe_tready_i) EmitCommand(edge);
    if (configured) Emit(Report{Report::kConfigDone, 0, 0, 0}, edge);
    if (pins_.enable_valid_o | pins_.disable_valid_o | pins_.shutdown_valid_o |
        pins_.db_error_valid_o | pins_.fetch_error_valid_o) {
      EmitReports(edge);
    }
  }

  void EmitEvents(const std::uint32_t* words, std::uint64_t edge) {
    std::array<arbiter::Event, EventDecoder::kMaxEvents> events;
    const unsigned count = decoder_.Decode(words, edge, edge * period_, events);
    statistics_.event_count += count;
    for (unsigned i = 0; i < count; ++i) {
      shadow_.OnEvent(events[i]);
      coverage_.OnEvent(events[i]);
    }
    if (events_ == nullptr) return;
    for (unsigned i = 0; i < count; ++i) {
      if (ahead_) {
        Defer(edge).event = events[i];
        deferred_.back().kind = Deferred::kEvent;
      } else {
        events_->OnEvent(events[i]);
      }
    }
  }

  void EmitCommand(std::uint64_t edge) {
    ++statistics_.command_count;
    ssd::FetchedCommand command;
    const std::uint64_t user = pins_.m_axis_sqe_tuser_o;
    const auto field = [user](Field f) {
      return static_cast<std::uint16_t>((user >> f.low) & ((1u << f.width) - 1));
    };
    std::memcpy(command.sqe.data(), pins_.m_axis_sqe_tdata_o.data(), command.sqe.size());
    command.sqid = field(sqe_user::kSqid);
    command.cqid = field(sqe_user::kCqid);
    command.sqhd = field(sqe_user::kSqhd);
    command.sq_class = static_cast<arbiter::SqClass>(field(sqe_user::kSqClass));
    if (ahead_) {
      Defer(edge).command = command;
      deferred_.back().kind = Deferred::kCommand;
    } else {
      sink_->OnCommand(command);
    }
  }

  void EmitReports(std::uint64_t edge) {
    if (pins_.shutdown_valid_o) {
      Emit(Report{Report::kShutdown, pins_.shutdown_shn_o, 0, 0}, edge);
    }
    if (pins_.db_error_valid_o) {
      const std::uint64_t db = pins_.db_error_o;
      Emit(Report{Report::kDoorbellError, static_cast<std::uint8_t>(pins_.db_error_info_o),
                  static_cast<std::uint8_t>((db >> doorbell::kIsCq.low) & 1),
                  static_cast<std::uint16_t>(db >> doorbell::kQid.low)},
           edge);
    }
    if (pins_.fetch_error_valid_o) {
      Emit(Report{Report::kFetchError, 0, 0, pins_.fetch_error_sqid_o}, edge);
    }
    if (pins_.enable_valid_o) Emit(Report{Report::kEnable, 0, 0, 0}, edge);
    if (pins_.disable_valid_o) Emit(Report{Report::kDisable, 0, 0, 0}, edge);
  }

  void Emit(const Report& report, std::uint64_t edge) {
    if (ahead_) {
      Defer(edge).report = report;
      deferred_.back().kind = Deferred::kReport;
    } else {
      Hand(report);
    }
  }

  void Hand(const Report& report) {
    switch (report.kind) {
      case Report::kConfigDone:
        return sink_->OnConfigDone();
      case Report::kShutdown:
        return sink_->OnShutdown(report.info);
      case Report::kDoorbellError:
        return sink_->OnDoorbellError(static_cast<arbiter::DoorbellError>(report.info),
                                      report.is_cq != 0, report.qid);
      case Report::kFetchError:
        return sink_->OnFetchError(report.qid);
      case Report::kEnable:
        // The copies stay as they are until the next enable.
        return sink_->OnEnable(
            {pins_.enable_cc_o, pins_.enable_aqa_o, pins_.enable_asq_o, pins_.enable_acq_o});
      case Report::kDisable:
        while (device_.Withdraw()) sink_->OnConfigDone();
        device_.Forget();
        return sink_->OnDisable();
    }
  }

  // --- Reads, which run ahead of the kernel
  // -------------------------------------------------------

  std::uint32_t ReadDword(std::uint32_t offset) {
    if (offset >= kRegisterBytes) return 0;
    NVMEARB_CHECK(!running_, "a register read from within a report of the same clock");
    running_ = ahead_ = true;
    host_.StartRead(offset);
    std::uint64_t edge = NextFreeEdge();
    const std::uint64_t patience = edge + kReadPatienceClocks;
    while (!host_.ReadDone()) {
      NVMEARB_CHECK(edge < patience, "a register read is not answered");
      Tick(edge++);
    }
    running_ = ahead_ = false;
    const std::uint64_t needed = NeededEdge();
    if (needed != kNoEdge) ScheduleWake(needed);
    return host_.ReadData();
  }

  /// A place for something that is handed on when the kernel gets to `edge`.
  Deferred& Defer(std::uint64_t edge) {
    if (deferred_.empty() || deferred_.back().edge != edge) {
      kernel_->Call<&RtlFrontEndImpl::HandDeferred>(edge * period_, this, edge,
                                                    ssd::Kernel::Phase::kClockEdge);
    }
    deferred_.emplace_back();
    deferred_.back().edge = edge;
    return deferred_.back();
  }

  void HandDeferred(std::uint64_t edge) {
    running_ = true;  // what the sink asks for meets an edge that has not run: the wake sees to it
    while (!deferred_.empty() && deferred_.front().edge <= edge) {
      const Deferred item = deferred_.front();
      deferred_.pop_front();
      switch (item.kind) {
        case Deferred::kEvent:
          events_->OnEvent(item.event);
          break;
        case Deferred::kCommand:
          sink_->OnCommand(item.command);
          break;
        case Deferred::kReport:
          Hand(item.report);
          break;
      }
    }
    running_ = false;
    const std::uint64_t needed = NeededEdge();
    if (needed != kNoEdge) ScheduleWake(std::max(needed, NextFreeEdge()));
  }

  ssd::Kernel* const kernel_;
  const RtlOptions options_;
  const ssd::TimePs period_;
  const Stall stall_;
  UnknownStart context_;
  Model model_;
  Pins& pins_ = *model_.rootp;  // the same pins without the references of `Model` between
  ClockPins<Model> clock_;
  AxilAgent<Pins> host_;
  DeviceAgent<Pins> device_;
  ReadResponder<Pins, DataW> memory_;
  EventDecoder decoder_;
  QueueShadow shadow_{Sqs};
  PortCoverage<Model> coverage_{Sqs};
  ssd::FrontEndSink* sink_ = nullptr;
  arbiter::EventSink* events_ = nullptr;
  RtlStatistics statistics_;
  std::uint64_t next_edge_ = 0;        // first edge that has not run
  std::uint64_t wake_edge_ = kNoEdge;  // the wake that counts
  bool running_ = false;               // inside the clock loop
  bool straps_moved_ = true;           // or the reset
  bool ahead_ = false;                 // inside a read: outputs are deferred
  DeferredQueue deferred_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_RTL_FRONT_END_IMPL_H_
