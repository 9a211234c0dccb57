// SPDX-License-Identifier: Apache-2.0
//
// StressHost: a host and a firmware that do everything a front end has to bear, at any time:
// doorbells of any size, legal or not, slow and fast completions, full CQs, queues that come and
// go, new weights, resets under load. For tests; the front end is judged by the CheckedFrontEnd
// around it.
#ifndef NVMEARB_TB_SCOREBOARD_STRESS_HOST_H_
#define NVMEARB_TB_SCOREBOARD_STRESS_HOST_H_

#include <cstdint>
#include <vector>

#include "nvme/base/random.h"
#include "scoreboard/checked_front_end.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::tb {

struct StressParameters {
  std::uint64_t seed = 1;
  std::uint64_t operation_count = 10000;
  ssd::TimePs clock_ps = 4000;
  bool rare_operations = true;  ///< illegal doorbells, deletions, new settings, resets
};

class StressHost : private ssd::FrontEndSink, private ssd::FrontEndDma, private MemoryPeek {
 public:
  /// Attaches itself. Nothing is owned.
  StressHost(CheckedFrontEnd* front_end, ssd::Kernel* kernel, const StressParameters& parameters);

  /// Performs the operations, lets everything finish, and tells the judge to expect rest.
  /// Commands that were submitted and not handed on are findings, too.
  void Run();

  [[nodiscard]] std::uint64_t command_count() const { return command_count_; }
  [[nodiscard]] std::uint64_t reset_count() const { return reset_count_; }

 private:
  enum class State : std::uint8_t { kOff, kStarting, kCreating, kOn, kStopping };
  struct Sq {
    bool exists = false;
    bool is_deleting = false;
    bool is_halted = false;
    std::uint16_t cqid = 0;
    std::uint32_t size_count = 0;
    std::uint32_t tail = 0;
    std::uint64_t submitted_count = 0;
    std::uint64_t delivered_count = 0;
    std::uint64_t consumed_count = 0;  ///< as the host knows it from completions
    std::vector<std::uint8_t> entries;
  };
  struct Cq {
    std::uint32_t size_count = 0;
    std::uint32_t head = 0;
    std::uint32_t posted_count = 0;
  };
  struct Command {
    std::uint16_t sqid;
    std::uint16_t cqid;
    std::uint32_t life;    ///< of the SQ it belongs to
    std::uint64_t number;  ///< of the command in that life, from 1
  };
  struct Call {
    enum class Kind : std::uint8_t { kOther, kCreate, kDelete } kind;
    std::uint16_t sqid;
  };

  // ssd::FrontEndSink.
  void OnEnable(const ssd::EnableConfig& config) override;
  void OnDisable() override;
  void OnShutdown(std::uint8_t /*shn*/) override {}
  void OnConfigDone() override;
  void OnCommand(const ssd::FetchedCommand& command) override;
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override;
  void OnFetchError(std::uint16_t sqid) override;
  // ssd::FrontEndDma, MemoryPeek.
  bool Read(std::uint64_t address, void* destination, std::size_t bytes) override;
  bool Write(std::uint64_t /*a*/, const void* /*s*/, std::size_t /*b*/) override { return false; }
  bool Peek(std::uint64_t address, void* destination, std::size_t bytes) override {
    return Read(address, destination, bytes);
  }

  void Operate(std::uint64_t);
  void OperateRarely();
  void Enable();
  void Submit(std::uint16_t sqid);
  void Consume(std::uint16_t cqid);
  void CompleteOne();
  void CreateSq(std::uint16_t sqid);
  void Ring(bool is_cq, std::uint16_t qid, std::uint32_t value);
  [[nodiscard]] arbiter::ArbitrationSettings RandomSettings();
  [[nodiscard]] std::uint16_t AnyQueue() {
    return static_cast<std::uint16_t>(random_.Below(sqs_.size()));
  }
  void RunFor(std::uint64_t clocks);

  CheckedFrontEnd* front_end_;
  ssd::Kernel* kernel_;
  StressParameters parameters_;
  base::Random random_;
  ssd::FrontEndLimits limits_;
  State state_ = State::kOff;
  std::vector<Sq> sqs_;
  std::vector<Cq> cqs_;
  std::vector<std::uint32_t> lives_;
  std::vector<Command> commands_;
  std::vector<Call> calls_;
  std::uint64_t busy_ = 1;  ///< the larger, the slower
  std::uint32_t most_size_count_ = 64;
  std::uint64_t operation_count_ = 0;
  bool is_finished_ = false;
  std::uint64_t command_count_ = 0;
  std::uint64_t reset_count_ = 0;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_STRESS_HOST_H_
