// SPDX-License-Identifier: Apache-2.0
//
// FabricLink: the way between a host and a controller that is not in the same box: one fabric path.
// A nvme::DevicePort to the host's driver, a nvme::HostPort to the device.
//
// What travels, and what it takes:
//
//  - host to controller: one message per submitted command, of 64 bytes and, for a write, its data.
//    The link sees the tail doorbell, reads the new entries in the host's memory and passes the
//    doorbell on entry by entry, as the messages arrive. CQ head doorbells take the latency only.
//  - controller to host: one message per completion, of 16 bytes and, for a read, its data; then
//  the
//    interrupt. Data that the controller writes for admin commands travels before its completion.
//  - Each direction is a server of its own: a message occupies it for `command_ps` and its bytes
//    over the bandwidth, and arrives `latency_ps` later, and a command up to `jitter_ps` after
//    that. Messages of one queue pair stay in order.
//  - Properties (CC, CSTS, AQA, ...) are read and written at once: they decide nothing but the
//    bring-up. CC.EN = 0 ends the association: what is on its way is dropped.
//
// Down(): nothing gets through in either direction, what is on its way is lost, properties read as
// all ones. Who hears of it is the caller's affair.
//
// Nothing is owned. Not thread safe. Time base: Kernel. No allocation per command.
#ifndef NVMEARB_MODELS_SSD_FABRIC_LINK_H_
#define NVMEARB_MODELS_SSD_FABRIC_LINK_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "nvme/base/random.h"
#include "nvme/cqe.h"
#include "nvme/device_port.h"
#include "nvme/sqe.h"
#include "ssd/kernel.h"

namespace nvmearb::ssd {

struct FabricLinkParams {
  std::uint64_t latency_ps = 0;             ///< one way
  std::uint64_t jitter_ps = 0;              ///< a command takes up to this longer, uniformly
  std::uint64_t command_ps = 0;             ///< of each direction, per message of a command
  std::uint64_t bandwidth_bytes_per_s = 0;  ///< of each direction; 0: unlimited
};

struct FabricLinkStatistics {
  std::uint64_t commands = 0;     ///< towards the controller
  std::uint64_t completions = 0;  ///< towards the host
  std::uint64_t bytes_out = 0;    ///< data and messages
  std::uint64_t bytes_in = 0;
  std::uint64_t dropped = 0;  ///< messages lost by Down() or CC.EN = 0
};

class FabricLink : public nvme::DevicePort, private nvme::HostPort {
 public:
  /// `device` is the controller behind the link; `stream` selects the jitter's random numbers.
  FabricLink(Kernel* kernel, nvme::DevicePort* device, const FabricLinkParams& params,
             std::uint64_t seed, std::uint64_t stream);

  // nvme::DevicePort
  void AttachHost(nvme::HostPort* host) override;
  std::uint64_t MmioRead(std::uint32_t offset, unsigned bytes) override;
  void MmioWrite(std::uint32_t offset, std::uint64_t value, unsigned bytes) override;

  void Down();
  void Up() { up_ = true; }
  [[nodiscard]] bool up() const { return up_; }
  /// For the messages that are sent from now on.
  void Set(const FabricLinkParams& params) { params_ = params; }
  [[nodiscard]] const FabricLinkParams& params() const { return params_; }
  [[nodiscard]] const FabricLinkStatistics& statistics() const { return statistics_; }
  /// "link up, 3 messages on their way, ..."
  [[nodiscard]] std::string Describe() const;

 private:
  enum class Kind : std::uint8_t { kDoorbell, kMemory, kInterrupt };
  struct Message {
    Kind kind = Kind::kDoorbell;
    std::uint32_t epoch = 0;
    std::uint64_t where = 0;  // doorbell's offset, bus address, vector
    std::uint32_t value = 0;  // of the doorbell
    std::vector<std::uint8_t> data;
  };
  // A queue pair as the link has seen it made.
  struct Pair {
    std::uint64_t sq_base = 0;
    std::uint32_t sq_size = 0;
    std::uint32_t sq_tail = 0;
    std::uint64_t cq_base = 0;
    std::uint64_t cq_end = 0;
    TimePs out_until = 0;                   // last arrival at the controller
    TimePs in_until = 0;                    // ... at the host
    std::vector<std::uint32_t> read_bytes;  // by command id
  };

  // nvme::HostPort
  bool DmaRead(std::uint64_t address, void* destination, std::size_t bytes) override;
  bool DmaWrite(std::uint64_t address, const void* source, std::size_t bytes) override;
  void Interrupt(std::uint16_t vector) override;

  void Property(std::uint32_t offset, std::uint64_t value, unsigned bytes);
  void SendCommands(std::uint16_t qid, std::uint32_t offset, std::uint32_t tail);
  std::uint64_t NoteCommand(std::uint16_t qid, const nvme::Sqe& sqe);
  void NoteAdmin(const nvme::Sqe& sqe);
  [[nodiscard]] Pair* PairOfCq(std::uint64_t address);
  Pair& PairAt(std::uint16_t qid);
  void Drop();
  TimePs Occupy(TimePs* free_from, std::uint64_t bytes);
  void Send(TimePs when, Kind kind, std::uint64_t where, std::uint32_t value, const void* data,
            std::size_t bytes);
  void Arrive(std::uint64_t index);
  void Deliver(const Message& message);

  Kernel* kernel_;
  nvme::DevicePort* device_;
  nvme::HostPort* host_ = nullptr;
  FabricLinkParams params_;
  base::Random random_;
  bool up_ = true;
  unsigned dstrd_ = 0;
  std::uint32_t epoch_ = 0;
  std::uint32_t waiting_ = 0;
  TimePs out_free_ps_ = 0;
  TimePs in_free_ps_ = 0;
  TimePs last_in_ps_ = 0;   // arrival of the message that an interrupt follows
  std::deque<Pair> pairs_;  // references stay valid while it grows
  std::deque<Message> messages_;
  std::vector<std::uint32_t> free_;
  FabricLinkStatistics statistics_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_FABRIC_LINK_H_
