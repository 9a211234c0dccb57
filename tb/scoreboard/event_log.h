// SPDX-License-Identifier: Apache-2.0
//
// EventLog: writes the observation port as the CSV file of `--events` (RFC 4180, LF or CRLF free of
// quotes since no field needs them), one line per event:
//
//   cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit
//
// Every field but `class` is a number in every line. What they say:
//   sqid      the SQ; 0 on config and reset
//   class     of the SQ; on config the mechanism, rr or wrr; empty on reset, and on the reject of
//   an absent SQ head      grant: first slot granted. Else the fetched head (what SQHD says) after
//   the event tail      doorbell, reject: the value written. Else the SQ tail count     create:
//   size in entries. config: burst limit, 0 = none. grant, fetch: commands.
//             doorbell: commands added. complete: 1. Else 0
//   *_credit  after the event; on config the effective weights
// time_ns has up to three decimals, exact to the picosecond. Doorbells of completion queues are no
// events of an SQ and are left out.
#ifndef NVMEARB_TB_SCOREBOARD_EVENT_LOG_H_
#define NVMEARB_TB_SCOREBOARD_EVENT_LOG_H_

#include <cstdint>
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

  /// Formats into a buffer of fixed size; allocates only for a queue id higher than any before.
  void OnEvent(const arbiter::Event& event) override;

  /// Writes what is buffered and closes. Throws host::UserError when the file could not be
  /// written in full. Called by the destructor too, without the exception.
  void Close();

 private:
  /// Pointers of an SQ, as far as the events tell.
  struct Sq {
    std::uint32_t size_count = 0;  ///< 0: does not exist
    std::uint16_t head = 0;
    std::uint16_t tail = 0;
    arbiter::SqClass sq_class = arbiter::SqClass::kUrgent;
  };
  struct Line;

  Line Complete(const arbiter::Event& event);
  void Flush();

  std::vector<Sq> sqs_;
  std::string path_;
  std::FILE* file_ = nullptr;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  bool failed_ = false;
};

/// Reads such a file back (for tests and tools). What is not in the file (CQ ids and doorbells,
/// `first`, `posted`, error codes) keeps its default. Throws host::UserError with file and line
/// where it does not follow the format.
[[nodiscard]] std::vector<arbiter::Event> ReadEventLog(const std::string& path);

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_EVENT_LOG_H_
