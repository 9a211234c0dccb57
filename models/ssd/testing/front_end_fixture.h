// SPDX-License-Identifier: Apache-2.0
//
// ModelFrontEndTest: a ModelFrontEnd alone; the sink of everything is the test. Fixture of
// model_front_end_test (registers, doorbells, reset) and model_fetch_test (grants, fetches,
// requests).
#ifndef NVMEARB_MODELS_SSD_TESTING_FRONT_END_FIXTURE_H_
#define NVMEARB_MODELS_SSD_TESTING_FRONT_END_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "nvme/sqe.h"
#include "ssd/model_front_end.h"
#include "ssd/platform.h"
#include "ssd/testing/fakes.h"

namespace nvmearb::ssd {

using arbiter::EventKind;
using arbiter::SqClass;

inline constexpr TimePs kUs = 1'000'000;
inline constexpr std::uint64_t kSqBase = FakeMemory::kBase;
inline constexpr std::uint64_t kQueueBytes = 0x2000;
inline constexpr std::uint32_t kRr = 0x460001;
inline constexpr std::uint32_t kWrr = 0x460801;

class ModelFrontEndTest : public testing::Test, public FrontEndSink, public arbiter::EventSink {
 protected:
  ModelFrontEndTest() {
    Platform::Instance().Reset();
    ModelFrontEndParams params;
    params.limits = {8, 65536, 0};
    Build(params);
  }
  void Build(const ModelFrontEndParams& params) {
    front_end_ = std::make_unique<ModelFrontEnd>(&kernel_, params);
    front_end_->Attach(this, &memory_, this);
    front_end_->SetStraps(0x2078030fff, 0x10200);
  }

  // FrontEndSink.
  void OnEnable(const EnableConfig& config) override {
    told_ += "enable ";
    enable_ = config;
  }
  void OnDisable() override { told_ += "disable "; }
  void OnShutdown(std::uint8_t shn) override { told_ += "shutdown" + std::to_string(shn) + " "; }
  void OnConfigDone() override { told_ += "done "; }
  void OnCommand(const FetchedCommand& command) override {
    commands_.push_back(command);
    order_ += std::to_string(command.sqid) + " ";
    command_times_.push_back(kernel_.Now());
  }
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) override {
    told_ += std::string("error") + (is_cq ? "_cq" : "_sq") + std::to_string(qid) + "_" +
             std::to_string(static_cast<int>(error)) + " ";
  }
  void OnFetchError(std::uint16_t sqid) override {
    told_ += "fetch_error" + std::to_string(sqid) + " ";
  }
  void OnEvent(const arbiter::Event& event) override { events_.push_back(event); }

  void Run(TimePs duration = 10 * kUs) { kernel_.RunUntil(kernel_.Now() + duration); }
  void Write(std::uint32_t offset, std::uint64_t value, unsigned bytes = 4) {
    front_end_->MmioWrite(offset, value, bytes);
  }
  [[nodiscard]] std::uint64_t Read(std::uint32_t offset, unsigned bytes = 4) {
    return front_end_->MmioRead(offset, bytes);
  }
  void Enable(std::uint32_t cc) {
    Write(nvme::kRegAqa, 0x000f000f);  // 16 entries
    Write(nvme::kRegAsq, kSqBase, 8);
    Write(nvme::kRegAcq, 0x9000, 8);
    Write(nvme::kRegCc, cc);
    Run();
    front_end_->SetReady(true);
  }
  void CreateSq(std::uint16_t sqid, SqClass sq_class, std::uint32_t size_count = 64) {
    front_end_->CreateCq({sqid, 64});
    front_end_->CreateSq({sqid, sqid, size_count, sq_class, kSqBase + sqid * kQueueBytes});
    Run();
  }
  void Ring(std::uint16_t sqid, std::uint32_t tail) { Write(nvme::SqTailDoorbell(sqid, 0), tail); }
  int Count(EventKind kind) const {
    int count = 0;
    for (const arbiter::Event& event : events_) count += event.kind == kind ? 1 : 0;
    return count;
  }

  Kernel& kernel_ = Platform::Instance().kernel();
  FakeMemory memory_;
  std::unique_ptr<ModelFrontEnd> front_end_;
  EnableConfig enable_;
  std::string told_;
  std::string order_;
  std::vector<FetchedCommand> commands_;
  std::vector<TimePs> command_times_;
  std::vector<arbiter::Event> events_;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_TESTING_FRONT_END_FIXTURE_H_
