// SPDX-License-Identifier: Apache-2.0
//
// Host: a bare NVMe host around one Device, for checks: registers, memory, queues, doorbells with
// any value, completions. It uses nothing but DevicePort and its own memory, and writes down what
// reaches that memory: every SQE read by SQ, slot and time, and every completion.
//
// On the way it demands of every SQE read what no controller may get wrong: a slot of a queue that
// exists, the next one in order, never one at or past the tail that was rung. What breaks that is
// in violations(). Doorbells written with Write32() are not taken for submissions.
//
// Time is simulated; every function that waits for something gives up after a while.
#ifndef NVMEARB_TB_CONFORMANCE_HOST_H_
#define NVMEARB_TB_CONFORMANCE_HOST_H_

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "conformance/device.h"
#include "nvme/admin_commands.h"
#include "nvme/cqe.h"
#include "nvme/features.h"
#include "nvme/registers.h"
#include "nvme/sqe.h"
#include "scoreboard/checked_front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::nvme {

/// What GoogleTest prints.
inline void PrintTo(Status status, std::ostream* out) {
  *out << Name(status) << " (" << int{StatusCodeType(status)} << "/" << int{StatusCode(status)}
       << ")";
}

}  // namespace nvmearb::nvme

namespace nvmearb::conformance {

inline constexpr ssd::TimePs kUs = 1'000'000;

struct SqeRead {
  std::uint16_t sqid;
  std::uint32_t slot;
  ssd::TimePs time;
};

struct Completion {
  std::uint16_t cqid;
  nvme::Cqe cqe;
  ssd::TimePs time;
};

/// What an I/O command asks for.
enum class Work {
  kQuick,  ///< a read of one block: a few clocks
  kSlow    ///< a Flush: DeviceOptions::flush_ps
};

/// QPRIO of Create I/O SQ.
inline constexpr std::uint8_t kUrgent = 0, kHigh = 1, kMedium = 2, kLow = 3;

/// CC.AMS.
inline constexpr std::uint8_t kRoundRobin = 0, kWeighted = 1;

class Host : public nvme::HostPort, private tb::MemoryPeek {
 public:
  static constexpr std::uint32_t kAdminSizeCount = 32;
  static constexpr ssd::TimePs kPatiencePs = 2'000 * kUs;

  struct Sq {
    bool exists = false;
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;
    std::uint16_t cqid = 0;
    std::uint32_t tail = 0;     ///< next slot to fill
    std::uint64_t placed = 0;   ///< commands put into slots since the creation
    std::uint64_t rung = 0;     ///< of them, shown to the device
    std::uint64_t fetched = 0;  ///< of them, read by the device
    std::uint64_t completed = 0;
    std::uint64_t consumed = 0;  ///< of them, passed by the newest SQHD
  };
  struct Cq {
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;
    std::uint32_t head = 0;
    std::uint32_t unreported = 0;  ///< entries taken and not given back by a doorbell
    bool phase = true;
    bool gives_back = true;  ///< ring the head doorbell for each entry
  };
  struct SqOptions {
    std::uint32_t size_count = 64;
    std::uint8_t qprio = kUrgent;
    std::uint16_t cqid = 0;  ///< 0: that of the same number
  };

  explicit Host(Device* device);
  ~Host() override;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // --- Time ---
  [[nodiscard]] ssd::TimePs Now() const { return kernel_->Now(); }
  void Run(ssd::TimePs duration) { kernel_->RunUntil(kernel_->Now() + duration); }
  void RunClocks(std::uint64_t count) { Run(count * kClockPs); }
  template <typename Condition>
  bool RunUntil(Condition condition, ssd::TimePs limit = kPatiencePs, ssd::TimePs step = 100'000) {
    const ssd::TimePs end = Now() + limit;
    while (!condition() && Now() < end) Run(step);
    return condition();
  }

  // --- Registers ---
  [[nodiscard]] std::uint32_t Read32(std::uint32_t offset) {
    return static_cast<std::uint32_t>(port_->MmioRead(offset, 4));
  }
  [[nodiscard]] std::uint64_t Read64(std::uint32_t offset) { return port_->MmioRead(offset, 8); }
  void Write32(std::uint32_t offset, std::uint32_t value) { port_->MmioWrite(offset, value, 4); }
  void Write64(std::uint32_t offset, std::uint64_t value) { port_->MmioWrite(offset, value, 8); }
  [[nodiscard]] nvme::Csts Csts() { return nvme::Csts::Decode(Read32(nvme::kRegCsts)); }
  [[nodiscard]] std::uint32_t TailDoorbell(std::uint16_t sqid) const {
    return nvme::SqTailDoorbell(sqid, dstrd_);
  }
  [[nodiscard]] std::uint32_t HeadDoorbell(std::uint16_t cqid) const {
    return nvme::CqHeadDoorbell(cqid, dstrd_);
  }

  // --- Life of the controller ---
  /// AQA, ASQ, ACQ for new, empty admin queues.
  void PrepareAdminQueue(std::uint32_t sq_size_count = kAdminSizeCount,
                         std::uint32_t cq_size_count = kAdminSizeCount);
  [[nodiscard]] static std::uint32_t CcValue(std::uint8_t ams, bool en = true);
  /// All of it and one write of CC; waits for RDY. False when that does not come.
  bool Enable(std::uint8_t ams = kRoundRobin);
  /// Clears CC.EN, waits for RDY = 0 and forgets all queues.
  bool Disable();
  /// The queues are gone; reads of them are violations from now on.
  void ForgetQueues();

  // --- Admin commands ---
  /// Puts an admin command into SQ 0 and rings; returns its CID.
  std::uint16_t Send(nvme::Sqe sqe);
  /// Waits for the CQE of an admin command; one with status 7FFh when none comes.
  nvme::Cqe Await(std::uint16_t cid, ssd::TimePs limit = kPatiencePs);
  nvme::Cqe Admin(const nvme::Sqe& sqe) { return Await(Send(sqe)); }
  nvme::Status CreateCq(std::uint16_t cqid, std::uint32_t size_count = 64);
  nvme::Status CreateSq(std::uint16_t sqid, const SqOptions& options);
  /// The command of CreateSq(), for tests that send it themselves.
  nvme::CreateIoSq PrepareSq(std::uint16_t sqid, const SqOptions& options);
  /// From here on the SQ exists for this host (its Create command is known to succeed).
  void AdoptSq(std::uint16_t sqid) { sqs_[sqid].exists = true; }
  nvme::Status DeleteSq(std::uint16_t sqid);
  nvme::Status DeleteCq(std::uint16_t cqid);
  /// CQ and SQ `sqid`. True when both succeed.
  bool CreatePair(std::uint16_t sqid, std::uint8_t qprio = kUrgent, std::uint32_t size_count = 64);
  /// Pairs 1, 2, ... with these QPRIOs and 256 entries. True when all succeed.
  bool CreatePairs(const std::vector<std::uint8_t>& qprios, std::uint32_t size_count = 256);
  /// Feature 01h with effective weights. True when it succeeds.
  bool SetArbitration(std::uint8_t ab, unsigned high = 1, unsigned medium = 1, unsigned low = 1);
  /// An Asynchronous Event Request; returns its CID.
  std::uint16_t RequestEvent();
  /// The CQE of an admin command; null while it is outstanding.
  [[nodiscard]] const Completion* Find(std::uint16_t cid) const;
  /// Reads log 01h.
  nvme::Status ReadErrorLog(bool retain_event = false);

  // --- I/O ---
  /// Fills `count` slots; the device is not told.
  void Place(std::uint16_t sqid, unsigned count, Work work = Work::kQuick);
  void Place(std::uint16_t sqid, const nvme::Sqe& sqe);
  /// Writes the tail of all that was placed.
  void Ring(std::uint16_t sqid);
  void Submit(std::uint16_t sqid, unsigned count, Work work = Work::kQuick) {
    Place(sqid, count, work);
    Ring(sqid);
  }
  /// Slots that may be filled now.
  [[nodiscard]] std::uint32_t FreeSlots(std::uint16_t sqid) const;
  /// Gives the entries taken from CQ `cqid` back.
  void GiveBack(std::uint16_t cqid);
  /// Until every command that was rung is fetched and, except for `open` ones, completed.
  bool RunUntilDone(unsigned open = 0);

  // --- Memory ---
  std::uint64_t Allocate(std::size_t bytes);
  [[nodiscard]] std::uint8_t* At(std::uint64_t address) {
    return memory_.get() + (address - kMemoryBase);
  }
  /// 64 bytes here read as a bus error, or writes there fail, from now on.
  void Poison(std::uint64_t address) { poison_.insert(address); }
  void Heal() { poison_.clear(); }

  // --- What was seen ---
  [[nodiscard]] const std::vector<SqeRead>& reads() const { return reads_; }
  [[nodiscard]] const std::vector<Completion>& completions() const { return completions_; }
  [[nodiscard]] std::vector<Completion> CompletionsOf(std::uint16_t cqid) const;
  /// Reads since Mark(), run length coded: "1x2 2 0".
  void Mark() { mark_ = reads_.size(); }
  [[nodiscard]] std::string Order() const { return OrderFrom(0); }
  /// The same without SQ 0.
  [[nodiscard]] std::string IoOrder() const { return OrderFrom(1); }
  [[nodiscard]] std::vector<SqeRead> ReadsSinceMark() const {
    return {reads_.begin() + static_cast<std::ptrdiff_t>(mark_), reads_.end()};
  }
  [[nodiscard]] std::uint64_t ReadCount(std::uint16_t sqid) const;
  [[nodiscard]] Sq& sq(std::uint16_t sqid) { return sqs_[sqid]; }
  [[nodiscard]] Cq& cq(std::uint16_t cqid) { return cqs_[cqid]; }
  [[nodiscard]] const std::string& violations() const { return violations_; }
  /// Called for every completion, at the time of its interrupt.
  std::function<void(const Completion&)> on_completion;
  /// Called for every SQE read.
  std::function<void(const SqeRead&)> on_read;

 private:
  static constexpr std::uint64_t kMemoryBase = 0x100000;
  static constexpr std::size_t kMemoryBytes = std::size_t{96} << 20;
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  struct Extent {
    std::uint64_t end;
    std::uint16_t sqid;
    std::uint32_t life;
  };

  // nvme::HostPort, tb::MemoryPeek.
  [[nodiscard]] bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override;
  [[nodiscard]] bool DmaWrite(std::uint64_t address, const void* source,
                              std::size_t bytes) override;
  void Interrupt(std::uint16_t vector) override;
  bool Peek(std::uint64_t address, void* destination, std::size_t bytes) override;

  [[nodiscard]] std::string OrderFrom(std::uint16_t least_sqid) const;
  [[nodiscard]] bool IsMemory(std::uint64_t address, std::size_t bytes) const;
  void OpenSq(std::uint16_t sqid, const SqOptions& options);
  void RecordRead(std::uint64_t address);
  void RecordCompletion(std::uint16_t cqid, const nvme::Cqe& cqe);
  void Violation(const std::string& text);

  Device* device_;
  nvme::DevicePort* port_;
  ssd::Kernel* kernel_;
  unsigned dstrd_;
  std::unique_ptr<std::uint8_t, Free> memory_;
  std::uint64_t next_free_ = kMemoryBase;
  std::set<std::uint64_t> poison_;
  std::vector<Sq> sqs_;
  std::vector<Cq> cqs_;
  std::map<std::uint64_t, Extent> rings_;  // every ring there ever was, by base
  std::vector<std::uint32_t> lives_;       // of each SQ id
  std::vector<SqeRead> reads_;
  std::vector<Completion> completions_;
  std::map<std::uint16_t, std::uint16_t> deletions_;  // SQs asked to be deleted, by CID
  std::map<std::uint16_t, std::size_t> admin_done_;   // place in completions_ by CID
  std::string violations_;
  std::size_t mark_ = 0;
  std::uint16_t next_cid_ = 1;
};

/// A device and its host. At the end of its life nothing may have been found wrong by the host, the
/// judge or the RTL's own assertions.
class Bench {
 public:
  explicit Bench(const Build& build, const DeviceOptions& options = {});
  ~Bench();

  Device device;
  Host host;
  /// Tests in which the device is left in the middle of something set this to false.
  bool ends_quiet = true;
};

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_HOST_H_
