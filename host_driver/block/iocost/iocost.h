// SPDX-License-Identifier: Apache-2.0
//
// Iocost: blk-iocost, proportional control by the estimated cost of each bio (host_algorithms 5).
//
// A cgroup may use the device for the share of its weight among the cgroups that are active; each
// bio is charged its cost divided by that share in the cgroup's virtual time, which may not run
// ahead of the device's. The device's virtual time runs at a rate that a period timer adjusts from
// latencies and from who is short. Who needs less than its share lends the rest.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_IOCOST_IOCOST_H_
#define NVMEARB_HOST_DRIVER_BLOCK_IOCOST_IOCOST_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "host_driver/block/iocost/params.h"
#include "host_driver/block/rq_qos.h"

namespace nvmearb::host {

class Cgroup;

/// One per disk. The root cgroup's I/O passes. Left out: delays of the task for what it owes, debt
/// forgiveness, metadata and swap bios. Times of its own in seconds.
class Iocost final : public RqQos {
 public:
  Iocost(Clock* clock, RqQosHost* host, const IocostParams& params);

  bool Throttle(Bio* bio) override;
  void Merged(Bio* bio) override;
  void Done(const Bio& bio) override;
  void RequestDone(const Request& request, TimePs age) override;
  void WaitedForTag(TimePs time) override { tag_wait_ += time; }

  /// For whoever watches: rate of the device's virtual time, 1 = 100 %.
  [[nodiscard]] double vrate() const { return base_rate_; }
  /// Share that the cgroup may use now, and would without lending; 0 while it is not active.
  [[nodiscard]] double Share(const Cgroup* cgroup) const;
  [[nodiscard]] double FullShare(const Cgroup* cgroup) const;
  /// Cost of a bio of `bytes`; `far`: behind a seek (seconds).
  [[nodiscard]] double CostOf(bool read, std::uint32_t bytes, bool far, bool merged) const;

 private:
  struct Group {
    Cgroup* cgroup = nullptr;
    Group* parent = nullptr;
    std::vector<Group*> children;
    bool is_leaf_active = false;  // it issues I/O
    double weight = 0;            // in force; 0 while nothing below is active
    double inuse = 0;
    double children_weight = 0;
    double children_inuse = 0;

    double vtime = 0;
    double vdone = 0;      // of what is completed
    double debt = 0;       // seconds of device time
    Bio* first = nullptr;  // held back, through Bio::next
    Bio* last = nullptr;
    TimePs timer_at = 0;
    std::uint64_t cursor = 0;
    double usage = 0;         // seconds of device time in this period
    double saved_margin = 0;  // of the last look
    TimePs active_since = 0;
    std::uint64_t last_io_period = 0;
    // Of one run of the period timer.
    double share = 0;
    double share_after = 0;
    bool lends = false;
  };
  struct Direction {
    std::uint64_t met = 0;
    std::uint64_t missed = 0;
  };

  // iocost.cc
  Group* GroupOf(Cgroup* cgroup);
  const Group* Find(const Cgroup* cgroup) const;
  void Activate(Group& group);
  void SetWeights(Group& group, double weight, double inuse);
  [[nodiscard]] double ShareInUse(const Group& group) const;
  [[nodiscard]] double ShareActive(const Group& group) const;
  double RaiseShare(Group& group, double cost, double charge);
  void Commit(Group& group, Bio* bio, double cost, double charge);
  void PayDebt(Group& group);
  void KickWaiters(Group& group);
  void WaitTimer(std::uint64_t index);
  [[nodiscard]] double Cost(Group& group, const Bio& bio, bool merged) const;
  [[nodiscard]] double VNow() const;

  // iocost_period.cc
  void ApplyParams();
  void StartPeriod();
  void PeriodTimer(std::uint64_t unused);
  void Retire(Group& group);
  bool Consider(Group& group, double period_usage_time);
  void Lend();
  double SetInuseBelow(Group& node);
  void Judge(int shortages, int lagging);
  void AdjustRate(int lagging);
  void StepDefaults();
  void SetRate(double rate);

  Clock* clock_;
  RqQosHost* host_;
  IocostParams params_;
  struct Coefficients {
    double page;
    double seq;
    double rand;
  };
  std::array<Coefficients, 2> model_{};         // [0] read, [1] write
  std::vector<std::unique_ptr<Group>> groups_;  // the root first
  double period_ = 0.05;
  double margin_low_ = 0;
  double margin_min_ = 0;
  double margin_target_ = 0;
  // Device time.
  double rate_ = 1;       // in force, with the correction for what was thrown away
  double base_rate_ = 1;  // what the timer adjusts
  double v_start_ = 0;
  TimePs t_start_ = 0;
  double v_error_ = 0;
  // Period.
  bool running_ = false;
  TimePs period_at_ = 0;
  double period_at_v_ = 0;
  std::uint64_t period_count_ = 1;
  int busy_level_ = 0;
  std::array<Direction, 2> latency_{};
  TimePs tag_wait_ = 0;
  bool fast_ = false;
  TimePs step_since_ = 0;  // since when the rate asks for the other set
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_IOCOST_IOCOST_H_
