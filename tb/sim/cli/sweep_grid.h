// SPDX-License-Identifier: Apache-2.0
//
// SweepGrid: the points of a sweep: every combination of the values that --set gives its keys.
#ifndef NVMEARB_TB_SIM_CLI_SWEEP_GRID_H_
#define NVMEARB_TB_SIM_CLI_SWEEP_GRID_H_

#include <string>
#include <vector>

namespace nvmearb::sim {

struct SweepAxis {
  std::string key;
  std::vector<std::string> values;  ///< as --set takes one
};

class SweepGrid {
 public:
  static constexpr std::size_t kMostPoints = 10000;

  /// `settings`: KEY=VALUE,VALUE,... A key that takes an array has its alternatives between
  /// slashes: variant.wrr.weights=6,3,1/65,33,9. A key with one value is set and is no axis. Throws
  /// host::UserError for a key twice, an empty value, nothing to vary, too many points.
  explicit SweepGrid(const std::vector<std::string>& settings);

  [[nodiscard]] const std::vector<SweepAxis>& axes() const { return axes_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Values of the axes at point `index` < size(); the last axis changes fastest.
  [[nodiscard]] std::vector<std::string> ValuesAt(std::size_t index) const;
  /// All settings of that point, those without alternatives first.
  [[nodiscard]] std::vector<std::string> SettingsAt(std::size_t index) const;

 private:
  std::vector<std::string> fixed_;
  std::vector<SweepAxis> axes_;
  std::size_t size_ = 1;
};

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_CLI_SWEEP_GRID_H_
