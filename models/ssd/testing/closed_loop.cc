// SPDX-License-Identifier: Apache-2.0
#include "ssd/testing/closed_loop.h"

#include <utility>

#include "nvme/base/check.h"

namespace nvmearb::ssd {

ClosedLoop::ClosedLoop(Kernel* kernel, TestHost* host, std::vector<LoopJob> jobs)
    : kernel_(kernel), host_(host), job_of_qid_(1025), reap_waiting_(1025) {
  for (const LoopJob& job : jobs) {
    NVMEARB_CHECK(job.depth * job.commands < kSizeCount, "the commands of a job fit into its SQ");
    const nvme::Status status = host_->CreatePair(job.qid, kSizeCount, job.qprio);
    NVMEARB_CHECK(status == nvme::Status::kSuccess, "queue pairs can be created");
    job_of_qid_[job.qid] = static_cast<std::uint32_t>(states_.size());
    State state;
    state.job = job;
    state.begun.resize(job.depth);
    state.left.resize(job.depth);
    states_.push_back(std::move(state));
  }
  host_->on_interrupt = [this](std::uint16_t vector) {
    if (vector == 0 || reap_waiting_[vector]) return;
    reap_waiting_[vector] = true;
    kernel_->Call<&ClosedLoop::Reap>(kernel_->Now(), this, vector);
  };
}

void ClosedLoop::Run(TimePs ramp, TimePs measure) {
  for (std::size_t j = 0; j < states_.size(); ++j) {
    for (std::uint32_t slot = 0; slot < states_[j].job.depth; ++slot) {
      kernel_->Call<&ClosedLoop::Submit>(kernel_->Now(), this, (std::uint64_t{j} << 32) | slot);
    }
  }
  host_->Run(ramp);
  counting_ = true;
  host_->Run(measure);
  counting_ = false;
  measured_ps_ = measure;
}

void ClosedLoop::Submit(std::uint64_t argument) {
  State& state = states_[argument >> 32];
  const auto slot = static_cast<std::uint32_t>(argument);
  state.begun[slot] = kernel_->Now();
  state.left[slot] = state.job.commands;
  nvme::ReadWrite command;
  command.opcode = state.job.opcode;
  command.block_count = state.job.command_bytes / 512;
  command.prp1 = TestHost::kMemoryBase;
  for (std::uint32_t i = 0; i < state.job.commands; ++i) {
    command.slba = random_.Below(1'000'000) * command.block_count;
    host_->Place(state.job.qid, command.Encode(static_cast<std::uint16_t>(slot)));
  }
  host_->Ring(state.job.qid);
}

void ClosedLoop::Reap(std::uint64_t qid) {
  reap_waiting_[qid] = false;
  const std::uint32_t j = job_of_qid_[qid];
  State& state = states_[j];
  nvme::Cqe cqe;
  bool any = false;
  while (host_->Reap(static_cast<std::uint16_t>(qid), &cqe)) {
    any = true;
    if (counting_ && cqe.GetStatus() != nvme::Status::kSuccess) ++state.result.failed;
    if (--state.left[cqe.cid] > 0) continue;
    const TimePs now = kernel_->Now();
    if (counting_) {
      ++state.result.ios;
      state.result.latency_sum_ps += now - state.begun[cqe.cid];
    }
    kernel_->Call<&ClosedLoop::Submit>(now + kTurnAroundPs, this,
                                       (std::uint64_t{j} << 32) | cqe.cid);
  }
  if (any) host_->RingHead(static_cast<std::uint16_t>(qid));
}

double ClosedLoop::RatePerSecond(std::uint8_t qprio) const {
  std::uint64_t ios = 0;
  for (const State& state : states_) {
    if (state.job.qprio == qprio) ios += state.result.ios;
  }
  return static_cast<double>(ios) / (static_cast<double>(measured_ps_) * 1e-12);
}

}  // namespace nvmearb::ssd
