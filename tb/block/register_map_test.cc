// SPDX-License-Identifier: Apache-2.0
//
// The map of docs/registers.md is that of the RTL: access, reset value and writable bits of every
// offset, and nothing beside it.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "block/front_end_rig.h"

namespace nvmearb::tb {
namespace {

constexpr std::uint32_t kIntms = 0x0c;

struct Row {
  std::uint32_t offset = 0;
  std::string name, access, reset, writable;
};

std::string Trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Rows of the properties (0x00 to 0xfff) in the first table with an offset in its first column.
std::vector<Row> DocumentedRows(std::istream& document) {
  std::vector<Row> rows;
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("| 0x", 0) != 0 || line.rfind("| 0x1000", 0) == 0) continue;
    std::istringstream cells(line.substr(1));
    std::vector<std::string> texts;
    for (std::string cell; std::getline(cells, cell, '|');) texts.push_back(Trimmed(cell));
    if (texts.size() < 5) continue;
    rows.push_back({static_cast<std::uint32_t>(std::stoul(texts[0], nullptr, 16)), texts[1],
                    texts[2], texts[3], texts[4]});
  }
  return rows;
}

/// What differs between a row and the RTL; empty when nothing does.
std::string Difference(const Row& row) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, {});
  const std::uint32_t reset = rig.Read(row.offset);
  if (row.reset != "strap" && reset != std::stoul(row.reset, nullptr, 16)) {
    return row.name + ": other reset value";
  }
  const auto mask = static_cast<std::uint32_t>(std::stoul(row.writable, nullptr, 16));
  if (row.access == "RW1C") {
    rig.Write(kIntms, 0xffff'ffff);
    if (rig.Read(row.offset) != mask) return row.name + ": does not read the mask";
    rig.Write(row.offset, 0xffff'ffff);
    return rig.Read(row.offset) == 0 ? "" : row.name + ": a one does not clear";
  }
  if (row.access == "RW1S") {
    rig.Write(row.offset, 0xffff'ffff);
    rig.Write(row.offset, 0);
    return rig.Read(row.offset) == mask ? "" : row.name + ": a one does not set, or a zero clears";
  }
  rig.Write(row.offset, 0xffff'ffff);
  const std::uint32_t ones = rig.Read(row.offset);
  const std::uint32_t kept = row.access == "RO" ? reset : mask;
  if (row.access == "RO" && mask != 0) return row.name + ": read-only with writable bits";
  if (ones != kept) return row.name + ": other writable bits";
  return "";
}

std::vector<Row> Documented() {
  std::ifstream document(NVMEARB_SOURCE_DIR "/docs/registers.md");
  return DocumentedRows(document);
}

TEST(RegisterMap, EveryRowOfTheDocumentIsTrue) {
  const std::vector<Row> rows = Documented();
  ASSERT_GE(rows.size(), 12u);
  for (const Row& row : rows) EXPECT_EQ(Difference(row), "");
}

TEST(RegisterMap, WhatTheDocumentDoesNotNameReadsZeroAndIgnoresWrites) {
  FrontEndRig rig(&MakeRtlFrontEndOf<7>, {});
  const std::vector<Row> rows = Documented();
  for (std::uint32_t offset = 0; offset < 0x1000; offset += 4) {
    bool named = false;
    for (const Row& row : rows) named = named || row.offset == offset;
    if (named) continue;
    rig.Write(offset, 0xffff'ffff);
    ASSERT_EQ(rig.Read(offset), 0u) << std::hex << offset;
  }
}

TEST(RegisterMap, AWrongRowIsFound) {
  for (const char* line : {"| 0x24 | AQA | RW | 00000000 | 0fff0ffe | |",
                           "| 0x24 | AQA | RW | 00000001 | 0fff0fff | |",
                           "| 0x24 | AQA | RO | 00000000 | 00000000 | |",
                           "| 0x1c | CSTS | RW | 00000000 | 00000001 | |",
                           "| 0x10 | INTMC | RW1S | 00000000 | ffffffff | |"}) {
    std::istringstream document(line);
    const std::vector<Row> rows = DocumentedRows(document);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_NE(Difference(rows[0]), "") << line;
  }
}

}  // namespace
}  // namespace nvmearb::tb
