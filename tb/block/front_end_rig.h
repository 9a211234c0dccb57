// SPDX-License-Identifier: Apache-2.0
//
// FrontEndRig: a small host and a small firmware around an RtlFrontEnd, for block tests.
//
// The host part has a memory of its own and submits numbered commands: the first 8 bytes of an SQE
// are its number, the next 8 its SQ and slot (both complemented in every other command, so that
// each bit changes), the rest a pattern made of the number. The firmware part gets ready after a
// delay, gives slots, checks every byte of every command, and completes it after a while.
// Everything that happens is written down with its time, so that two runs can be compared.
#ifndef NVMEARB_TB_BLOCK_FRONT_END_RIG_H_
#define NVMEARB_TB_BLOCK_FRONT_END_RIG_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/fifo.h"
#include "harness/rtl_front_end.h"
#include "nvme/base/random.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::tb {

/// The one Kernel of the process, at local time 0 and empty.
ssd::Kernel& FreshKernel();

class FrontEndRig : public ssd::FrontEndSink, public ssd::FrontEndDma, public arbiter::EventSink {
 public:
  using Maker = std::unique_ptr<RtlFrontEnd> (*)(ssd::Kernel*, const RtlOptions&);

  struct Config {
    RtlOptions rtl;
    unsigned slot_count = 64;                 ///< given at each enable
    ssd::TimePs ready_delay_ps = 20'000;      ///< OnEnable() to SetReady(true)
    ssd::TimePs service_ps = 100'000;         ///< OnCommand() to completion; 0: in the same call
    bool complete = true;                     ///< false: commands go to waiting()
    std::uint64_t cap = 0x00000020'78030fff;  ///< DSTRD is put in from the build
    std::uint32_t vs = 0x00010400;
  };

  struct Sq {
    bool exists = false;
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;
    std::uint16_t cqid = 0;
    std::uint32_t tail = 0;             ///< host's
    std::uint32_t next_slot = 0;        ///< expected to be fetched next
    std::uint64_t submitted_count = 0;  ///< since creation
    std::uint64_t received_count = 0;
  };
  struct Cq {
    std::uint32_t size_count = 0;
    std::uint32_t head = 0;          ///< host's
    std::uint32_t posted_count = 0;  ///< entries the host has not consumed
  };

  /// A command that the firmware holds.
  struct Waiting {
    std::uint16_t sqid = 0;
    std::uint16_t cqid = 0;
  };

  FrontEndRig(Maker maker, const Config& config);

  [[nodiscard]] RtlFrontEnd& rtl() { return *rtl_; }
  [[nodiscard]] ssd::Kernel& kernel() { return kernel_; }
  [[nodiscard]] Sq& sq(unsigned id) { return sqs_[id]; }
  [[nodiscard]] Cq& cq(unsigned id) { return cqs_[id]; }

  // --- Host ---
  /// Runs `ps` of simulated time.
  void Run(ssd::TimePs ps);
  /// Runs until `condition` or until `limit_ps` have passed; returns whether it holds.
  template <typename Condition>
  bool RunUntil(Condition condition, ssd::TimePs limit_ps = 200'000'000) {
    const ssd::TimePs end = kernel_.Now() + limit_ps;
    while (!condition() && kernel_.Now() < end) Run(kStepPs);
    return condition();
  }
  std::uint32_t Read(std::uint32_t offset) {
    return static_cast<std::uint32_t>(rtl_->MmioRead(offset, 4));
  }
  void Write(std::uint32_t offset, std::uint32_t value) { rtl_->MmioWrite(offset, value, 4); }
  /// AQA, ASQ, ACQ and one CC write with AMS and EN; waits for RDY.
  bool Enable(bool wrr, std::uint32_t admin_size_count = 32);
  /// Clears EN and waits for RDY = 0.
  bool Disable();
  /// Firmware calls for CQ `id` and SQ `id`; waits until both are answered.
  bool Create(std::uint16_t id, std::uint32_t size_count, arbiter::SqClass sq_class,
              std::uint64_t base = 0);
  /// Feature 01h; waits for the answer.
  bool SetArbitration(const arbiter::ArbitrationSettings& settings);
  [[nodiscard]] std::uint32_t SqDoorbell(unsigned id) const { return DoorbellOffset(2 * id); }
  [[nodiscard]] std::uint32_t CqDoorbell(unsigned id) const { return DoorbellOffset(2 * id + 1); }
  /// Entries that may be submitted to SQ `id` now.
  [[nodiscard]] std::uint32_t FreeEntries(unsigned id) const;
  /// Writes `count` numbered SQEs and rings the doorbell.
  void Submit(unsigned id, std::uint32_t count);
  /// Consumes all entries of CQ `id` and rings its doorbell.
  void Consume(unsigned id);
  [[nodiscard]] Fifo<Waiting>& waiting() { return waiting_; }
  /// Completes a command: an entry in its CQ, a slot back, and the entry consumed if so set.
  void FinishNow(const Waiting& command) { Finish(command.sqid, command.cqid); }
  /// The 64 bytes at this bus address read as a bus error from now on; 0: none do.
  void Poison(std::uint64_t address) { poison_ = address; }

  // --- What was seen ---
  [[nodiscard]] const std::vector<arbiter::Event>& events() const { return events_; }
  /// One line per call to the sink, with its time.
  [[nodiscard]] const std::vector<std::string>& calls() const { return calls_; }
  /// What was wrong with commands; empty when all is well.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] unsigned enable_count() const { return enable_count_; }
  [[nodiscard]] unsigned disable_count() const { return disable_count_; }
  [[nodiscard]] std::uint64_t received_count() const { return received_count_; }
  [[nodiscard]] unsigned config_done_count() const { return config_done_count_; }
  [[nodiscard]] unsigned fetch_error_count() const { return fetch_error_count_; }
  [[nodiscard]] const ssd::EnableConfig& enable_config() const { return enable_config_; }
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  void KeepRecords(bool keep) { keep_records_ = keep; }
  void SetConsumeAtOnce(bool consume) { consume_at_once_ = consume; }

 private:
  static constexpr ssd::TimePs kStepPs = 40'000;

  // ssd::FrontEndSink.
  void OnEnable(const ssd::EnableConfig& config) override;
  void OnDisable() override;
  void OnShutdown(std::uint8_t shn) override;
  void OnConfigDone() override;
  void OnCommand(const ssd::FetchedCommand& command) override;
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override;
  void OnFetchError(std::uint16_t sqid) override;
  // ssd::FrontEndDma.
  bool Read(std::uint64_t address, void* destination, std::size_t bytes) override;
  bool Write(std::uint64_t address, const void* source, std::size_t bytes) override;
  // arbiter::EventSink.
  void OnEvent(const arbiter::Event& event) override;

  [[nodiscard]] std::uint32_t DoorbellOffset(unsigned index) const {
    return 0x1000 + index * (4u << rtl_->Limits().dstrd);
  }
  static void Fill(std::uint8_t* sqe, unsigned id, std::uint32_t slot, std::uint64_t number);
  void GetReady(std::uint64_t life);
  void Serve(std::uint64_t packed);
  void Finish(std::uint16_t sqid, std::uint16_t cqid);
  void Trouble(const std::string& what);
  void Record(std::string what);

  ssd::Kernel& kernel_;
  Config config_;
  std::unique_ptr<RtlFrontEnd> rtl_;
  std::vector<Sq> sqs_;
  std::vector<Cq> cqs_;
  std::vector<std::vector<std::uint8_t>> rings_;  // by SQ id; the bus address names the ring
  Fifo<Waiting> waiting_;
  std::uint64_t poison_ = 0;
  std::uint64_t life_ = 0;  // counts enables, to tell late callbacks
  std::vector<arbiter::Event> events_;
  std::vector<std::string> calls_;
  std::vector<std::string> errors_;
  std::string trouble_;
  bool keep_records_ = true;
  bool consume_at_once_ = true;
  unsigned enable_count_ = 0, disable_count_ = 0, config_done_count_ = 0, fetch_error_count_ = 0;
  std::uint64_t received_count_ = 0;
  ssd::EnableConfig enable_config_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_FRONT_END_RIG_H_
