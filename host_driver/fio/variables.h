// SPDX-License-Identifier: Apache-2.0
//
// Variables in job files: ${NAME} of the environment, and fio's keywords $ncpus, $pagesize and
// $mb_memory with arithmetic (fio pipes those values through bc; here + - * / and parentheses on
// whole numbers).
#ifndef NVMEARB_HOST_DRIVER_FIO_VARIABLES_H_
#define NVMEARB_HOST_DRIVER_FIO_VARIABLES_H_

#include <string>

#include "host_driver/fio/fio_input.h"

namespace nvmearb::host::fio {

/// `text` of a job file's line with each ${NAME} replaced. Throws UserError at `where` when a
/// variable is not set.
[[nodiscard]] std::string ExpandEnvironment(const std::string& text, const std::string& where,
                                            const ParseContext& context);

/// An option's value with keywords replaced; where there was one, the value is then calculated.
/// Throws UserError for an expression that cannot be calculated.
[[nodiscard]] std::string ExpandKeywords(const RawOption& option, const ParseContext& context);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_VARIABLES_H_
