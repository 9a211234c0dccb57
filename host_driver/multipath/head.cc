// SPDX-License-Identifier: Apache-2.0
#include "host_driver/multipath/head.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nvme/base/check.h"
#include "nvme/status.h"

namespace nvmearb::host {
namespace {

/// What the controller's ANA log says once it has answered with `status`; as it was for others.
AnaState AnaAfter(std::uint16_t status, AnaState before) {
  switch (static_cast<nvme::Status>(status)) {
    case nvme::Status::kAnaPersistentLoss:
      return AnaState::kPersistentLoss;
    case nvme::Status::kAnaInaccessible:
      return AnaState::kInaccessible;
    case nvme::Status::kAnaTransition:
      return AnaState::kChange;
    default:
      return before;
  }
}

}  // namespace

MultipathHead::MultipathHead(Clock& clock, const CpuTopology& cpus, const MultipathParams& params)
    : clock_(clock),
      cpus_(cpus),
      params_(params),
      policy_(MakeIoPolicy(params.iopolicy, cpus.node_count(), "iopolicy")) {}

Path* MultipathHead::AddPath(const std::string& name, BlockDevice* disk, unsigned numa_node,
                             AnaState ana) {
  NVMEARB_CHECK(stats_.bios_submitted == 0, "paths are found before the first I/O");
  NVMEARB_CHECK(paths_.empty() || disk->CapacityBytes() == CapacityBytes(),
                "the paths of a namespace lead to the same namespace");
  paths_.push_back(
      std::make_unique<Path>(name, disk, numa_node, ana, cpus_.node_count(), params_.nlat));
  Path* const path = paths_.back().get();
  path->latency.Enable(clock_.Now());
  return path;
}

// nvme_subsys_iopolicy_store: the new policy starts without cached paths, latency from nothing.
// Requests that count as active go on counting until they end.
void MultipathHead::SetPolicy(std::string_view name, const std::string& where) {
  if (name == policy_->name()) return;
  policy_ = MakeIoPolicy(name, cpus_.node_count(), where);
  ++stats_.policy_switches;
  if (!policy_->MeasuresLatency()) return;
  for (const auto& path : paths_) path->latency.Enable(clock_.Now());
}

void MultipathHead::SetAna(Path* path, AnaState ana) {
  path->ana = ana;
  policy_->Forget();
  KickRequeueList();
}

void MultipathHead::SetState(Path* path, PathState state) {
  if (path->state == PathState::kLive && state != PathState::kLive) ++path->stats.losses;
  path->state = state;
  policy_->Forget(path);
  // A path that is back takes what waits; when none may come back, what waits ends.
  if (state != PathState::kConnecting) KickRequeueList();
}

void MultipathHead::RequestStarted(Path* path, Request* request) {
  PathStats& stats = path->stats;
  stats.in_flight_peak = std::max(stats.in_flight_peak, ++stats.in_flight);
  request->path_counted = policy_->CountsRequests();
  if (request->path_counted) ++path->nr_active;
  request->sched.started_at = clock_.Now();
}

void MultipathHead::RequestEnded(Path* path, Request* request) {
  NVMEARB_CHECK(path->stats.in_flight > 0, "a request ends once");
  const TimePs latency = clock_.Now() - request->sched.started_at;
  --path->stats.in_flight;
  ++path->stats.requests;
  path->stats.latency_sum += latency;
  if (request->path_counted) --path->nr_active;
  request->path_counted = false;
  if (policy_->MeasuresLatency()) {
    path->latency.Add(clock_.Now(), cpus_.NodeOf(request->cpu), latency);
  }
}

std::uint64_t MultipathHead::CapacityBytes() const { return paths_.front()->disk->CapacityBytes(); }

void MultipathHead::Submit(Bio* bio) {
  ++stats_.bios_submitted;
  if (free_journeys_.empty()) {
    free_journeys_.push_back(static_cast<std::uint32_t>(journeys_.size()));
    journeys_.emplace_back();
  }
  const std::uint32_t index = free_journeys_.back();
  free_journeys_.pop_back();
  journeys_[index] = {bio, bio->done, bio->admitted, nullptr};
  bio->done = Bind<&MultipathHead::BioDone>(this, index);
  bio->waits = false;
  Send(index);
}

// nvme_ns_head_submit_bio.
void MultipathHead::Send(std::uint32_t index) {
  Journey& journey = journeys_[index];
  Path* const path = policy_->Select(paths_, cpus_.NodeOf(journey.bio->cpu), clock_.Now());
  if (path != nullptr) {
    journey.path = path;
    ++path->stats.bios;
    path->disk->Submit(journey.bio);
    return;
  }
  if (std::any_of(paths_.begin(), paths_.end(), [](const auto& p) { return p->MayReturn(); })) {
    ++stats_.parked;
    requeue_.push_back(index);
    return;
  }
  clock_.At(clock_.Now(), Bind<&MultipathHead::FailEvent>(this, index));
}

// A path that failed ends nothing: nvme_failover_req.
void MultipathHead::BioDone(std::uint64_t index) {
  Journey& journey = journeys_[index];
  Bio& bio = *journey.bio;
  if (!nvme::IsPathError(bio.status)) {
    ++journey.path->stats.completed;
    journey.path->stats.bytes += bio.bytes;
    return End(static_cast<std::uint32_t>(index));
  }
  ++stats_.failovers;
  ++journey.path->stats.path_errors;
  journey.path->ana = AnaAfter(bio.status, journey.path->ana);
  policy_->Forget(journey.path);
  // From here on a worker submits; the task has left Submit() and must not be woken again.
  bio.admitted = Callback();
  requeue_.push_back(static_cast<std::uint32_t>(index));
  KickRequeueList();
}

void MultipathHead::End(std::uint32_t index) {
  const Journey journey = journeys_[index];
  free_journeys_.push_back(index);
  ++stats_.bios_completed;
  if (journey.bio->status != 0) ++stats_.bios_failed;
  journey.bio->done = journey.done;
  journey.bio->admitted = journey.admitted;
  journey.done.function(journey.done.context, journey.done.argument);
}

void MultipathHead::FailEvent(std::uint64_t index) {
  journeys_[index].bio->status = static_cast<std::uint16_t>(nvme::Status::kHostPathError);
  End(static_cast<std::uint32_t>(index));
}

// The kernel has a work item for it: never from within a completion or a submission.
void MultipathHead::KickRequeueList() {
  if (requeue_work_ || requeue_.empty()) return;
  requeue_work_ = true;
  clock_.At(clock_.Now(), Bind<&MultipathHead::RequeueWork>(this));
}

void MultipathHead::RequeueWork(std::uint64_t) {
  requeue_work_ = false;
  for (const std::uint32_t index : std::exchange(requeue_, {})) {
    Send(index);
    journeys_[index].bio->waits = false;
  }
}

void MultipathHead::StartPlug(std::uint16_t cpu) {
  for (const auto& path : paths_) path->disk->StartPlug(cpu);
}

void MultipathHead::FinishPlug(std::uint16_t cpu) {
  for (const auto& path : paths_) path->disk->FinishPlug(cpu);
}

TimePs MultipathHead::TakeCpuTime(std::uint16_t cpu) {
  TimePs time = 0;
  for (const auto& path : paths_) time += path->disk->TakeCpuTime(cpu);
  return time;
}

std::string MultipathHead::Describe() const {
  std::string text = fmt::format("multipath: iopolicy {}, {} bios in flight, {} wait for a path\n",
                                 policy_->name(), InFlight(), requeue_.size());
  for (const auto& path : paths_) {
    text += fmt::format(
        "path {}: {}, {}, {} requests with the driver, {} bios sent, {} back with a "
        "path error\n",
        path->name, PathStateName(path->state), AnaStateName(path->ana), path->stats.in_flight,
        path->stats.bios, path->stats.path_errors);
  }
  return text;
}

const char* AnaStateName(AnaState ana) {
  switch (ana) {
    case AnaState::kOptimized:
      return "optimized";
    case AnaState::kNonOptimized:
      return "non-optimized";
    case AnaState::kInaccessible:
      return "inaccessible";
    case AnaState::kPersistentLoss:
      return "persistent-loss";
    case AnaState::kChange:
      return "change";
  }
  return "";
}

const char* PathStateName(PathState state) {
  switch (state) {
    case PathState::kLive:
      return "live";
    case PathState::kConnecting:
      return "connecting";
    case PathState::kFailFast:
      return "fail-fast";
    case PathState::kGone:
      return "gone";
  }
  return "";
}

}  // namespace nvmearb::host
