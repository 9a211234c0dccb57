// SPDX-License-Identifier: Apache-2.0
//
// ClockPins: one rising edge of nvmearb_top's six clocks.
//
// A Verilated model sees an edge as a pin that is 1 and was 0 at the eval before, and looks for
// edges until none is left: with the fall's eval, half of the work of an edge. The build says
// through VerilatedRoot what it knows of its model. Where that is nothing, both evals are made.
// Where it knows the entry points of Verilator 5.006 (verilated_root.h.in), an edge is the two
// regions that matter: what depends on inputs is settled, then the blocks of the clocks that rise
// are run. No clock is generated inside the design, so no second round can follow. Both give the
// same result.
#ifndef NVMEARB_TB_HARNESS_CLOCK_PINS_H_
#define NVMEARB_TB_HARNESS_CLOCK_PINS_H_

namespace nvmearb::tb {

/// One bit for each block of nvmearb_top, in the order of awake_o.
inline constexpr unsigned kAllAwake = 63;

/// Specialized beside a model of Verilator 5.006: kKnown = true, and
///   Root: the struct with pins and state;
///   Numbers: how the model names the clocks;
///   static Numbers Learn(Root&);
///   static void Settle(Root&): the input region, for inputs that changed;
///   static void Edge(Root&, awake, numbers): the clocked region of one edge.
template <typename Model>
struct VerilatedRoot {
  static constexpr bool kKnown = false;
  struct Numbers {};
};

template <typename Model>
class ClockPins {
 public:
  /// Before the first edge: runs what is initial.
  void Start(Model& model) {
    Set(model, 0);
    model.eval();
    if constexpr (VerilatedRoot<Model>::kKnown) {
      numbers_ = VerilatedRoot<Model>::Learn(*model.rootp);
    }
  }

  /// Raises the clocks of the blocks in `awake`; they have fallen before. `inputs_moved`: an input
  /// may differ from what it was at the edge before.
  void Edge(Model& model, unsigned awake, bool inputs_moved = true) {
    if constexpr (VerilatedRoot<Model>::kKnown) {
      if (inputs_moved) VerilatedRoot<Model>::Settle(*model.rootp);
      VerilatedRoot<Model>::Edge(*model.rootp, awake, numbers_);
    } else {
      Set(model, 0);
      model.eval();
      Set(model, awake);
      model.eval();
    }
  }

 private:
  static void Set(Model& model, unsigned awake) {
    model.clk_regs_i = awake & 1;
    model.clk_ctrl_i = awake >> 1 & 1;
    model.clk_core_i = awake >> 2 & 1;
    model.clk_fetch_i = awake >> 3 & 1;
    model.clk_event_i = awake >> 4 & 1;
    model.clk_grant_i = awake >> 5 & 1;
  }

  typename VerilatedRoot<Model>::Numbers numbers_{};
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_CLOCK_PINS_H_
