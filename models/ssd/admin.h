// SPDX-License-Identifier: Apache-2.0
//
// AdminExecutor: the admin command set. Commands are executed one after the other, each `admin_ps`
// after its turn has come. A command that changes the front end (Create, Delete, Set Features 01h)
// is answered when the front end has acknowledged; Delete I/O SQ also waits for the commands of
// that SQ that are already in the device, which complete with their own status. Asynchronous Event
// Requests are put aside, and the next command goes on.
//
// None of this depends on I/O queues having room: it cannot be blocked by a host that does not
// consume its completions.
#ifndef NVMEARB_MODELS_SSD_ADMIN_H_
#define NVMEARB_MODELS_SSD_ADMIN_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "nvme/sqe.h"
#include "ssd/completion_writer.h"
#include "ssd/events.h"
#include "ssd/features.h"
#include "ssd/fetch_window.h"
#include "ssd/front_end.h"
#include "ssd/identify_data.h"
#include "ssd/kernel.h"
#include "ssd/queue_table.h"
#include "ssd/ssd_params.h"
#include "ssd/statistics.h"

namespace nvmearb::ssd {

class AdminExecutor : public AdminCompleter {
 public:
  /// What it works on; nothing is owned.
  struct Parts {
    Kernel* kernel = nullptr;
    FrontEnd* front_end = nullptr;
    FrontEndDma* dma = nullptr;
    const SsdParams* params = nullptr;
    QueueTable* queues = nullptr;
    CompletionWriter* completions = nullptr;
    FetchWindow* window = nullptr;
    const Statistics* statistics = nullptr;
  };

  explicit AdminExecutor(const Parts& parts);

  /// Controller Reset: waiting commands and events are dropped, features take their defaults.
  void Reset();

  void OnCommand(const FetchedCommand& command);
  /// The front end acknowledged the request of the command that is executed.
  void OnConfigDone();
  /// An SQ has no I/O command in the device any more.
  void OnSqIdle(std::uint16_t sqid);
  void OnDoorbellError(arbiter::DoorbellError error, bool is_cq, std::uint16_t qid) {
    events_.OnDoorbellError(error, is_cq, qid);
  }

  void CompleteAdmin(std::uint16_t cid, nvme::Status status, std::uint32_t dw0) override;

  [[nodiscard]] const FeatureStore& features() const { return features_; }
  /// Nothing but Asynchronous Event Requests is left.
  [[nodiscard]] bool IsIdle() const { return state_ == State::kIdle && pending_.empty(); }

 private:
  enum class State : std::uint8_t {
    kIdle,
    kExecuting,   // the timer runs
    kWaitConfig,  // the front end works
    kWaitDrain    // Delete I/O SQ: commands are still in the device
  };

  void StartNext();
  void Execute(std::uint64_t epoch);
  void Finish(nvme::Status status, std::uint32_t dw0 = 0);
  void WaitForConfig() { state_ = State::kWaitConfig; }
  [[nodiscard]] nvme::Status Transfer(const nvme::Sqe& sqe, const void* data, std::size_t bytes);

  void CreateCq(const nvme::Sqe& sqe);
  void CreateSq(const nvme::Sqe& sqe);
  void DeleteSq(const nvme::Sqe& sqe);
  void DeleteCq(const nvme::Sqe& sqe);
  void Identify(const nvme::Sqe& sqe);
  void GetLogPage(const nvme::Sqe& sqe);
  void SetFeatures(const nvme::Sqe& sqe);
  void GetFeatures(const nvme::Sqe& sqe);
  void Abort(const nvme::Sqe& sqe);
  void AsyncEventRequest(const nvme::Sqe& sqe);

  void ConfigDoneCreateCq();
  void ConfigDoneDeleteSq();
  void FinishDeleteSq(std::uint16_t sqid);

  Parts parts_;
  FeatureStore features_;
  EventReporter events_;
  std::deque<nvme::Sqe> pending_;  // the front is executed unless kIdle
  std::unique_ptr<IdentifyPage> page_;
  std::vector<std::uint8_t> log_;
  std::uint32_t epoch_ = 0;
  State state_ = State::kIdle;
};

}  // namespace nvmearb::ssd

#endif  // NVMEARB_MODELS_SSD_ADMIN_H_
