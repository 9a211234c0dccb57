// SPDX-License-Identifier: Apache-2.0
//
// What the page shows of a variant, as members of its object in the JSON file. All lengths are
// bounded, whatever the length of the run.
#ifndef NVMEARB_TB_SIM_REPORT_MEASURED_JSON_H_
#define NVMEARB_TB_SIM_REPORT_MEASURED_JSON_H_

#include <nlohmann/json.hpp>

#include "sim/report/result.h"

namespace nvmearb::sim {

/// Adds to `out`:
///   "jobs": [{"name", "queue_class", "share_pct", "iops", "mib_per_s", "lat_mean_us", ...}]
///   "series": {"bucket_s", "jobs": [{"name", "ios", "mib", "latency_us"}]}: per bucket
///   "latency_cdf": [{"name", "us": [], "pct": []}]: pct % of the I/Os completed within us
///   "depths": {"begin_s", "bucket_s", "in_drive": [], "waiting": {"high": [], ...}}: mean commands
///   "grants": {"time_us": [], "sqid": [], "class": [], "count": []}: the first ones of I/O
///   "weights": [high, medium, low], effective; only with weighted round robin
void AddMeasured(const VariantResult& variant, nlohmann::ordered_json* out);

/// `value` to `digits` decimals, so that the file shows what was measured and not its last bits.
[[nodiscard]] double Rounded(double value, int digits);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_MEASURED_JSON_H_
