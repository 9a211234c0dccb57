// SPDX-License-Identifier: Apache-2.0
//
// Text of blkparse in its default format, one event a line:
//     8,0    3        1     0.000000000   697  Q   R 223490 + 8 [kjournald]
// Replayed are the events of one action: Q (what was submitted to the block layer); where the first
// lines have none, D (what went to the driver), and C of a trace of completions only. The summary
// at the end is no event.
#include <fmt/format.h>

#include <algorithm>

#include "trace/fields.h"
#include "trace/formats.h"

namespace nvmearb::trace {

const char kBlkparseLayout[] =
    "major,minor cpu sequence seconds pid action rwbs sector + sectors "
    "[process]";

namespace {

constexpr std::size_t kActionField = 5;

/// Actions of blkparse(1).
constexpr std::string_view kActions[] = {"A", "B", "C", "D", "F", "G", "I",  "M", "m",
                                         "P", "Q", "R", "S", "T", "U", "UT", "X"};

bool IsDevice(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == ','; });
}

class BlkparseParser : public LineParser {
 public:
  void Prepare(const std::vector<std::string>& first_lines) override {
    bool has_q = false;
    bool has_d = false;
    bool has_c = false;
    for (const std::string& line : first_lines) {
      const Fields fields(line, ' ');
      if (fields.size() <= kActionField) continue;
      has_q = has_q || fields[kActionField] == "Q";
      has_d = has_d || fields[kActionField] == "D";
      has_c = has_c || fields[kActionField] == "C";
    }
    if (!has_q && has_d) action_ = "D";
    if (!has_q && !has_d && has_c) action_ = "C";
  }

  bool Parse(std::string_view line, TraceRecord* record) override {
    if (in_summary_ || IsSummary(line)) return false;
    const Fields fields(line, ' ');
    fields.Expect(kActionField + 1, ~std::size_t{0}, kBlkparseLayout);
    if (!IsDevice(fields[0])) {
      throw BadLine(fmt::format("device \"{}\"", fields[0].substr(0, 40)), kBlkparseLayout);
    }
    record->device = fields[0];
    record->cpu = static_cast<int>(ParseWhole(fields[1], "cpu", 1u << 16));
    (void)ParseWhole(fields[2], "sequence", ~std::uint64_t{0});
    record->time_ns = ParseSeconds(fields[3], "time");
    (void)ParseWhole(fields[4], "pid", ~std::uint32_t{0});
    const std::string_view action = fields[kActionField];
    if (std::find(std::begin(kActions), std::end(kActions), action) == std::end(kActions)) {
      throw BadLine(fmt::format("action \"{}\"", action.substr(0, 40)),
                    "an action such as Q, D or C");
    }
    if (action != action_) return false;
    fields.Expect(kActionField + 2, ~std::size_t{0}, kBlkparseLayout);
    if (!TakeFlags(fields[kActionField + 1], record)) return false;
    if (action_ != "C") TakeProcess(line, record);
    // A flush may carry no data, whatever other letters it has.
    const bool has_data = fields.size() > kActionField + 2 && fields[kActionField + 2][0] != '[';
    const bool is_flush = fields[kActionField + 1].find('F') != std::string_view::npos;
    if (!has_data && is_flush) {
      record->op = host::BioOp::kFlush;
      return true;
    }
    fields.Expect(kActionField + 5, ~std::size_t{0}, kBlkparseLayout);
    if (fields[kActionField + 3] != "+") {
      throw BadLine(fmt::format("\"{}\" behind the sector", fields[kActionField + 3].substr(0, 40)),
                    kBlkparseLayout);
    }
    record->offset = ParseOffset(fields[kActionField + 2], "sector", kSectorBytes);
    record->bytes = ParseLength(fields[kActionField + 4], "sectors", kSectorBytes);
    return true;
  }

 private:
  /// The lines that blkparse prints behind the events.
  bool IsSummary(std::string_view line) {
    in_summary_ = line.compare(0, 3, "CPU") == 0 || line.compare(0, 5, "Total") == 0;
    return in_summary_;
  }

  /// R read, W write, D discard; F without any of these a flush; N no data. S sync.
  static bool TakeFlags(std::string_view rwbs, TraceRecord* record) {
    constexpr std::string_view kKnown = "RWDFNSMABE";
    if (rwbs.empty() || rwbs.find_first_not_of(kKnown) != std::string_view::npos) {
      throw BadLine(fmt::format("flags \"{}\"", rwbs.substr(0, 40)),
                    "letters such as R, W, WS, FWS, D");
    }
    const auto has = [rwbs](char c) { return rwbs.find(c) != std::string_view::npos; };
    record->sync = has('S');
    if (has('D')) {
      record->op = host::BioOp::kDiscard;
    } else if (has('W')) {
      record->op = host::BioOp::kWrite;
    } else if (has('R')) {
      record->op = host::BioOp::kRead;
    } else if (has('F')) {
      record->op = host::BioOp::kFlush;
    } else {
      return false;
    }
    return true;
  }

  /// The name may hold blanks.
  static void TakeProcess(std::string_view line, TraceRecord* record) {
    const std::size_t open = line.find('[');
    const std::size_t close = line.rfind(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return;
    record->process = line.substr(open + 1, close - open - 1);
  }

  std::string_view action_ = "Q";
  bool in_summary_ = false;
};

}  // namespace

std::unique_ptr<LineParser> MakeBlkparseParser() { return std::make_unique<BlkparseParser>(); }

}  // namespace nvmearb::trace
