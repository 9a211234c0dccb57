// SPDX-License-Identifier: Apache-2.0
//
// The worked examples of the arbitration rules as questions to the playground; for tests.
#ifndef NVMEARB_TB_SCOREBOARD_GOLDEN_VECTORS_H_
#define NVMEARB_TB_SCOREBOARD_GOLDEN_VECTORS_H_

#include <string>
#include <vector>

#include "scoreboard/playground_options.h"

namespace nvmearb::tb {

struct GoldenVector {
  const char* name;
  const char* ams;
  int ab;
  const char* weights;  ///< 0's based
  std::vector<std::string> sqs;
  std::string order;
};

inline const std::vector<GoldenVector> kGoldenVectors = {
    {"G1", "rr", 0, "", {"0:admin:3", "1:urgent:3", "2:low:3"}, "0 1 2 0 1 2 0 1 2"},
    {"G2", "rr", 1, "", {"1:urgent:5", "2:urgent:1", "3:urgent:3"}, "1x2 2 3x2 1x2 3 1"},
    {"G3",
     "wrr",
     7,
     "3,1,0",
     {"1:high:12", "2:medium:6", "3:low:3"},
     "1x4 2x2 3 1x4 2x2 3 1x4 2x2 3"},
    {"G4",
     "wrr",
     1,
     "3,1,0",
     {"1:high:6", "2:high:6", "3:medium:6", "4:low:3"},
     "1x2 2x2 3x2 4 1x2 2x2 3x2 4 1x2 2x2 3x2 4"},
    {"G6", "wrr", 0, "3,1,0", {"3:low:5"}, "3x5"},
    {"G7", "wrr", 1, "3,1,0", {"1:urgent:4", "2:urgent:3", "3:high:2"}, "1x2 2x2 1x2 2 3x2"},
    {"G9", "wrr", 0, "3,1,0", {"1:high:8", "2:medium:4", "3:low:2"}, "1x4 2x2 3 1x4 2x2 3"},
    {"G11", "rr", 7, "", {"1:urgent:20", "2:urgent:2"}, "1x20 2x2"},
    {"G13", "rr", 2, "", {"0:admin:6", "1:low:6", "2:urgent:6"}, "0x4 1x4 2x4 0x2 1x2 2x2"},
    {"S2",
     "wrr",
     7,
     "0,0,0",
     {"1:high:20", "2:high:20"},
     "1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2"},
    {"residual burst", "wrr", 2, "5,0,0", {"1:high:12", "2:high:12"}, "1x4 2x4 1x4 2x4 1x4 2x4"},
};

inline ArbitrateArguments ArgumentsOf(const GoldenVector& vector) {
  ArbitrateArguments arguments;
  arguments.ams = vector.ams;
  arguments.ab = vector.ab;
  arguments.weights = vector.weights;
  arguments.sqs = vector.sqs;
  return arguments;
}

}  // namespace nvmearb::tb

#endif  // NVMEARB_TB_SCOREBOARD_GOLDEN_VECTORS_H_
