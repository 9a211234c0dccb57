// SPDX-License-Identifier: Apache-2.0
//
// EventLog: writes the observation port as the CSV file of `--events` (RFC 4180, LF or CRLF free of
// quotes since no field needs them), one line per event:
//
//   cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit
//
// A field that an event has no value for is empty. Values that are not obvious:
//   create    count = size of the queue in entries
//   config    sqid empty; class = rr or wrr; count = burst limit, 0 = none; credits = effective weights
//   doorbell  tail = value written;  reject  tail = value written
//   grant     head = first slot, count = commands;  fetch  head = fetched head after it
// Credits are those after the event. time_ns has up to three decimals, exact to the picosecond.
// Doorbells of completion queues are not events of an SQ and are left out.
#ifndef NVMEARB_TB_SCOREBOARD_EVENT_LOG_H_
#define NVMEARB_TB_SCOREBOARD_EVENT_LOG_H_

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "arbiter/types.h"

namespace nvmearb::tb {

class EventLog : public arbiter::EventSink {
 public:
  /// Creates the file and writes the header. Throws host::UserError when that fails.
  explicit EventLog(const std::string& path);
  ~EventLog() override;
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// Formats into a buffer of fixed size; no allocation.
  void OnEvent(const arbiter::Event& event) override;

  /// Writes what is buffered and closes. Throws host::UserError when the file could not be
  /// written in full. Called by the destructor too, without the exception.
  void Close();

 private:
  void Flush();

  std::string path_;
  std::FILE* file_ = nullptr;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  bool failed_ = false;
};

/// Reads such a file back (for tests and tools). Fields that are empty keep their defaults; a CQ's
/// events, `first`, `cqid` and error codes are not in the file. Throws host::UserError with file and
/// line where it does not follow the format.
[[nodiscard]] std::vector<arbiter::Event> ReadEventLog(const std::string& path);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_EVENT_LOG_H_
