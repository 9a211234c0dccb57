// SPDX-License-Identifier: Apache-2.0
//
// The Verilated nvmearb_top in a program of your own: enables the controller, rings the doorbell of
// the admin queue, and takes the command that the RTL fetches.
#include <cstdio>
#include <cstring>

#include "harness/rtl_front_end.h"
#include "ssd/kernel.h"

using namespace nvmearb;

/// Your controller's side: firmware, and the memory that the fetch engine reads.
struct Device : ssd::FrontEndSink, ssd::FrontEndDma {
  void OnEnable(const ssd::EnableConfig&) override {
    rtl->SetReady(true);
    rtl->GiveSlots(1);
  }
  void OnCommand(const ssd::FetchedCommand& command) override {
    std::printf("SQ %u: opcode %02x, SQHD %u\n", unsigned{command.sqid}, unsigned{command.sqe[0]},
                unsigned{command.sqhd});
  }
  void OnDisable() override {}
  void OnShutdown(std::uint8_t) override {}
  void OnConfigDone() override {}
  void OnDoorbellError(arbiter::DoorbellError, bool, std::uint16_t) override {}
  void OnFetchError(std::uint16_t) override {}
  bool Read(std::uint64_t, void* to, std::size_t bytes) override {
    std::memset(to, 0, bytes);
    *static_cast<std::uint8_t*>(to) = 0x06;  // Identify
    return true;
  }
  bool Write(std::uint64_t, const void*, std::size_t) override { return true; }
  tb::RtlFrontEnd* rtl = nullptr;
};

int main() {
  ssd::Kernel kernel("kernel");
  kernel.Reset();
  const auto rtl = tb::MakeRtlFrontEnd(&kernel, tb::RtlOptions{});
  Device device;
  device.rtl = rtl.get();
  rtl->Attach(&device, &device, nullptr);
  rtl->SetStraps(0x2078030fff, 0x00010400);  // what CAP and VS read
  rtl->MmioWrite(0x24, 0x001f001f, 4);       // AQA: 32 entries each
  rtl->MmioWrite(0x28, 0x10000, 8);          // ASQ
  rtl->MmioWrite(0x30, 0x20000, 8);          // ACQ
  rtl->MmioWrite(0x14, 0x00460001, 4);       // CC: enable
  kernel.RunUntil(1'000'000'000);            // 1 ms
  std::printf("CSTS %x\n", static_cast<unsigned>(rtl->MmioRead(0x1c, 4)));
  rtl->MmioWrite(0x1000, 1, 4);  // SQ 0 tail doorbell
  kernel.RunUntil(2'000'000'000);
}
