// SPDX-License-Identifier: Apache-2.0
#include "coverage/functional_coverage.h"

#include <errno.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "arbiter/ring.h"
#include "nvme/base/check.h"

namespace nvmearb::coverage {
namespace {

using arbiter::Event;
using arbiter::EventKind;
using arbiter::SqClass;

struct Bin {
  const char* name;
  std::uint32_t first;
  std::uint32_t last;
};
struct Point {
  Quantity quantity;
  unsigned first_bin;  ///< in kBins
  unsigned bin_count;
};
struct Cross {
  const char* name;
  std::uint32_t events;  ///< bit mask of the values of Quantity::kEvent
  unsigned first_point;  ///< in kCrossPoints
  unsigned point_count;
  unsigned first_counter;
};

// kBins, kPoints, kCrossPoints (indices into kPoints), kCrosses, kCounterCount; written by
// tools/coverage/functional.py from functional.toml.
#include "functional_tables.inc"

constexpr std::uint32_t kUnknown = ~0u;  ///< in no bin
constexpr std::uint32_t kCqDoorbell = 9;
constexpr std::uint32_t kCqReject = 10;

/// The counters of the process.
class Counters {
 public:
  ~Counters() {
    const char* const folder = std::getenv("NVMEARB_COVERAGE_DIR");
    if (folder == nullptr) return;
    const std::string path = std::string(folder) + "/functional-" + program_invocation_short_name +
                             "-" + std::to_string(getpid()) + ".txt";
    std::FILE* const out = std::fopen(path.c_str(), "w");
    bool good = out != nullptr;
    for (const Cross& cross : kCrosses) {
      if (good) good = Write(out, cross);
    }
    if (out == nullptr || std::fclose(out) != 0 || !good) {
      std::perror(path.c_str());
      _exit(1);  // a test whose counts are lost must not pass
    }
  }

  static Counters& Get() {
    static Counters counters;
    return counters;
  }

  std::array<std::uint64_t, kCounterCount> count{};

 private:
  bool Write(std::FILE* out, const Cross& cross) const {
    unsigned combinations = 1;
    for (unsigned i = 0; i < cross.point_count; ++i) {
      combinations *= kPoints[kCrossPoints[cross.first_point + i]].bin_count;
    }
    for (unsigned index = 0; index < combinations; ++index) {
      const std::uint64_t times = count[cross.first_counter + index];
      if (times == 0) continue;
      std::string bins;
      unsigned rest = index;
      for (unsigned i = cross.point_count; i-- > 0;) {
        const Point& point = kPoints[kCrossPoints[cross.first_point + i]];
        bins = std::string(" ") + kBins[point.first_bin + rest % point.bin_count].name + bins;
        rest /= point.bin_count;
      }
      std::fprintf(out, "%s%s %llu\n", cross.name, bins.c_str(),
                   static_cast<unsigned long long>(times));
    }
    return std::ferror(out) == 0;
  }
};

std::uint32_t EventNumber(const Event& event) {
  if (event.is_cq && event.kind == EventKind::kDoorbell) return kCqDoorbell;
  if (event.is_cq && event.kind == EventKind::kReject) return kCqReject;
  return static_cast<std::uint32_t>(event.kind);
}

bool IsWeighted(SqClass sq_class) {
  return sq_class == SqClass::kHigh || sq_class == SqClass::kMedium || sq_class == SqClass::kLow;
}

std::size_t LevelOf(SqClass sq_class) { return static_cast<std::size_t>(sq_class) - 1; }

/// The larger, the later served: admin, urgent, then the weighted classes, which are peers.
unsigned Rank(std::size_t sq_class) { return sq_class == 4 ? 0 : sq_class == 0 ? 1 : 2; }

}  // namespace

std::uint32_t FunctionalCoverage::Sq::Waiting() const {
  return size_count == 0 ? 0 : arbiter::RingDistance(tail, issued, size_count);
}

std::uint32_t FunctionalCoverage::Sq::Outstanding() const {
  return size_count == 0 ? 0 : arbiter::RingDistance(issued, fetched, size_count);
}

FunctionalCoverage::FunctionalCoverage(unsigned sq_count) : sqs_(sq_count) { Counters::Get(); }

void FunctionalCoverage::DescribeSq(const Event& event, const Sq& sq, Values* values) const {
  const auto set = [values](Quantity quantity, std::uint32_t value) {
    (*values)[static_cast<std::size_t>(quantity)] = value;
  };
  const std::uint32_t waiting = sq.Waiting();
  const std::uint32_t used =
      sq.size_count == 0 ? 0 : arbiter::RingDistance(sq.tail, sq.fetched, sq.size_count);
  const bool weighted =
      mechanism_ == arbiter::Mechanism::kWeightedRoundRobin && IsWeighted(sq.sq_class);
  set(Quantity::kClass, static_cast<std::uint32_t>(sq.sq_class));
  set(Quantity::kWeight, weighted ? weights_[LevelOf(sq.sq_class)] : 0u);
  set(Quantity::kWaiting, waiting);
  set(Quantity::kOutstanding, sq.Outstanding());
  set(Quantity::kSize, sq.size_count);
  set(Quantity::kRivals, waiting_sq_count_ - (waiting != 0 ? 1u : 0u));
  if (event.kind == EventKind::kDoorbell && sq.size_count != 0) {
    set(Quantity::kRoom,
        sq.size_count - 1 - used - arbiter::RingDistance(event.tail, sq.tail, sq.size_count));
  }
  if (event.kind == EventKind::kReject && sq.exists && sq.size_count != 0) {
    set(Quantity::kRefusal, event.tail >= sq.size_count ? 1u : event.tail == sq.tail ? 2u : 3u);
  }
  if (event.kind != EventKind::kGrant) return;
  set(Quantity::kAtEnd, event.head + event.count == sq.size_count);
  if (weighted) set(Quantity::kCreditLeft, event.credit[LevelOf(sq.sq_class)]);
  if (mechanism_ == arbiter::Mechanism::kRoundRobin) return;
  for (std::size_t other = 0; other < waiting_by_class_.size(); ++other) {
    if (waiting_by_class_[other] != 0 &&
        Rank(other) < Rank(static_cast<std::size_t>(sq.sq_class))) {
      set(Quantity::kAhead, 1);
    }
  }
}

FunctionalCoverage::Values FunctionalCoverage::Describe(const Event& event) const {
  Values values;
  values.fill(kUnknown);
  const auto set = [&values](Quantity quantity, std::uint32_t value) {
    values[static_cast<std::size_t>(quantity)] = value;
  };
  set(Quantity::kEvent, EventNumber(event));
  set(Quantity::kMechanism, static_cast<std::uint32_t>(mechanism_));
  set(Quantity::kBurst, burst_count_);
  set(Quantity::kCount, event.count);
  set(Quantity::kFirst, event.first ? 1 : 0);
  set(Quantity::kRivals, waiting_sq_count_);
  set(Quantity::kAhead, 0);
  if (event.kind == EventKind::kReject)
    set(Quantity::kRefusal, event.error == arbiter::DoorbellError::kInvalidRegister ? 0 : 1);
  const bool of_sq =
      !event.is_cq && event.kind != EventKind::kReset && event.kind != EventKind::kConfig;
  if (of_sq && event.sqid < sqs_.size()) DescribeSq(event, sqs_[event.sqid], &values);
  return values;
}

void FunctionalCoverage::OnEvent(const Event& event) {
  const Values values = Describe(event);
  const std::uint32_t event_bit = 1u << values[static_cast<std::size_t>(Quantity::kEvent)];
  for (const Cross& cross : kCrosses) {
    if ((cross.events & event_bit) == 0) continue;
    unsigned index = 0;
    bool in_all = true;
    for (unsigned i = 0; i < cross.point_count && in_all; ++i) {
      const Point& point = kPoints[kCrossPoints[cross.first_point + i]];
      const std::uint32_t value = values[static_cast<std::size_t>(point.quantity)];
      unsigned bin = 0;
      while (bin < point.bin_count && (value < kBins[point.first_bin + bin].first ||
                                       value > kBins[point.first_bin + bin].last)) {
        ++bin;
      }
      in_all = bin < point.bin_count;
      index = index * point.bin_count + bin;
    }
    if (in_all) ++Counters::Get().count[cross.first_counter + index];
  }
  Apply(event);
}

/// Keeps count of the SQs in which commands wait.
void FunctionalCoverage::Wait(std::uint16_t sqid, std::uint32_t before) {
  const Sq& sq = sqs_[sqid];
  const bool waits = sq.Waiting() != 0;
  if (waits == (before != 0)) return;
  unsigned& of_class = waiting_by_class_[static_cast<std::size_t>(sq.sq_class)];
  waits ? ++waiting_sq_count_ : --waiting_sq_count_;
  waits ? ++of_class : --of_class;
}

void FunctionalCoverage::Apply(const Event& event) {
  switch (event.kind) {
    case EventKind::kReset:
      sqs_.assign(sqs_.size(), Sq{});
      waiting_sq_count_ = 0;
      waiting_by_class_ = {};
      mechanism_ = event.mechanism;
      burst_count_ = 1;
      weights_ = {1, 1, 1};
      return;
    case EventKind::kConfig:
      mechanism_ = event.mechanism;
      burst_count_ = event.count;
      weights_ = event.credit;
      return;
    default:
      break;
  }
  if (event.is_cq || event.sqid >= sqs_.size()) return;
  Sq& sq = sqs_[event.sqid];
  const std::uint32_t before = sq.Waiting();
  switch (event.kind) {
    case EventKind::kCreate:
      sq = {true, event.sq_class, event.count, 0, 0, 0};
      return;
    case EventKind::kDelete:  // its class stays: commands of it may still be fetched and complete
      sq.exists = false;
      sq.tail = sq.issued;
      break;
    case EventKind::kDoorbell:
      sq.tail = event.tail;
      break;
    case EventKind::kGrant:
      sq.issued = (event.head + event.count) % sq.size_count;
      break;
    case EventKind::kFetch:
      sq.fetched = event.head;
      break;
    default:
      return;
  }
  Wait(event.sqid, before);
}

std::uint64_t FunctionalCoverage::Count(std::string_view cross_name,
                                        const std::vector<std::string_view>& bins) {
  for (const Cross& cross : kCrosses) {
    if (cross.name != cross_name) continue;
    NVMEARB_CHECK(bins.size() == cross.point_count, "a bin for each point of the cross");
    unsigned index = 0;
    for (unsigned i = 0; i < cross.point_count; ++i) {
      const Point& point = kPoints[kCrossPoints[cross.first_point + i]];
      unsigned bin = 0;
      while (bin < point.bin_count && bins[i] != kBins[point.first_bin + bin].name) ++bin;
      NVMEARB_CHECK(bin < point.bin_count, "no such bin");
      index = index * point.bin_count + bin;
    }
    return Counters::Get().count[cross.first_counter + index];
  }
  NVMEARB_CHECK(false, "no such cross");
  return 0;
}

}  // namespace nvmearb::coverage
