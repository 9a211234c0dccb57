// SPDX-License-Identifier: Apache-2.0
//
// FstFile: reads waves back, with the reader that Verilator carries beside its writer.
#ifndef NVMEARB_TB_SYSTEM_FST_FILE_H_
#define NVMEARB_TB_SYSTEM_FST_FILE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nvmearb::system {

class FstFile {
 public:
  /// Fails the test when there is no such file.
  explicit FstFile(const std::string& path);
  ~FstFile();
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;

  [[nodiscard]] std::uint64_t begin() const;
  [[nodiscard]] std::uint64_t end() const;
  /// Full paths with ranges: "TOP.nvmearb_top.awake_o[3:0]".
  [[nodiscard]] bool Has(const std::string& signal) const { return handles_.count(signal) != 0; }
  /// Names of the values of all enumerations.
  [[nodiscard]] const std::set<std::string>& enum_names() const { return enum_names_; }
  /// Each change of the signals in order of time: (time, index in `signals`, value).
  void Changes(const std::vector<std::string>& signals,
               const std::function<void(std::uint64_t, std::size_t, std::uint64_t)>& on_change);

 private:
  void ReadHierarchy();

  void* reader_ = nullptr;
  std::map<std::string, std::uint32_t> handles_;
  std::set<std::string> enum_names_;
};

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_FST_FILE_H_
