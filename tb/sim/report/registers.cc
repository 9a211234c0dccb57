// SPDX-License-Identifier: Apache-2.0
#include "sim/report/registers.h"

#include <fmt/format.h>

#include "nvme/registers.h"

namespace nvmearb::sim {
namespace {

const char* YesNo(bool value) { return value ? "Yes" : "No"; }

/// "\tName of the field (ABBR): value"; the name is left, the abbreviation right aligned in
/// `width`.
std::string Line(int width, const char* name, const char* abbreviation, const std::string& value) {
  const std::string bracket = fmt::format("({})", abbreviation);
  const int left = width - static_cast<int>(bracket.size());
  return fmt::format("\t{:<{}}{}: {}\n", name, left, bracket, value);
}

std::string Bytes(unsigned value) { return fmt::format("{} bytes", value); }

std::string HumanCap(std::uint64_t value) {
  const nvme::Cap cap = nvme::Cap::Decode(value);
  const auto line = [](const char* n, const char* a, const std::string& v) {
    return Line(38, n, a, v);
  };
  return line("Memory Page Size Maximum", "MPSMAX", Bytes(1u << (12 + cap.mpsmax))) +
         line("Memory Page Size Minimum", "MPSMIN", Bytes(1u << (12 + cap.mpsmin))) +
         line("Command Sets Supported", "CSS",
              fmt::format("NVM command set is {}",
                          (cap.css & 1u) != 0 ? "supported" : "not supported")) +
         line("NVM Subsystem Reset Supported", "NSSRS", YesNo(cap.nssrs)) +
         line("Doorbell Stride", "DSTRD", Bytes(4u << cap.dstrd)) +
         line("Timeout", "TO", fmt::format("{} ms", cap.timeout_500ms * 500u)) +
         line("Arbitration Mechanism Supported", "AMS",
              fmt::format("Weighted Round Robin with Urgent Priority Class is {}",
                          (cap.ams & nvme::kCapAmsWeightedRoundRobin) != 0 ? "supported"
                                                                           : "not supported")) +
         line("Contiguous Queues Required", "CQR", YesNo(cap.cqr)) +
         line("Maximum Queue Entries Supported", "MQES", fmt::format("{}", cap.mqes_zb + 1u)) +
         "\n";
}

const char* AmsName(unsigned ams) {
  switch (ams) {
    case 0:
      return "Round Robin";
    case 1:
      return "Weighted Round Robin with Urgent Priority Class";
    case 7:
      return "Vendor Specific";
    default:
      return "Reserved";
  }
}

const char* ShnName(unsigned shn) {
  constexpr const char* kNames[] = {"No notification; no effect", "Normal shutdown notification",
                                    "Abrupt shutdown notification", "Reserved"};
  return kNames[shn & 3u];
}

const char* ShstName(unsigned shst) {
  constexpr const char* kNames[] = {"Normal operation (no shutdown has been requested)",
                                    "Shutdown processing occurring", "Shutdown processing complete",
                                    "Reserved"};
  return kNames[shst & 3u];
}

std::string HumanCc(std::uint32_t value) {
  const nvme::Cc cc = nvme::Cc::Decode(value);
  const auto line = [](const char* n, const char* a, const std::string& v) {
    return Line(40, n, a, v);
  };
  return line("I/O Completion Queue Entry Size", "IOCQES", Bytes(1u << cc.iocqes)) +
         line("I/O Submission Queue Entry Size", "IOSQES", Bytes(1u << cc.iosqes)) +
         line("Shutdown Notification", "SHN", ShnName(cc.shn)) +
         line("Arbitration Mechanism Selected", "AMS", AmsName(cc.ams)) +
         line("Memory Page Size", "MPS", Bytes(1u << (12 + cc.mps))) +
         line("I/O Command Sets Selected", "CSS", cc.css == 0 ? "NVM Command Set" : "Reserved") +
         line("Enable", "EN", YesNo(cc.en)) + "\n";
}

std::string HumanCsts(std::uint32_t value) {
  const nvme::Csts csts = nvme::Csts::Decode(value);
  const auto line = [](const char* n, const char* a, const std::string& v) {
    return Line(36, n, a, v);
  };
  return line("Processing Paused", "PP", YesNo(csts.pp)) +
         line("NVM Subsystem Reset Occurred", "NSSRO", YesNo((value & 0x10u) != 0)) +
         line("Shutdown Status", "SHST", ShstName(csts.shst)) +
         line("Controller Fatal Status", "CFS", csts.cfs ? "True" : "False") +
         line("Ready", "RDY", YesNo(csts.rdy)) + "\n";
}

}  // namespace

std::string FormatRegisters(nvme::DevicePort* device, bool human) {
  const auto read32 = [device](std::uint32_t offset) {
    return static_cast<std::uint32_t>(device->MmioRead(offset, 4));
  };
  const std::uint64_t cap = device->MmioRead(nvme::kRegCap, 8);
  const std::uint32_t vs = read32(nvme::kRegVs);
  const std::uint32_t intms = read32(nvme::kRegIntms);
  const std::uint32_t intmc = read32(nvme::kRegIntmc);
  const std::uint32_t cc = read32(nvme::kRegCc);
  const std::uint32_t csts = read32(nvme::kRegCsts);
  const std::uint32_t nssr = read32(nvme::kRegNssr);
  const std::uint32_t aqa = read32(nvme::kRegAqa);
  const std::uint64_t asq = device->MmioRead(nvme::kRegAsq, 8);
  const std::uint64_t acq = device->MmioRead(nvme::kRegAcq, 8);
  const std::uint32_t cmbloc = read32(nvme::kRegCmbloc);
  const std::uint32_t cmbsz = read32(nvme::kRegCmbsz);

  std::string out;
  const auto reg = [&](const char* name, std::uint64_t value, const std::string& decoded) {
    out += fmt::format("{:<8}: {:x}\n", name, value);
    if (human) out += decoded;
  };
  reg("cap", cap, HumanCap(cap));
  reg("version", vs, fmt::format("\tNVMe specification {}.{}\n\n", vs >> 16, (vs >> 8) & 0xff));
  reg("intms", intms, fmt::format("\tInterrupt Vector Mask Set (IVMS): {:x}\n\n", intms));
  reg("intmc", intmc, fmt::format("\tInterrupt Vector Mask Clear (IVMC): {:x}\n\n", intmc));
  reg("cc", cc, HumanCc(cc));
  reg("csts", csts, HumanCsts(csts));
  reg("nssr", nssr, fmt::format("\tNVM Subsystem Reset Control (NSSRC): {}\n\n", nssr));
  // nvme-cli says "bytes" here; the field counts entries.
  reg("aqa", aqa,
      fmt::format("\tAdmin Completion Queue Size (ACQS): {} entries\n"
                  "\tAdmin Submission Queue Size (ASQS): {} entries\n\n",
                  ((aqa >> 16) & 0xfff) + 1, (aqa & 0xfff) + 1));
  reg("asq", asq, fmt::format("\tAdmin Submission Queue Base (ASQB): {:x}\n", asq));
  reg("acq", acq, fmt::format("\tAdmin Completion Queue Base (ACQB): {:x}\n", acq));
  const std::string no_cmb = "\tController Memory Buffer feature is not supported\n\n";
  reg("cmbloc", cmbloc, no_cmb);
  reg("cmbsz", cmbsz, no_cmb);
  return out;
}

}  // namespace nvmearb::sim
