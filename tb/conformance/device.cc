// SPDX-License-Identifier: Apache-2.0
#include "conformance/device.h"

#include <cstdlib>
#include <string_view>

#include "nvme/base/check.h"
#include "ssd/platform.h"

namespace nvmearb::conformance {

namespace {

ssd::SsdParams DriveParams(const DeviceOptions& options) {
  constexpr std::uint64_t kCapWrr = std::uint64_t{1} << 17;
  constexpr std::uint64_t kCapMqes = 0xffff;
  ssd::SsdParams p = ssd::FindPreset("p4510")->make();
  p.identity.cap = (p.identity.cap & ~kCapMqes) | options.mqes_zb;
  if (!options.offers_wrr) p.identity.cap &= ~kCapWrr;
  p.firmware.ready_ps = 1'000'000;
  p.firmware.admin_ps = options.admin_ps;
  p.firmware.flush_ps = options.flush_ps;
  p.firmware.arbitration_default =
      nvme::ArbitrationFeature::FromCounts(options.default_ab, 1, 1, 1);
  p.media.window_slots = options.window;
  p.media.fetch_spacing_ps = 0;
  p.media.die_read_ps = kClockPs;
  p.media.read_link_bytes_per_s = 1'000'000'000'000;
  p.media.read_completion_ps = 0;
  return p;
}

tb::RtlOptions FrontEndOptions(const DeviceOptions& options) {
  tb::RtlOptions o;
  o.clock_period_ps = kClockPs;
  o.read_latency_clocks = options.read_latency_clocks;
  o.stall_percent = options.stall_percent;
  return o;
}

}  // namespace

const Build& BuildOf(unsigned sq_count) {
  for (const Build& build : Builds()) {
    if (build.sq_count == sq_count) return build;
  }
  NVMEARB_CHECK(false, "no build with that number of queues");
  return Builds().front();
}

std::vector<Build> BuildsBetween(unsigned least, unsigned most) {
  std::vector<Build> some;
  for (const Build& build : Builds()) {
    if (build.sq_count < least || build.sq_count > most) continue;
    some.push_back(build);
    if (CurrentFault() != Fault::kNone) break;
  }
  NVMEARB_CHECK(!some.empty(), "no build with such a number of queues");
  return some;
}

bool IsFullRun() {
  const char* const value = std::getenv("NVMEARB_CONFORMANCE");
  return value != nullptr && std::string_view(value) == "full";
}

Device::Device(const Build& build, const DeviceOptions& options) : build_(build) {
  ssd::Platform& platform = ssd::Platform::Instance();
  platform.Reset();
  const Fault fault = CurrentFault();
  rtl_ = build.make(&platform.kernel(), FrontEndOptions(options));
  checked_ = std::make_unique<tb::CheckedFrontEnd>(rtl_.get(), nullptr);
  if (fault == Fault::kGrantMisreported) checked_->SetTamper(&Device::Misreport, this);
  faulty_ = std::make_unique<FaultyFrontEnd>(checked_.get(), fault);
  ssd_ = std::make_unique<ssd::SsdDevice>(&platform, 0, DriveParams(options), faulty_.get());
  port_ = std::make_unique<FaultyPort>(ssd_.get(), fault, build.sq_count, build.dstrd);
}

void Device::Misreport(void* context, arbiter::Event* event) {
  auto* const device = static_cast<Device*>(context);
  if (event->kind != arbiter::EventKind::kGrant || ++device->grant_count_ % 50 != 0) return;
  event->sqid = event->sqid == 1 ? 0 : 1;
}

std::string Device::Findings(bool quiet) {
  std::string text;
  if (rtl_->AssertionFailed()) text += "an assertion of the RTL failed\n";
  if (quiet) checked_->judge().ExpectQuiet();
  for (const tb::Finding& finding : checked_->findings()) text += tb::Describe(finding);
  return text;
}

}  // namespace nvmearb::conformance
