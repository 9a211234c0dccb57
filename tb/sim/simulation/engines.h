// SPDX-License-Identifier: Apache-2.0
//
// Engines: the two front ends a machine may have.
#ifndef NVMEARB_TB_SIM_SIMULATION_ENGINES_H_
#define NVMEARB_TB_SIM_SIMULATION_ENGINES_H_

#include <memory>
#include <string>

#include "harness/rtl_front_end.h"
#include "ssd/front_end.h"
#include "ssd/kernel.h"

namespace nvmearb::sim {

enum class Engine { kRtl, kModel };

/// Of "rtl" or "model".
[[nodiscard]] inline Engine EngineOf(const std::string& name) {
  return name == "rtl" ? Engine::kRtl : Engine::kModel;
}

struct EngineInstance {
  std::unique_ptr<ssd::FrontEnd> front_end;
  tb::RtlFrontEnd* rtl = nullptr;  ///< the same, if it is the RTL
};

/// Makes a front end on a Kernel that was Reset(). `sq_count`: SQs wanted; the RTL has those it was
/// built with (see Limits()), the model as many as are asked for, at least as many as the RTL.
/// `trace`: waves, only of the RTL and where tb::RtlCanTrace().
[[nodiscard]] EngineInstance MakeEngine(Engine engine, ssd::Kernel* kernel, unsigned sq_count,
                                        bool clock_free_running,
                                        const tb::TraceRequest* trace = nullptr);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_SIMULATION_ENGINES_H_
