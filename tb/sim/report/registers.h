// SPDX-License-Identifier: Apache-2.0
//
// Controller properties in the shape of nvme-cli's `nvme show-regs` (1.x), so that scripts for the
// one read the other.
#ifndef NVMEARB_TB_SIM_REPORT_REGISTERS_H_
#define NVMEARB_TB_SIM_REPORT_REGISTERS_H_

#include <string>

#include "nvme/device_port.h"

namespace nvmearb::sim {

/// Reads all properties through `device`. `human`: each register decoded below its line, as
/// `show-regs -H` does; else a line per register.
std::string FormatRegisters(nvme::DevicePort* device, bool human);

}  // namespace nvmearb::sim

#endif  // NVMEARB_TB_SIM_REPORT_REGISTERS_H_
