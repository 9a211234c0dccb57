// SPDX-License-Identifier: Apache-2.0
//
// The Linux host model in a program of your own: the driver brings up a drive and reads 4 KiB.
// `drive` could be any nvme::DevicePort, such as your own controller.
#include <cstdio>

#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/host_memory.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/nvme/pci.h"
#include "ssd/model_front_end.h"
#include "ssd/platform.h"
#include "ssd/ssd_device.h"

using namespace nvmearb;

struct KernelClock final : host::Clock {
  explicit KernelClock(ssd::Kernel& k) : kernel(k) {}
  host::TimePs Now() const override { return kernel.Now(); }
  void At(host::TimePs when, host::Callback call) override {
    kernel.At(when, call.function, call.context, call.argument);
  }
  ssd::Kernel& kernel;
};

int main() {
  ssd::Platform& platform = ssd::Platform::Instance();
  platform.Reset();
  KernelClock clock(platform.kernel());
  ssd::ModelFrontEndParams front_end;
  front_end.limits.sq_count = 9;
  ssd::SsdDevice drive(&platform, 0, ssd::FindPreset("p4510")->make(),
                       std::make_unique<ssd::ModelFrontEnd>(&platform.kernel(), front_end));
  host::CgroupTree cgroups;
  host::NvmeParams params;
  params.disk_number = cgroups.AddDisk(host::NvmePci::disk_id());
  host::HostMemory memory;
  const host::CpuTopology cpus = host::CpuTopology::Parse("1x4x2", "cpus");
  host::NvmePci driver(clock, drive, memory, cpus, params, host::HostCosts{});
  driver.Probe({[](void*, std::uint64_t) {}, nullptr, 0});
  while (!driver.live()) clock.kernel.RunUntil(clock.Now() + host::kMs);
  std::printf("%s\n", driver.QueueSummary().c_str());

  host::Bio bio;
  bio.bytes = 4096;
  bio.cgroup = cgroups.root();
  bool done = false;
  bio.done = {[](void* flag, std::uint64_t) { *static_cast<bool*>(flag) = true; }, &done, 0};
  driver.disk().Submit(&bio);
  while (!done) clock.kernel.RunUntil(clock.Now() + host::kUs);
  std::printf("read 4 KiB: status %u\n", unsigned{bio.status});
}
