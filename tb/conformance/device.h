// SPDX-License-Identifier: Apache-2.0
//
// The device under test: the RTL front end behind the judge, the project's firmware and media, and
// the builds (numbers of queues, doorbell strides) that the checks run on.
//
//   Host <-> FaultyPort <-> SsdDevice: Firmware <-> FaultyFrontEnd <-> CheckedFrontEnd <-> RTL
//
// The drive is made for checks: what it does not have to take time for takes next to none; a Flush
// takes long, so that a host decides with it how long a command stays in the device.
#ifndef NVMEARB_TB_CONFORMANCE_DEVICE_H_
#define NVMEARB_TB_CONFORMANCE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/faulty_front_end.h"
#include "conformance/faulty_port.h"
#include "harness/rtl_front_end.h"
#include "scoreboard/checked_front_end.h"
#include "ssd/ssd_device.h"

namespace nvmearb::conformance {

/// One elaboration of nvmearb_top.
struct Build {
  const char* name;
  unsigned sq_count;
  unsigned dstrd;
  std::unique_ptr<tb::RtlFrontEnd> (*make)(ssd::Kernel*, const tb::RtlOptions&);
};

/// Builds linked into this program, by number of queues.
[[nodiscard]] const std::vector<Build>& Builds();
/// The first build with `sq_count` queues.
[[nodiscard]] const Build& BuildOf(unsigned sq_count);
/// Builds with at least and at most so many queues; only the first of them while a fault is in
/// force.
[[nodiscard]] std::vector<Build> BuildsBetween(unsigned least, unsigned most);

/// Long runs are wanted (make conformance): environment NVMEARB_CONFORMANCE=full.
[[nodiscard]] bool IsFullRun();

struct DeviceOptions {
  unsigned window = 1;  ///< I/O commands in the device; 1: one fetch after the other
  ssd::TimePs flush_ps = 20'000'000;
  ssd::TimePs admin_ps = 200'000;
  unsigned read_latency_clocks = 2;
  unsigned stall_percent = 0;
  bool offers_wrr = true;  ///< CAP.AMS[0]
  std::uint16_t mqes_zb = 4095;
  std::uint8_t default_ab = 0;  ///< power-on value of feature 01h, weights 1:1:1
};

inline constexpr ssd::TimePs kClockPs = 4000;

class Device {
 public:
  Device(const Build& build, const DeviceOptions& options);

  [[nodiscard]] nvme::DevicePort& port() { return *port_; }
  [[nodiscard]] const Build& build() const { return build_; }
  [[nodiscard]] tb::CheckedFrontEnd& checked() { return *checked_; }
  [[nodiscard]] tb::RtlFrontEnd& rtl() { return *rtl_; }
  [[nodiscard]] std::string Describe() const { return ssd_->DescribeQueues(); }
  /// What judge and assertions of the RTL have found; empty when all is well. `quiet`: nothing is
  /// outstanding.
  [[nodiscard]] std::string Findings(bool quiet);

 private:
  static void Misreport(void* context, arbiter::Event* event);

  Build build_;
  std::unique_ptr<tb::RtlFrontEnd> rtl_;
  std::unique_ptr<tb::CheckedFrontEnd> checked_;
  std::unique_ptr<FaultyFrontEnd> faulty_;
  std::unique_ptr<ssd::SsdDevice> ssd_;
  std::unique_ptr<FaultyPort> port_;
  unsigned grant_count_ = 0;
};

}  // namespace nvmearb::conformance

#endif  // NVMEARB_TB_CONFORMANCE_DEVICE_H_
