// SPDX-License-Identifier: Apache-2.0
#include "host_driver/block/cpu_map.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

struct NodeShare {
  unsigned node = 0;
  unsigned cpus = 0;
  unsigned vectors = 0;
};

// Proportional share of the vectors per node, smallest node first, at least one each.
std::vector<NodeShare> ShareOut(const CpuTopology& cpus, unsigned vectors) {
  std::vector<NodeShare> shares;
  for (unsigned node = 0; node < cpus.node_count(); ++node) {
    shares.push_back({node, static_cast<unsigned>(cpus.CpusOfNode(node).size()), 0});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const NodeShare& a, const NodeShare& b) { return a.cpus < b.cpus; });
  unsigned rest_cpus = cpus.cpu_count();
  unsigned rest_vectors = std::min(vectors, rest_cpus);
  for (NodeShare& share : shares) {
    share.vectors = std::max(1u, rest_vectors * share.cpus / rest_cpus);
    rest_cpus -= share.cpus;
    rest_vectors -= share.vectors;
  }
  return shares;
}

// irq_spread_init_one(): the lowest unused CPU, then its SMT siblings, then the next lowest.
std::vector<std::uint16_t> Take(const CpuTopology& cpus, std::vector<std::uint16_t>& unused,
                                unsigned count) {
  std::vector<std::uint16_t> taken;
  const auto take = [&](std::uint16_t cpu) {
    const auto at = std::find(unused.begin(), unused.end(), cpu);
    if (at == unused.end() || taken.size() == count) return;
    unused.erase(at);
    taken.push_back(cpu);
  };
  while (taken.size() < count && !unused.empty()) {
    const std::uint16_t lowest = unused.front();
    take(lowest);
    for (const std::uint16_t sibling : cpus.Siblings(lowest)) take(sibling);
  }
  return taken;
}

}  // namespace

std::vector<std::vector<std::uint16_t>> SpreadVectors(const CpuTopology& cpus, unsigned vectors) {
  NVMEARB_CHECK(vectors >= 1, "an affinity set has a vector");
  std::vector<std::vector<std::uint16_t>> spread(vectors);
  if (vectors <= cpus.node_count()) {
    for (unsigned node = 0; node < cpus.node_count(); ++node) {
      for (const std::uint16_t cpu : cpus.CpusOfNode(node)) spread[node % vectors].push_back(cpu);
    }
    return spread;
  }
  unsigned vector = 0;
  for (const NodeShare& share : ShareOut(cpus, vectors)) {
    std::vector<std::uint16_t> unused = cpus.CpusOfNode(share.node);
    const unsigned base = share.cpus / share.vectors;
    const unsigned extra = share.cpus - share.vectors * base;
    for (unsigned i = 0; i < share.vectors; ++i) {
      spread[vector++] = Take(cpus, unused, base + (i < extra ? 1u : 0u));
    }
  }
  return spread;
}

std::vector<std::uint16_t> MapByAffinity(const CpuTopology& cpus, unsigned queues) {
  std::vector<std::uint16_t> map(cpus.cpu_count());
  const auto spread = SpreadVectors(cpus, queues);
  for (std::size_t queue = 0; queue < spread.size(); ++queue) {
    for (const std::uint16_t cpu : spread[queue]) map[cpu] = static_cast<std::uint16_t>(queue);
  }
  return map;
}

std::vector<std::uint16_t> MapPlainly(const CpuTopology& cpus, unsigned queues) {
  NVMEARB_CHECK(queues >= 1, "a map needs a queue");
  std::vector<std::uint16_t> map(cpus.cpu_count());
  unsigned next = 0;
  unsigned cpu = 0;
  for (; cpu < cpus.cpu_count() && next < queues; ++cpu) {
    map[cpu] = static_cast<std::uint16_t>(next++);
  }
  for (; cpu < cpus.cpu_count(); ++cpu) {
    const unsigned first = cpus.FirstSibling(cpu);
    map[cpu] = first == cpu ? static_cast<std::uint16_t>(next++ % queues) : map[first];
  }
  return map;
}

}  // namespace nvmearb::host
