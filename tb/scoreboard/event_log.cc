// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/event_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>

#include "arbiter/ring.h"
#include "host_driver/base/user_error.h"
#include "scoreboard/event_names.h"

namespace nvmearb::tb {

using arbiter::Event;
using arbiter::EventKind;

namespace {

constexpr std::string_view kHeader =
    "cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit\n";
constexpr std::size_t kBufferBytes = 1u << 18;
constexpr std::size_t kLongestLineBytes = 160;

char* Put(char* out, std::uint64_t value) { return std::to_chars(out, out + 20, value).ptr; }
char* Put(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}
char* PutComma(char* out) {
  *out = ',';
  return out + 1;
}

/// Nanoseconds with as many decimals as the picoseconds need.
char* PutNs(char* out, std::uint64_t time_ps) {
  out = Put(out, time_ps / 1000);
  auto rest = static_cast<unsigned>(time_ps % 1000);
  if (rest == 0) return out;
  *out++ = '.';
  for (unsigned unit = 100; rest != 0; unit /= 10) {
    *out++ = static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return out;
}

/// One line of the file, taken apart from the left.
class LineReader {
 public:
  LineReader(std::string_view line, std::string where) : line_(line), where_(std::move(where)) {}

  std::string_view Field() {
    if (is_done_) Fail("too few fields", "11 are expected");
    const std::size_t comma = line_.find(',');
    const std::string_view field = line_.substr(0, comma);
    is_done_ = comma == std::string_view::npos;
    line_.remove_prefix(is_done_ ? line_.size() : comma + 1);
    return field;
  }
  std::uint64_t Number(std::uint64_t most) {
    const std::string_view field = Field();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value > most) {
      Fail(fmt::format("'{}'", field), fmt::format("a number 0..{} is expected", most));
    }
    return value;
  }
  std::uint64_t TimePs() {
    const std::string_view field = Field();
    std::uint64_t whole = 0;
    const char* const last = field.data() + field.size();
    auto [end, error] = std::from_chars(field.data(), last, whole);
    std::uint64_t rest = 0;
    bool is_good = error == std::errc();
    if (is_good && end != last) {
      is_good = *end++ == '.' && last - end <= 3 && end != last;
      for (std::uint64_t unit = 100; is_good && end != last; unit /= 10, ++end) {
        is_good = *end >= '0' && *end <= '9';
        rest += static_cast<std::uint64_t>(*end - '0') * unit;
      }
    }
    if (!is_good) Fail(fmt::format("time '{}'", field), "nanoseconds with up to three decimals");
    return whole * 1000 + rest;
  }
  template <typename Enum, std::size_t n>
  Enum Word(const std::array<std::string_view, n>& names, std::string_view field) {
    for (std::size_t i = 0; i < n; ++i) {
      if (names[i] == field) return static_cast<Enum>(i);
    }
    Fail(fmt::format("'{}'", field), fmt::format("one of {} is expected", fmt::join(names, ", ")));
  }
  void End() {
    if (!is_done_) Fail("too many fields", "11 are expected");
  }
  [[noreturn]] void Fail(const std::string& found, const std::string& allowed) {
    throw host::UserError(where_, found, allowed);
  }

 private:
  std::string_view line_;
  std::string where_;
  bool is_done_ = false;
};

Event ParseLine(std::string_view line, std::string where) {
  constexpr std::array<std::string_view, 2> kMechanismNames = {"rr", "wrr"};
  LineReader reader(line, std::move(where));
  Event event;
  event.cycle = reader.Number(~std::uint64_t{0});
  event.time_ps = reader.TimePs();
  event.kind = reader.Word<EventKind>(kEventNames, reader.Field());
  event.sqid = static_cast<std::uint16_t>(reader.Number(0xffff));
  const std::string_view word = reader.Field();
  if (event.kind == EventKind::kConfig) {
    event.mechanism = reader.Word<arbiter::Mechanism>(kMechanismNames, word);
  } else if (!word.empty()) {
    event.sq_class = reader.Word<arbiter::SqClass>(kClassNames, word);
  }
  event.head = static_cast<std::uint16_t>(reader.Number(0xffff));
  event.tail = static_cast<std::uint16_t>(reader.Number(0xffff));
  event.count = static_cast<std::uint32_t>(reader.Number(65536));
  for (std::uint16_t& credit : event.credit) {
    credit = static_cast<std::uint16_t>(reader.Number(256));
  }
  reader.End();
  return event;
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

/// What a line says beyond the event itself.
struct EventLog::Line {
  std::uint16_t sqid = 0;
  std::string_view word;  ///< class or mechanism
  std::uint16_t head = 0;
  std::uint16_t tail = 0;
  std::uint32_t count = 0;
};

EventLog::EventLog(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")), buffer_(new char[kBufferBytes]) {
  if (file_ == nullptr) {
    throw host::UserError(path, fmt::format("cannot be created ({})", std::strerror(errno)),
                          "give --events a path that can be written");
  }
  used_ = static_cast<std::size_t>(Put(buffer_.get(), kHeader) - buffer_.get());
}

EventLog::~EventLog() {
  if (file_ == nullptr) return;
  Flush();
  std::fclose(file_);
}

EventLog::Line EventLog::Complete(const Event& event) {
  Line line;
  switch (event.kind) {
    case EventKind::kReset:
      sqs_.clear();
      return line;
    case EventKind::kConfig:
      line.word = MechanismName(event.mechanism);
      line.count = event.count;
      return line;
    default:
      break;
  }
  if (event.sqid >= sqs_.size()) sqs_.resize(std::size_t{event.sqid} + 1);
  Sq& sq = sqs_[event.sqid];
  switch (event.kind) {
    case EventKind::kCreate:
      sq = {event.count, 0, 0, event.sq_class};
      line.count = event.count;
      break;
    case EventKind::kDoorbell:
      if (sq.size_count != 0) {
        line.count = arbiter::RingDistance(event.tail, sq.tail, sq.size_count);
      }
      sq.tail = event.tail;
      break;
    case EventKind::kFetch:
      sq.head = event.head;
      line.count = event.count;
      break;
    case EventKind::kGrant:
      line.count = event.count;
      break;
    case EventKind::kComplete:
      line.count = 1;
      break;
    default:
      break;
  }
  line.sqid = event.sqid;
  if (sq.size_count != 0) line.word = ClassName(sq.sq_class);
  line.head = event.kind == EventKind::kGrant ? event.head : sq.head;
  line.tail = event.kind == EventKind::kReject ? event.tail : sq.tail;
  if (event.kind == EventKind::kDelete) sq.size_count = 0;
  return line;
}

void EventLog::OnEvent(const Event& event) {
  if (event.is_cq || file_ == nullptr) return;
  if (used_ + kLongestLineBytes > kBufferBytes) Flush();
  const Line line = Complete(event);
  char* out = buffer_.get() + used_;
  out = PutComma(Put(out, event.cycle));
  out = PutComma(PutNs(out, event.time_ps));
  out = PutComma(Put(out, EventName(event.kind)));
  out = PutComma(Put(out, std::uint64_t{line.sqid}));
  out = PutComma(Put(out, line.word));
  out = PutComma(Put(out, std::uint64_t{line.head}));
  out = PutComma(Put(out, std::uint64_t{line.tail}));
  out = Put(out, std::uint64_t{line.count});
  for (const std::uint16_t credit : event.credit) {
    out = Put(PutComma(out), std::uint64_t{credit});
  }
  *out++ = '\n';
  used_ = static_cast<std::size_t>(out - buffer_.get());
}

void EventLog::Flush() {
  failed_ |= std::fwrite(buffer_.get(), 1, used_, file_) != used_;
  used_ = 0;
}

void EventLog::Close() {
  if (file_ == nullptr) return;
  Flush();
  failed_ |= std::fclose(file_) != 0;
  file_ = nullptr;
  if (failed_) {
    throw host::UserError(path_, "could not be written in full", "is the disk full?");
  }
}

std::vector<Event> ReadEventLog(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    throw host::UserError(path, fmt::format("cannot be read ({})", std::strerror(errno)), "");
  }
  std::string text;
  char chunk[65536];
  for (std::size_t bytes; (bytes = std::fread(chunk, 1, sizeof chunk, file.get())) > 0;) {
    text.append(chunk, bytes);
  }
  std::string_view rest = text;
  std::vector<Event> events;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t end = rest.find('\n');
    const std::string where = fmt::format("{}:{}", path, line_number);
    if (end == std::string_view::npos) throw host::UserError(where, "the line has no end", "");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line_number > 1) {
      events.push_back(ParseLine(line, where));
    } else if (line != kHeader.substr(0, kHeader.size() - 1)) {
      throw host::UserError(where, fmt::format("header '{}'", line),
                            fmt::format("'{}' is expected", kHeader.substr(0, kHeader.size() - 1)));
    }
  }
  return events;
}

}  // namespace nvmearb::tb
