// SPDX-License-Identifier: Apache-2.0
//
// TraceRequest: which waves are wanted.
#ifndef NVMEARB_TB_HARNESS_TRACE_REQUEST_H_
#define NVMEARB_TB_HARNESS_TRACE_REQUEST_H_

#include <string>

#include "ssd/kernel.h"

namespace nvmearb::tb {

/// What is written: clocks at begin_ps <= simulated time <= end_ps. The file is opened when the
/// front end is made and complete when it is gone, or once the time is past the end.
struct TraceRequest {
  std::string path;
  ssd::TimePs begin_ps = 0;
  ssd::TimePs end_ps = ~ssd::TimePs{0};
};

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_HARNESS_TRACE_REQUEST_H_
