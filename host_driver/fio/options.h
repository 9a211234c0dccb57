// SPDX-License-Identifier: Apache-2.0
//
// From raw options to JobSpec.
#ifndef NVMEARB_HOST_DRIVER_FIO_OPTIONS_H_
#define NVMEARB_HOST_DRIVER_FIO_OPTIONS_H_

#include <string>
#include <vector>

#include "host_driver/fio/fio_input.h"

namespace nvmearb::host::fio {

/// Understands every section. Options apply in the order written, globals first; kb_base counts
/// before all others, as in fio. Warnings (no line twice) go to `warnings`. Throws UserError with
/// the place of the first option that is unknown, refused or malformed, or of the section whose
/// options do not fit together.
[[nodiscard]] std::vector<JobSpec> ResolveSections(const std::vector<RawSection>& sections,
                                                   const ParseContext& context,
                                                   std::vector<std::string>* warnings);

/// What fio prints as "global options" and "job options": canonical names, options without a value
/// left out; a repeated key keeps its first place and takes its last value.
[[nodiscard]] OptionStrings ToOptionStrings(const std::vector<RawOption>& options);

/// Applies --readonly: throws UserError for a job that writes.
void CheckReadonly(const std::vector<JobSpec>& jobs);

}  // namespace nvmearb::host::fio

#endif  // NVMEARB_HOST_DRIVER_FIO_OPTIONS_H_
