// SPDX-License-Identifier: Apache-2.0
//
// NVMEARB_CHECK: a broken invariant of our own code. Prints file, line, condition and a note, then
// aborts. Never used for user input (UserError) nor for what a device reports (NVMe status).
#ifndef NVMEARB_MODELS_NVME_BASE_CHECK_H_
#define NVMEARB_MODELS_NVME_BASE_CHECK_H_

#include <cstdio>
#include <cstdlib>

namespace nvmearb::base {

[[noreturn]] inline void CheckFailed(const char* file, int line, const char* condition,
                                     const char* note) {
  std::fprintf(stderr, "%s:%d: check failed: %s (%s)\n", file, line, condition, note);
  std::abort();
}

}  // namespace nvmearb::base

#define NVMEARB_CHECK(condition, note)                                    \
  do {                                                                    \
    if (!(condition)) {                                                   \
      ::nvmearb::base::CheckFailed(__FILE__, __LINE__, #condition, note); \
    }                                                                     \
  } while (false)

#endif  // NVMEARB_MODELS_NVME_BASE_CHECK_H_
