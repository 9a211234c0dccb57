// SPDX-License-Identifier: Apache-2.0
//
// CpuTopology: the host's CPUs as sockets, cores and SMT threads, numbered as Linux numbers them.
#ifndef NVMEARB_HOST_DRIVER_BASE_CPU_TOPOLOGY_H_
#define NVMEARB_HOST_DRIVER_BASE_CPU_TOPOLOGY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nvmearb::host {

/// Immutable after construction. One NUMA node and one last-level cache per socket; all CPUs
/// present.
///
/// Numbering (what ACPI tables of two-socket Xeon Scalable machines give): first the first thread
/// of every core, socket by socket, then the second threads in the same order. On 2x24x2, CPUs 0-23
/// and 48-71 are node 0, 24-47 and 72-95 node 1; CPU 48 is the SMT sibling of CPU 0.
class CpuTopology {
 public:
  /// `sockets` 1..16, `cores` per socket 1..256, `threads` per core 1..8; at most 1024 CPUs in all.
  /// Throws UserError otherwise.
  CpuTopology(unsigned sockets, unsigned cores, unsigned threads);

  /// Two Xeon Platinum 8160: 96 CPUs, the machine of the published WRR experiment.
  static CpuTopology Xeon8160x2() { return {2, 24, 2}; }

  /// Parses "SxCxT", such as "2x24x2". `where` names the place in an error message. Throws
  /// UserError.
  static CpuTopology Parse(std::string_view text, const std::string& where = "cpus");

  [[nodiscard]] unsigned cpu_count() const { return sockets_ * cores_ * threads_; }
  [[nodiscard]] unsigned node_count() const { return sockets_; }
  [[nodiscard]] unsigned sockets() const { return sockets_; }
  [[nodiscard]] unsigned cores_per_socket() const { return cores_; }
  [[nodiscard]] unsigned threads_per_core() const { return threads_; }

  /// NUMA node (= socket, = shared last-level cache) of `cpu`, cpu < cpu_count().
  [[nodiscard]] unsigned NodeOf(unsigned cpu) const { return cpu / cores_ % sockets_; }

  /// CPU that is the first SMT thread of the core of `cpu`.
  [[nodiscard]] unsigned FirstSibling(unsigned cpu) const { return cpu % (sockets_ * cores_); }

  /// Thread number of `cpu` within its core, 0..threads_per_core()-1.
  [[nodiscard]] unsigned ThreadOf(unsigned cpu) const { return cpu / (sockets_ * cores_); }

  /// CPUs of a node, ascending.
  [[nodiscard]] std::vector<std::uint16_t> CpusOfNode(unsigned node) const;

  /// SMT siblings of `cpu`, itself included, ascending.
  [[nodiscard]] std::vector<std::uint16_t> Siblings(unsigned cpu) const;

  /// "2x24x2".
  [[nodiscard]] std::string ToString() const;

 private:
  unsigned sockets_;
  unsigned cores_;
  unsigned threads_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BASE_CPU_TOPOLOGY_H_
