// SPDX-License-Identifier: Apache-2.0
//
// Which CPU uses which hardware queue: the interrupt affinity spread and the maps of blk-mq.
#ifndef NVMEARB_HOST_DRIVER_BLOCK_CPU_MAP_H_
#define NVMEARB_HOST_DRIVER_BLOCK_CPU_MAP_H_

#include <cstdint>
#include <vector>

#include "host_driver/base/cpu_topology.h"

namespace nvmearb::host {

/// CPUs of each vector of one affinity set, in the order in which they were taken. Every CPU is in
/// exactly one vector; with more vectors than CPUs the last vectors stay empty.
/// Source: irq_create_affinity_masks() of Linux 5.17, all possible CPUs present.
/// `vectors` >= 1.
[[nodiscard]] std::vector<std::vector<std::uint16_t>> SpreadVectors(const CpuTopology& cpus,
                                                                    unsigned vectors);

/// Queue (0..queues-1) of every CPU, by the spread: blk_mq_pci_map_queues().
[[nodiscard]] std::vector<std::uint16_t> MapByAffinity(const CpuTopology& cpus, unsigned queues);

/// Queue of every CPU without interrupts to follow (polled queues, or a single vector):
/// blk_mq_map_queues() of 5.17: one CPU per queue first, then a core's further threads join the
/// queue of its first thread.
[[nodiscard]] std::vector<std::uint16_t> MapPlainly(const CpuTopology& cpus, unsigned queues);

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_BLOCK_CPU_MAP_H_
