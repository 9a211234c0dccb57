// SPDX-License-Identifier: Apache-2.0
//
// TeeSink: hands every event to several sinks, in the order in which they were added.
#ifndef NVMEARB_TB_SCOREBOARD_TEE_SINK_H_
#define NVMEARB_TB_SCOREBOARD_TEE_SINK_H_

#include <vector>

#include "arbiter/types.h"

namespace nvmearb::tb {

/// Owns nothing. Not thread safe. Add() allocates, OnEvent() does not.
class TeeSink : public arbiter::EventSink {
 public:
  /// Null is ignored.
  void Add(arbiter::EventSink* sink) {
    if (sink != nullptr) sinks_.push_back(sink);
  }
  void OnEvent(const arbiter::Event& event) override {
    for (arbiter::EventSink* sink : sinks_) sink->OnEvent(event);
  }

 private:
  std::vector<arbiter::EventSink*> sinks_;
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_TEE_SINK_H_
