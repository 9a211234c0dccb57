// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/engines.h"

#include <algorithm>
#include <utility>

#include "ssd/model_front_end.h"

namespace nvmearb::sim {
namespace {

/// Commands of one grant: the published drive decides command by command.
constexpr unsigned kGrantLimit = 1;

}  // namespace

EngineInstance MakeEngine(Engine engine, ssd::Kernel* kernel, unsigned sq_count,
                          bool clock_free_running, const tb::TraceRequest* trace) {
  EngineInstance instance;
  if (engine == Engine::kRtl) {
    tb::RtlOptions options;
    options.free_running = clock_free_running;
    options.max_count = kGrantLimit;
    options.trace = trace;
    auto rtl = tb::MakeRtlFrontEnd(kernel, options);
    instance.rtl = rtl.get();
    instance.front_end = std::move(rtl);
  } else {
    ssd::ModelFrontEndParams params;
    params.limits.sq_count = std::max<unsigned>(sq_count, NVMEARB_SIM_SQS);
    params.max_grant_count = kGrantLimit;
    instance.front_end = std::make_unique<ssd::ModelFrontEnd>(kernel, params);
  }
  return instance;
}

}  // namespace nvmearb::sim
