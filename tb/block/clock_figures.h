// SPDX-License-Identifier: Apache-2.0
//
// Figures of the RTL in clocks, exact: what `make bench` reports under "clocks" and
// clock_figures_test pins.
#ifndef NVMEARB_TB_BLOCK_CLOCK_FIGURES_H_
#define NVMEARB_TB_BLOCK_CLOCK_FIGURES_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace nvmearb::tb {

/// One command through nvmearb_top while nothing else moves, 512-bit data, without FetchAddrReg, a
/// memory that answers in the clock behind AR. Clocks from the edge at which AW and W are taken to
/// that at which each of the others is seen.
struct IdlePath {
  unsigned doorbell = 0;  ///< the doorbell took effect (obs_o.db_valid)
  unsigned grant = 0;     ///< the core's grant was taken (obs_o.grant_valid)
  unsigned ar = 0;        ///< m_axi_arvalid_o
  unsigned data = 0;      ///< last beat of R
  unsigned sqe = 0;       ///< m_axis_sqe_tvalid_o
};
IdlePath MeasureIdlePath();

/// SQEs in `clocks` clocks from nvmearb_axi_fetch alone, grants of one command on 16 SQs.
struct FetchRate {
  unsigned data_w;
  std::uint64_t sqe_count;
  std::uint64_t clock_count;
  [[nodiscard]] double PerClock() const {
    return static_cast<double>(sqe_count) / static_cast<double>(clock_count);
  }
};
std::array<FetchRate, 4> MeasureFetchRates();

/// Commands per clock through nvmearb_top, grants of one command, AB = 0.
struct TopRate {
  std::string mix;
  double commands_per_clock;
};
std::vector<TopRate> MeasureTopRates();

/// Doorbell writes, and completions, that nvmearb_top takes per clock when shown back to back.
double MeasureDoorbellsPerClock();
double MeasureCompletionsPerClock();

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_BLOCK_CLOCK_FIGURES_H_
