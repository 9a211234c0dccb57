// SPDX-License-Identifier: Apache-2.0
//
// Trace: waves of a run as FST, written by a build of its own (TracedModel). The other builds know
// nothing of it: their BeginTrace() refuses, their TellEdge() is empty, and the model they clock is
// Verilator's class itself.
#ifndef NVMEARB_TB_HARNESS_TRACE_H_
#define NVMEARB_TB_HARNESS_TRACE_H_

#include <verilated.h>

#include <memory>
#include <utility>

#include "harness/trace_request.h"
#include "nvme/base/check.h"
#include "ssd/kernel.h"

class VerilatedFstC;

namespace nvmearb::tb {

template <typename Model>
void BeginTrace(Model& model, const TraceRequest* request) {
  static_cast<void>(model);
  NVMEARB_CHECK(request == nullptr, "this build of the RTL writes no waves");
}

/// Before the two evals of a clock edge (ClockPins).
template <typename Model>
void TellEdge(Model& model, ssd::TimePs rise, ssd::TimePs period) {
  static_cast<void>(model);
  static_cast<void>(rise);
  static_cast<void>(period);
}

/// `Base`: a class of Verilator's --trace-fst. Its public eval() is all that is used: the inputs
/// change half a period before the edge, the outputs with it. A clock that stands still while the
/// design is quiescent stays high.
template <typename Base, typename Fst = VerilatedFstC>
class TracedModel : public Base {
 public:
  explicit TracedModel(VerilatedContext* context) : Base(Prepared(context)) {}
  ~TracedModel() { Close(); }

  void Begin(const TraceRequest& request) {
    request_ = request;
    fst_ = std::make_unique<Fst>();
    Base::trace(fst_.get(), kAllLevels);
    fst_->open(request_.path.c_str());
    NVMEARB_CHECK(fst_->isOpen(), "the file of the waves cannot be written");
  }
  void Tell(ssd::TimePs rise, ssd::TimePs period) {
    next_ = period < 2 ? rise : rise - period / 2;
    then_ = rise;
  }
  void eval() {
    Base::eval();
    if (fst_ == nullptr || next_ == kNever) return;
    if (next_ > request_.end_ps) return Close();
    if (next_ >= request_.begin_ps && next_ > last_) {
      fst_->dump(next_);
      last_ = next_;
    }
    next_ = std::exchange(then_, kNever);
  }

 private:
  static constexpr int kAllLevels = 99;
  static constexpr ssd::TimePs kNever = ~ssd::TimePs{0};

  static VerilatedContext* Prepared(VerilatedContext* context) {
    context->traceEverOn(true);
    return context;
  }
  void Close() {
    if (fst_ != nullptr) fst_->close();
    fst_.reset();
  }

  TraceRequest request_;
  std::unique_ptr<Fst> fst_;
  ssd::TimePs next_ = kNever;  // time of the eval that comes
  ssd::TimePs then_ = kNever;  // and of the one after it
  ssd::TimePs last_ = 0;
};

template <typename Base, typename Fst>
void BeginTrace(TracedModel<Base, Fst>& model, const TraceRequest* request) {
  if (request != nullptr) model.Begin(*request);
}

template <typename Base, typename Fst>
void TellEdge(TracedModel<Base, Fst>& model, ssd::TimePs rise, ssd::TimePs period) {
  model.Tell(rise, period);
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_TRACE_H_
