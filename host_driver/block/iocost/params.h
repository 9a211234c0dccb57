// SPDX-License-Identifier: Apache-2.0
//
// IocostParams: what the root cgroup's io.cost.qos and io.cost.model say of one disk.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_IOCOST_PARAMS_H_
#define NVMEARB_HOST_DRIVER_BLOCK_IOCOST_PARAMS_H_

#include <string>
#include <string_view>

namespace nvmearb::host {

struct IocostParams {
  bool enable = false;
  // io.cost.qos. Without user_qos the kernel's built-in sets for SSDs are in force, as it steps
  // between them.
  bool user_qos = false;
  double read_pct = 0;  ///< percentile that has to meet the latency; 0 = latency does not count
  double read_lat_us = 25'000;
  double write_pct = 0;
  double write_lat_us = 25'000;
  double min_pct = 1;  ///< limits of the device's virtual rate
  double max_pct = 10'000;
  // io.cost.model, linear.
  bool user_model = false;
  double read_bps = 488'636'629;
  double read_seq_iops = 8'932;
  double read_rand_iops = 8'518;
  double write_bps = 427'891'549;
  double write_seq_iops = 28'755;
  double write_rand_iops = 21'940;

  /// The kernel's sets SSD_DFL (above) and SSD_FAST for what the user did not set.
  void UseDefaults(bool fast);

  /// As a write of "key=value ..." without MAJ:MIN. Keys of io.cost.qos: enable (0, 1), ctrl (auto,
  /// user), rpct, wpct (0..100), rlat, wlat (us), min, max (1..10000 percent); of io.cost.model:
  /// ctrl, model (linear), rbps rseqiops rrandiops wbps wseqiops wrandiops (1..1e12). Any value but
  /// enable and ctrl selects ctrl=user. Throws UserError that begins with `where`.
  void SetQos(std::string_view text, const std::string& where);
  void SetModel(std::string_view text, const std::string& where);
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_IOCOST_PARAMS_H_
