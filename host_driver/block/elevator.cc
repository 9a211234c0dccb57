// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/elevator.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_driver/base/user_error.h"
#include "host_driver/block/sched/bfq/bfq.h"
#include "host_driver/block/sched/kyber.h"
#include "host_driver/block/sched/kyber_throttle.h"
#include "host_driver/block/sched/mq_deadline.h"
#include "nvme/base/check.h"

namespace nvmearb::host {

void Elevator::SetTunable(std::string_view tunable, std::int64_t value, const std::string& where) {
  const std::string place = fmt::format("{}: iosched.{}", where, tunable);
  std::vector<std::string> names;
  for (const Tunable& entry : tunables_) {
    names.emplace_back(entry.name);
    if (entry.name != tunable) continue;
    if (value < entry.low || value > entry.high) {
      throw UserError(
          place, std::to_string(value),
          fmt::format("an integer from {} to {} {}", entry.low, entry.high, entry.unit));
    }
    *entry.value = value;
    TunablesChanged();
    return;
  }
  throw UserError(place, fmt::format("scheduler {} has no such tunable", name_),
                  fmt::format("it has {}", fmt::join(names, ", ")));
}

std::int64_t Elevator::GetTunable(std::string_view tunable) const {
  const auto entry = std::find_if(tunables_.begin(), tunables_.end(),
                                  [&](const Tunable& t) { return t.name == tunable; });
  NVMEARB_CHECK(entry != tunables_.end(), "a tunable of this scheduler");
  return *entry->value;
}

void CheckScheduler(std::string_view name, const Iosched& iosched, const std::string& where) {
  const std::unique_ptr<Elevator> elevator = MakeElevator(name, where + ": scheduler");
  for (const auto& [tunable, value] : iosched) {
    if (elevator == nullptr) {
      throw UserError(fmt::format("{}: iosched.{}", where, tunable),
                      "scheduler none has no tunables", "choose a scheduler");
    }
    elevator->SetTunable(tunable, value, where);
  }
}

const std::vector<std::string>& SchedulerNames() {
  static const std::vector<std::string> names = {
      "none", "mq-deadline", "mq-deadline-posted", "kyber", "kyber-4.17", "kyber-4.17-kcq", "bfq"};
  return names;
}

std::unique_ptr<Elevator> MakeElevator(std::string_view name, const std::string& where) {
  if (name == "none") return nullptr;
  if (name == "mq-deadline") return std::make_unique<MqDeadline>(MqDeadline::Form::kMerged);
  if (name == "mq-deadline-posted") {
    return std::make_unique<MqDeadline>(MqDeadline::Form::kPosted);
  }
  if (name == "bfq") return std::make_unique<Bfq>();
  using Kcq = Kyber::Queues;
  if (name == "kyber") return std::make_unique<Kyber>("kyber", Kcq::kPerDomain, NewThrottle());
  if (name == "kyber-4.17") {
    return std::make_unique<Kyber>("kyber-4.17", Kcq::kShared, NewEarlyThrottle());
  }
  if (name == "kyber-4.17-kcq") {
    return std::make_unique<Kyber>("kyber-4.17-kcq", Kcq::kPerDomain, NewEarlyThrottle());
  }
  throw UserError(where, fmt::format("\"{}\" is no scheduler", name),
                  fmt::format("one of {}", fmt::join(SchedulerNames(), ", ")));
}

}  // namespace nvmearb::host
