// SPDX-License-Identifier: Apache-2.0
//
// TraceRecord: one I/O of a block trace, whatever format it was written in.
#ifndef NVMEARB_TRACE_TRACE_RECORD_H_
#define NVMEARB_TRACE_TRACE_RECORD_H_

#include <cstdint>
#include <string_view>

#include "host_driver/block/bio.h"

namespace nvmearb::trace {

struct TraceRecord {
  std::uint64_t time_ns = 0;  ///< from an origin of the trace's own; only differences count
  host::BioOp op = host::BioOp::kRead;
  bool sync = false;         ///< the trace says that the submitter waits for it
  std::uint64_t offset = 0;  ///< bytes from the start of `device`
  std::uint64_t bytes = 0;   ///< 0 for a flush
  std::string_view device;   ///< disk, volume, LUN or file, as the trace names it
  std::string_view process;  ///< name of the submitting process; empty where not recorded
  int cpu = -1;              ///< submitting CPU; -1 where not recorded
};

}  // namespace nvmearb::trace

#endif  // NVMEARB_TRACE_TRACE_RECORD_H_
