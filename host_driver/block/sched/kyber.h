// SPDX-License-Identifier: Apache-2.0
//
// Kyber: the kyber scheduler: a few tokens per domain (reads, writes, ...), given out at dispatch.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_SCHED_KYBER_H_
#define NVMEARB_HOST_DRIVER_BLOCK_SCHED_KYBER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "host_driver/block/elevator.h"
#include "host_driver/block/sched/kyber_throttle.h"
#include "host_driver/block/sched/request_fifo.h"

namespace nvmearb::host {

/// Requests wait in the queue of their CPU, where bios can join them, and then in a list per
/// hardware queue and domain, where they cannot (host_algorithms 3.4):
///  - kShared (Linux 4.12 to 4.17): a CPU has one queue for all domains; a dispatcher that finds
///  the
///    list of the domain whose turn it is empty moves all of them, so that hardly one is left;
///  - kPerDomain (source 004's patch, merged in 4.18): a CPU has a queue per domain, moved only
///    once there is a token for it.
/// No lock for the whole disk.
class Kyber final : public Elevator {
 public:
  enum class Queues : std::uint8_t { kShared, kPerDomain };
  Kyber(const char* name, Queues queues, std::unique_ptr<KyberThrottle> throttle);

  [[nodiscard]] bool global_lock() const override { return false; }
  void Attach(ElevatorHost* host) override;
  [[nodiscard]] unsigned DepthFor(const Bio& bio) const override;
  bool BioMerge(Bio* bio, Hctx* hctx) override;
  void Insert(Request* request, bool at_head) override;
  Request* Dispatch(Hctx* hctx) override;
  [[nodiscard]] bool HasWork(const Hctx* hctx) const override;
  void Completed(Request* request) override;
  void TakeAll(RequestList* list) override;
  void Requeued(Request* request) override { ReturnToken(request); }

  /// For whoever watches: tokens of a domain, and how many are out.
  [[nodiscard]] int Depth(int domain) const { return throttle_->Depth(domain); }
  [[nodiscard]] int InUse(int domain) const { return domains_[Index(domain)].in_use; }

 private:
  static constexpr std::size_t kMaxDomains = kMaxKyberDomains;
  static std::size_t Index(int domain) { return static_cast<std::size_t>(domain); }

  struct Domain {
    int in_use = 0;
    std::vector<Hctx*> waiting;  // hardware queues that found no token, longest wait first
  };
  struct CpuQueue {
    std::array<RequestFifo, kMaxDomains> lists;  // kShared: the first only
  };
  struct PerHctx {
    std::vector<CpuQueue> cpus;                                  // as Hctx::cpus
    std::array<std::vector<std::uint64_t>, kMaxDomains> filled;  // bit per CPU: list not empty
    std::array<unsigned, kMaxDomains> filled_count{};
    std::array<RequestFifo, kMaxDomains> lists;
    std::array<bool, kMaxDomains> waits{};  // in Domain::waiting
    int current = 0;
    int batching = 0;
  };

  [[nodiscard]] std::size_t ListOf(int domain) const {
    return queues_ == Queues::kShared ? 0 : Index(domain);
  }
  [[nodiscard]] unsigned PlaceOf(const Hctx* hctx, unsigned cpu) const;
  Request* DispatchCurrent(Hctx* hctx, PerHctx& mine, bool* flushed);
  void Flush(PerHctx& mine, std::size_t list);
  bool TakeToken(Hctx* hctx, PerHctx& mine);
  Request* TakeFront(PerHctx& mine);
  void ReturnToken(Request* request);
  void WakeOne(std::uint64_t domain);
  void WakeAll(std::uint64_t domain);

  Queues queues_;
  std::unique_ptr<KyberThrottle> throttle_;
  int domain_count_;
  std::array<Domain, kMaxDomains> domains_;
  std::vector<PerHctx> hctxs_;
  std::vector<std::uint16_t> places_;  // [hctx * CPUs + cpu]: position of the CPU in Hctx::cpus
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_SCHED_KYBER_H_
