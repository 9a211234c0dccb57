// SPDX-License-Identifier: Apache-2.0
#include "conformance/fault.h"

namespace nvmearb::conformance {

namespace {
Fault current_fault = Fault::kNone;
}  // namespace

Fault CurrentFault() { return current_fault; }
void SetCurrentFault(Fault fault) { current_fault = fault; }

}  // namespace nvmearb::conformance
