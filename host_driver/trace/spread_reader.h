// SPDX-License-Identifier: Apache-2.0
//
// SpreadReader: for traces whose times are rounded to a coarse tick (Tencent: a second): spreads
// the I/Os of one tick evenly over it, in their order. All of them at its start would be a burst
// that never was.
#ifndef NVMEARB_TRACE_SPREAD_READER_H_
#define NVMEARB_TRACE_SPREAD_READER_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "trace/trace_reader.h"

namespace nvmearb::trace {

/// Reads ahead to the end of a tick, at most `kMostAhead` I/Os; what a tick has beyond that follows
/// in the same way, behind them within what is left of it.
class SpreadReader : public TraceReader {
 public:
  static constexpr std::size_t kMostAhead = 65536;

  SpreadReader(std::unique_ptr<TraceReader> inner, std::uint64_t tick_ns)
      : inner_(std::move(inner)), tick_ns_(tick_ns) {}

  bool Next(TraceRecord* record) override;
  [[nodiscard]] const char* format() const override { return inner_->format(); }
  [[nodiscard]] double Fraction() const override { return inner_->Fraction(); }
  [[nodiscard]] std::uint64_t skipped_lines() const override { return inner_->skipped_lines(); }

 private:
  struct Kept {
    TraceRecord record;
    std::string device;
    std::string process;
    void Keep(const TraceRecord& from);
  };
  void Fill();

  std::unique_ptr<TraceReader> inner_;
  std::uint64_t tick_ns_;
  std::deque<Kept> kept_;  // of one tick; the objects are used again and stay where they are
  std::size_t kept_count_ = 0;
  std::size_t given_ = 0;
  Kept ahead_;  // the first of the next tick
  bool has_ahead_ = false;
  bool at_end_ = false;
  std::uint64_t from_ns_ = 0;  // of the tick's part that these are spread over
  std::uint64_t until_ns_ = 0;
};

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_SPREAD_READER_H_
