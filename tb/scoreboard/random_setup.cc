// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/random_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "nvme/base/random.h"
#include "scoreboard/event_names.h"

namespace nvmearb::tb {

namespace {

constexpr unsigned kMostAfters = 6;

unsigned Count(base::Random& random) {
  return static_cast<unsigned>(random.Below(6) == 0 ? random.Below(60) : random.Below(9));
}

}  // namespace

ArbitrateArguments RandomSetup(std::uint64_t seed, unsigned sq_count) {
  base::Random random(seed, 4711);
  ArbitrateArguments arguments;
  arguments.ams = random.Below(3) == 0 ? "rr" : "wrr";
  arguments.ab = static_cast<int>(random.Below(8));
  auto weight = [&] { return random.Below(random.Below(6) == 0 ? 256 : 7); };
  arguments.weights = fmt::format("{},{},{}", weight(), weight(), weight());

  std::vector<unsigned> ids(sq_count);
  for (unsigned i = 0; i < sq_count; ++i) ids[i] = i;
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.Below(i)]);
  const std::uint64_t most = random.Below(5) == 0 ? sq_count : std::min(sq_count, 8u);
  ids.resize(random.InRange(1, most));

  std::uint64_t total_count = 0;
  for (const unsigned id : ids) {
    const unsigned count = Count(random);
    const std::size_t sq_class = id == 0 ? 4 : random.Below(4);
    arguments.sqs.push_back(fmt::format("{}:{}:{}", id, kClassNames[sq_class], count));
    total_count += count;
  }
  std::uint64_t after_count = random.Below(2) == 0 ? 0 : random.InRange(1, kMostAfters);
  std::uint64_t reached_count = 0;
  for (; after_count > 0 && reached_count <= total_count; --after_count) {
    reached_count = random.InRange(reached_count, total_count);
    const unsigned id = ids[random.Below(ids.size())];
    const unsigned count = 1 + Count(random);
    arguments.afters.push_back(fmt::format("{}:{}:{}", reached_count, id, count));
    total_count += count;
  }
  return arguments;
}

std::string CommandLine(const ArbitrateArguments& arguments) {
  std::string text = fmt::format("nvmearb arbitrate --ams {} --ab {} --weights {}", arguments.ams,
                                 arguments.ab, arguments.weights);
  for (const std::string& sq : arguments.sqs) text += " --sq " + sq;
  for (const std::string& after : arguments.afters) text += " --after " + after;
  return text;
}

}  // namespace nvmearb::tb
