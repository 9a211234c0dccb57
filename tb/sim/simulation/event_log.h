// SPDX-License-Identifier: Apache-2.0
//
// Readers of the observation port beside the judge: the --events file and the grants of the first
// milliseconds for the page.
#ifndef NVMEARB_TB_SIM_SIMULATION_EVENT_LOG_H_
#define NVMEARB_TB_SIM_SIMULATION_EVENT_LOG_H_

#include <cstdio>
#include <string>
#include <vector>

#include "arbiter/types.h"
#include "sim/report/result.h"

namespace nvmearb::sim {

/// Writes every event as a line of
///   cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit
/// Credits are those after the event. On create `count` is the queue's size; on config `class` is
/// rr or wrr, `count` the burst limit (0 = none) and the credits the effective weights; on doorbell
/// and reject `tail` is the value written. A CQ's events have its id with a "cq" in front.
class EventFile : public arbiter::EventSink {
 public:
  /// Throws host::UserError when the file cannot be made.
  explicit EventFile(const std::string& path);
  ~EventFile() override;
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  void OnEvent(const arbiter::Event& event) override;
  /// Writes what is buffered. Throws host::UserError when that fails (disk full).
  void Close();

 private:
  void Flush();

  std::string path_;
  std::FILE* file_;
  std::string buffer_;
  bool failed_ = false;
};

/// Keeps the grants of I/O queues from the first one on, for `span_ps`, at most `limit`.
class GrantRecorder : public arbiter::EventSink {
 public:
  GrantRecorder(std::uint64_t span_ps, std::size_t limit) : span_ps_(span_ps), limit_(limit) {}
  void OnEvent(const arbiter::Event& event) override;
  [[nodiscard]] std::vector<GrantPoint> Take() { return std::move(grants_); }

 private:
  std::uint64_t span_ps_;
  std::size_t limit_;
  std::uint64_t first_ps_ = 0;
  std::vector<GrantPoint> grants_;
};

/// Passes events on to several sinks in the order in which they were added. Not owned.
class EventFan : public arbiter::EventSink {
 public:
  void Add(arbiter::EventSink* sink) { sinks_.push_back(sink); }
  [[nodiscard]] bool empty() const { return sinks_.empty(); }
  void OnEvent(const arbiter::Event& event) override {
    for (arbiter::EventSink* sink : sinks_) sink->OnEvent(event);
  }

 private:
  std::vector<arbiter::EventSink*> sinks_;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_EVENT_LOG_H_
