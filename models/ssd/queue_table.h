// SPDX-License-Identifier: Apache-2.0
//
// QueueTable: which queues exist, and the legality of Create and Delete I/O Queue commands
// (Base 2.1 sections 5.2.1 to 5.2.4). Pure state: the front end and the completion writer are told
// by the caller. Checks of several errors at once answer in the order QID, CQID, size, PC, PRP,
// vector.
#ifndef NVMEARB_MODELS_SSD_QUEUE_TABLE_H_
#define NVMEARB_MODELS_SSD_QUEUE_TABLE_H_

#include <cstdint>
#include <vector>

#include "arbiter/types.h"
#include "nvme/admin_commands.h"
#include "nvme/registers.h"
#include "nvme/status.h"

namespace nvmearb::ssd {

class QueueTable {
 public:
  struct Sq {
    std::uint64_t base = 0;
    std::uint32_t size_count = 0;
    std::uint32_t in_flight = 0;  ///< I/O commands fetched and not completed
    std::uint16_t cqid = 0;
    std::uint16_t fetched_head = 0;  ///< what SQHD of its next CQE says
    arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;
    bool exists = false;
  };
  struct Cq {
    std::uint32_t sq_count = 0;
    bool exists = false;
  };

  /// For ids 0 .. queue_count-1, of which 0 is the admin pair.
  explicit QueueTable(unsigned queue_count);

  /// Only the admin pair is left; every I/O queue id is allocated. `cap` and `cc` are those of the
  /// enable.
  void Reset(const nvme::Cap& cap, const nvme::Cc& cc);

  [[nodiscard]] nvme::Status CheckCreateCq(const nvme::CreateIoCq& command) const;
  [[nodiscard]] nvme::Status CheckCreateSq(const nvme::CreateIoSq& command) const;
  [[nodiscard]] nvme::Status CheckDeleteSq(const nvme::DeleteIoSq& command) const;
  [[nodiscard]] nvme::Status CheckDeleteCq(const nvme::DeleteIoCq& command) const;

  // Each after its check.
  void AddCq(const nvme::CreateIoCq& command);
  void AddSq(const nvme::CreateIoSq& command);
  void RemoveSq(std::uint16_t sqid);
  void RemoveCq(std::uint16_t cqid);

  /// Feature 07h: I/O queues that may be created, each 1 .. queue_count-1.
  void Allocate(std::uint32_t sq_count, std::uint32_t cq_count);
  [[nodiscard]] std::uint32_t allocated_sq_count() const { return allocated_sq_count_; }
  [[nodiscard]] std::uint32_t allocated_cq_count() const { return allocated_cq_count_; }
  /// True as long as an I/O queue has been created since the enable (feature 07h is closed then).
  [[nodiscard]] bool io_queue_was_created() const { return io_queue_was_created_; }

  [[nodiscard]] Sq& sq(std::uint16_t sqid) { return sqs_[sqid]; }
  [[nodiscard]] const Sq& sq(std::uint16_t sqid) const { return sqs_[sqid]; }
  [[nodiscard]] const Cq& cq(std::uint16_t cqid) const { return cqs_[cqid]; }
  [[nodiscard]] unsigned queue_count() const { return static_cast<unsigned>(sqs_.size()); }
  [[nodiscard]] std::uint64_t page_bytes() const { return page_bytes_; }

 private:
  [[nodiscard]] nvme::Status CheckMemory(bool entry_size_set, std::uint16_t size_zb,
                                         bool contiguous, std::uint64_t prp1) const;

  std::vector<Sq> sqs_;
  std::vector<Cq> cqs_;
  std::uint32_t allocated_sq_count_ = 0;
  std::uint32_t allocated_cq_count_ = 0;
  std::uint64_t page_bytes_ = 4096;
  std::uint16_t mqes_zb_ = 0;
  bool sq_entry_size_set_ = false;  // CC.IOSQES is that of the NVM command set
  bool cq_entry_size_set_ = false;  // CC.IOCQES
  bool io_queue_was_created_ = false;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_QUEUE_TABLE_H_
