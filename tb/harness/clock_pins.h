// SPDX-License-Identifier: Apache-2.0
//
// ClockPins: one rising edge of nvmearb_top's four clocks.
//
// A Verilated model sees an edge as a pin that is 1 and was 0 at the eval before. The fall costs an
// eval that changes nothing in this design, a third of an edge's work. Where the model keeps the
// pins' former values under the names of Verilator 5.006 they are set to 0 instead; with any other
// version the fall is evaluated. Both give the same result.
#ifndef NVMEARB_TB_HARNESS_CLOCK_PINS_H_
#define NVMEARB_TB_HARNESS_CLOCK_PINS_H_

#include <type_traits>

namespace nvmearb::tb {

/// One bit for each block of nvmearb_top, in the order of awake_o.
inline constexpr unsigned kAllAwake = 15;

template <typename Model, typename = void>
class ClockPins {
 public:
  /// Raises the clocks of the blocks in `awake`; they have fallen before.
  void Edge(Model& model, unsigned awake) {
    Set(model, 0);
    model.eval();
    Set(model, awake);
    model.eval();
  }

 private:
  static void Set(Model& model, unsigned awake) {
    model.clk_regs_i = awake & 1;
    model.clk_ctrl_i = awake >> 1 & 1;
    model.clk_core_i = awake >> 2 & 1;
    model.clk_fetch_i = awake >> 3 & 1;
  }
};

template <typename Model>
class ClockPins<Model,
                std::void_t<decltype(std::declval<Model>().rootp->__Vtrigrprev__TOP__clk_core_i)>> {
 public:
  void Edge(Model& model, unsigned awake) {
    auto& root = *model.rootp;
    root.__Vtrigrprev__TOP__clk_regs_i = 0;
    root.__Vtrigrprev__TOP__clk_ctrl_i = 0;
    root.__Vtrigrprev__TOP__clk_core_i = 0;
    root.__Vtrigrprev__TOP__clk_fetch_i = 0;
    model.clk_regs_i = awake & 1;
    model.clk_ctrl_i = awake >> 1 & 1;
    model.clk_core_i = awake >> 2 & 1;
    model.clk_fetch_i = awake >> 3 & 1;
    model.eval();
  }
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_CLOCK_PINS_H_
