// SPDX-License-Identifier: Apache-2.0
//
// Fakes for the tests of the firmware: a front end that writes down what it is asked and answers
// when it is told to, memory that is one array, and interrupts that are counted.
#ifndef NVMEARB_MODELS_SSD_TESTING_FAKES_H_
#define NVMEARB_MODELS_SSD_TESTING_FAKES_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "nvme/cqe.h"
#include "nvme/sqe.h"
#include "ssd/completion_writer.h"
#include "ssd/front_end.h"

namespace nvmearb::ssd {

class FakeFrontEnd : public FrontEnd {
 public:
  struct Completed {
    std::uint16_t sqid;
    std::uint16_t cqid;
    bool posted;
  };

  FrontEndLimits limits{8, 65536, 0};
  std::uint64_t cap = 0;
  std::uint32_t vs = 0;
  std::string calls;  ///< configuration calls in order, as "create_sq(1) set_arb(6:3:1/0) ..."
  std::vector<Completed> completed;
  unsigned slots_given = 0;
  SqConfig last_sq;
  bool ready = false;
  bool fatal = false;
  std::uint8_t shst = 0;

  void Attach(FrontEndSink* /*sink*/, FrontEndDma* /*dma*/,
              arbiter::EventSink* /*events*/) override {}
  [[nodiscard]] FrontEndLimits Limits() const override { return limits; }
  void SetStraps(std::uint64_t cap_value, std::uint32_t vs_value) override {
    cap = cap_value;
    vs = vs_value;
  }
  std::uint64_t MmioRead(std::uint32_t /*offset*/, unsigned /*bytes*/) override { return 0; }
  void MmioWrite(std::uint32_t /*offset*/, std::uint64_t /*value*/, unsigned /*bytes*/) override {}
  void CreateCq(const CqConfig& config) override { Log("create_cq", config.cqid); }
  void DeleteCq(std::uint16_t cqid) override { Log("delete_cq", cqid); }
  void CreateSq(const SqConfig& config) override {
    last_sq = config;
    Log("create_sq", config.sqid);
  }
  void DeleteSq(std::uint16_t sqid) override { Log("delete_sq", sqid); }
  void SetArbitration(const arbiter::ArbitrationSettings& s) override {
    calls += "set_arb(" + std::to_string(s.WeightCount(0)) + ":" +
             std::to_string(s.WeightCount(1)) + ":" + std::to_string(s.WeightCount(2)) + "/" +
             std::to_string(s.ab) + ") ";
  }
  void GiveSlots(unsigned count) override { slots_given += count; }
  void Complete(std::uint16_t sqid, std::uint16_t cqid, bool posted) override {
    completed.push_back({sqid, cqid, posted});
  }
  void SetReady(bool value) override { ready = value; }
  void SetFatal() override { fatal = true; }
  void SetShutdownStatus(std::uint8_t value) override { shst = value; }

 private:
  void Log(const char* what, unsigned id) {
    calls += std::string(what) + "(" + std::to_string(id) + ") ";
  }
};

/// Bytes [base, base + size).
class FakeMemory : public FrontEndDma {
 public:
  static constexpr std::uint64_t kBase = 0x10000;

  explicit FakeMemory(std::size_t bytes = 1u << 20) : bytes_(bytes) {}

  [[nodiscard]] bool Read(std::uint64_t address, void* destination, std::size_t bytes) override {
    if (!Contains(address, bytes)) return false;
    std::memcpy(destination, &bytes_[address - kBase], bytes);
    return true;
  }
  [[nodiscard]] bool Write(std::uint64_t address, const void* source, std::size_t bytes) override {
    if (!Contains(address, bytes)) return false;
    std::memcpy(&bytes_[address - kBase], source, bytes);
    return true;
  }
  template <typename T>
  [[nodiscard]] T Get(std::uint64_t address) {
    T value{};
    static_cast<void>(Read(address, &value, sizeof value));
    return value;
  }
  template <typename T>
  void Put(std::uint64_t address, const T& value) {
    static_cast<void>(Write(address, &value, sizeof value));
  }

 private:
  [[nodiscard]] bool Contains(std::uint64_t address, std::size_t bytes) const {
    return address >= kBase && bytes <= bytes_.size() && address - kBase <= bytes_.size() - bytes;
  }
  std::vector<std::uint8_t> bytes_;
};

class FakeInterrupts : public InterruptSink {
 public:
  std::vector<std::uint16_t> vectors;
  void Interrupt(std::uint16_t vector) override { vectors.push_back(vector); }
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_TESTING_FAKES_H_
