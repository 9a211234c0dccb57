// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/sched/kyber.h"

#include <algorithm>
#include <utility>

namespace nvmearb::host {
namespace {

constexpr int kMergeDepth = 8;  // requests of a CPU's queue that a bio is held against

}  // namespace

Kyber::Kyber(const char* name, Queues queues, std::unique_ptr<KyberThrottle> throttle)
    : Elevator(name),
      queues_(queues),
      throttle_(std::move(throttle)),
      domain_count_(throttle_->domain_count()) {
  constexpr std::int64_t kHourNs = 3'600'000'000'000;
  AddTunable({"read_lat_nsec", "ns", 1, kHourNs, &throttle_->read_lat_nsec,
              "latency of reads that kyber aims at"});
  AddTunable({"write_lat_nsec", "ns", 1, kHourNs, &throttle_->write_lat_nsec,
              "latency of (early kyber: synchronous) writes that kyber aims at"});
}

void Kyber::Attach(ElevatorHost* host) {
  Elevator::Attach(host);
  throttle_->Attach(&host->clock(), Bind<&Kyber::WakeAll>(this));
  hctxs_.resize(host->hctx_count());
  places_.resize(std::size_t{host->hctx_count()} * host->cpu_count());
  for (unsigned i = 0; i < host->hctx_count(); ++i) {
    const std::vector<std::uint16_t>& cpus = host->hctx(i).cpus;
    hctxs_[i].cpus.resize(cpus.size());
    for (auto& bits : hctxs_[i].filled) bits.resize((cpus.size() + 63) / 64);
    for (std::size_t place = 0; place < cpus.size(); ++place) {
      places_[std::size_t{i} * host->cpu_count() + cpus[place]] = static_cast<std::uint16_t>(place);
    }
  }
  for (Domain& domain : domains_) domain.waiting.reserve(host->hctx_count());
}

// Asynchronous writes leave a quarter of the tags to the others.
unsigned Kyber::DepthFor(const Bio& bio) const {
  const bool sync = bio.op == BioOp::kRead || bio.sync;
  return sync ? host_->nr_requests() : std::max(1u, host_->nr_requests() * 3 / 4);
}

unsigned Kyber::PlaceOf(const Hctx* hctx, unsigned cpu) const {
  return places_[std::size_t{hctx->index} * host_->cpu_count() + cpu];
}

bool Kyber::BioMerge(Bio* bio, Hctx* hctx) {
  const bool sync = bio->op == BioOp::kRead || bio->sync;
  const std::size_t list = ListOf(throttle_->DomainOf(bio->op, sync));
  const CpuQueue& queue = hctxs_[hctx->index].cpus[PlaceOf(hctx, bio->cpu)];
  Request* request = queue.lists[list].back();
  for (int i = 0; i < kMergeDepth && request != nullptr; ++i) {
    const MergeKind kind = host_->MergeOf(*request, *bio);
    if (kind != MergeKind::kNone) {
      host_->Merge(request, bio, kind);
      return true;
    }
    request = request->sched.fifo_previous;
  }
  return false;
}

void Kyber::Insert(Request* request, bool at_head) {
  const int domain = throttle_->DomainOf(request->op, request->IsSync());
  const std::size_t list = ListOf(domain);
  request->sched.domain = static_cast<std::uint8_t>(domain);
  PerHctx& mine = hctxs_[request->hctx->index];
  const unsigned place = PlaceOf(request->hctx, request->cpu);
  RequestFifo& fifo = mine.cpus[place].lists[list];
  if (fifo.empty()) {
    mine.filled[list][place / 64] |= std::uint64_t{1} << (place % 64);
    ++mine.filled_count[list];
  }
  if (at_head) {
    fifo.PushFront(request);
  } else {
    fifo.PushBack(request);
  }
}

bool Kyber::HasWork(const Hctx* hctx) const {
  const PerHctx& mine = hctxs_[hctx->index];
  for (std::size_t i = 0; i < Index(domain_count_); ++i) {
    if (!mine.lists[i].empty() || mine.filled_count[i] > 0) return true;
  }
  return false;
}

Request* Kyber::Dispatch(Hctx* hctx) {
  PerHctx& mine = hctxs_[hctx->index];
  bool flushed = false;
  if (mine.batching < throttle_->BatchSize(mine.current)) {
    Request* const request = DispatchCurrent(hctx, mine, &flushed);
    if (request != nullptr) return request;
  }
  mine.batching = 0;
  for (int i = 0; i < domain_count_; ++i) {
    mine.current = (mine.current + 1) % domain_count_;
    Request* const request = DispatchCurrent(hctx, mine, &flushed);
    if (request != nullptr) return request;
  }
  return nullptr;
}

Request* Kyber::DispatchCurrent(Hctx* hctx, PerHctx& mine, bool* flushed) {
  RequestFifo& list = mine.lists[Index(mine.current)];
  if (queues_ == Queues::kShared) {
    // An empty list of whichever domain empties the queues of all CPUs.
    if (list.empty() && !*flushed) {
      Flush(mine, 0);
      *flushed = true;
    }
    if (list.empty() || !TakeToken(hctx, mine)) return nullptr;
    return TakeFront(mine);
  }
  const std::size_t kcq = Index(mine.current);
  if (list.empty() && mine.filled_count[kcq] == 0) return nullptr;
  // The token comes first: without one what waits stays where bios can join it.
  if (!TakeToken(hctx, mine)) return nullptr;
  if (list.empty()) Flush(mine, kcq);
  return TakeFront(mine);
}

// Moves the queues `list` of all CPUs to the lists of the hardware queue, CPU by CPU.
void Kyber::Flush(PerHctx& mine, std::size_t list) {
  if (mine.filled_count[list] == 0) return;
  mine.filled_count[list] = 0;
  for (std::size_t word = 0; word < mine.filled[list].size(); ++word) {
    for (std::uint64_t bits = std::exchange(mine.filled[list][word], 0); bits != 0;
         bits &= bits - 1) {
      const auto bit = static_cast<std::size_t>(__builtin_ctzll(bits));
      RequestFifo& from = mine.cpus[word * 64 + bit].lists[list];
      if (queues_ == Queues::kPerDomain) {
        mine.lists[list].Splice(from);
      } else {
        while (Request* const request = from.PopFront()) {
          mine.lists[request->sched.domain].PushBack(request);
        }
      }
    }
  }
}

bool Kyber::TakeToken(Hctx* hctx, PerHctx& mine) {
  Domain& domain = domains_[Index(mine.current)];
  if (domain.in_use < throttle_->Depth(mine.current)) {
    ++domain.in_use;
    return true;
  }
  if (!std::exchange(mine.waits[Index(mine.current)], true)) domain.waiting.push_back(hctx);
  return false;
}

Request* Kyber::TakeFront(PerHctx& mine) {
  ++mine.batching;
  Request* const request = mine.lists[Index(mine.current)].PopFront();
  request->sched.counted = true;
  return request;
}

void Kyber::ReturnToken(Request* request) {
  if (!std::exchange(request->sched.counted, false)) return;
  --domains_[request->sched.domain].in_use;
  WakeOne(request->sched.domain);
}

void Kyber::WakeOne(std::uint64_t index) {
  Domain& domain = domains_[index];
  if (domain.waiting.empty()) return;
  Hctx* const hctx = domain.waiting.front();
  domain.waiting.erase(domain.waiting.begin());
  hctxs_[hctx->index].waits[index] = false;
  host_->RunLater(hctx, 0);
}

void Kyber::WakeAll(std::uint64_t domain) {
  while (!domains_[domain].waiting.empty()) WakeOne(domain);
}

void Kyber::Completed(Request* request) {
  if (!request->sched.counted) return;  // never dispatched
  const TimePs now = host_->clock().Now();
  ReturnToken(request);
  throttle_->Completed(request->sched.domain, now - request->sched.queued_at,
                       now - request->sched.started_at);
}

void Kyber::TakeAll(RequestList* list) {
  for (PerHctx& mine : hctxs_) {
    for (std::size_t i = 0; i < kMaxDomains; ++i) {
      Flush(mine, i);
      while (Request* const request = mine.lists[i].PopFront()) list->PushBack(request);
    }
  }
}

}  // namespace nvmearb::host
