// SPDX-License-Identifier: Apache-2.0
//
// clock_figures: prints the figures of clock_figures.h as JSON, for tools/bench.py.
#include <fmt/format.h>

#include "block/clock_figures.h"

int main() {
  using namespace nvmearb::tb;
  const IdlePath path = MeasureIdlePath();
  fmt::print(
      "{{\"idle_doorbell_to\": {{\"core\": {}, \"grant\": {}, \"ar\": {}, \"data\": {}, "
      "\"sqe\": {}}},\n",
      path.doorbell, path.grant, path.ar, path.data, path.sqe);
  fmt::print(" \"fetch_sqes_per_clock\": {{");
  const char* separator = "";
  for (const FetchRate& rate : MeasureFetchRates()) {
    fmt::print("{}\"{}\": {}", separator, rate.data_w, rate.PerClock());
    separator = ", ";
  }
  fmt::print("}},\n \"top_commands_per_clock\": {{");
  separator = "";
  for (const TopRate& rate : MeasureTopRates()) {
    fmt::print("{}\"{}\": {:.4f}", separator, rate.mix, rate.commands_per_clock);
    separator = ", ";
  }
  fmt::print("}},\n \"doorbells_per_clock\": {:.4f}, \"completions_per_clock\": {:.4f}}}\n",
             MeasureDoorbellsPerClock(), MeasureCompletionsPerClock());
  return 0;
}
