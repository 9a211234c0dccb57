// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "nvme/registers.h"
#include "ssd/ssd_params.h"

namespace nvmearb::ssd {
namespace {

TEST(Presets, AreFoundByNameAndHaveNoProblem) {
  ASSERT_GE(Presets().size(), 2u);
  for (const Preset& preset : Presets()) {
    EXPECT_EQ(preset.make().Problem(), "") << preset.name;
    EXPECT_EQ(FindPreset(preset.name), &preset);
  }
  EXPECT_EQ(FindPreset("p4511"), nullptr);
}

TEST(Presets, P4510HasThePublishedRegistersAndWeights) {
  const SsdParams p = FindPreset("p4510")->make();
  EXPECT_EQ(p.identity.cap, 0x2078030fffu);
  EXPECT_EQ(p.identity.vs, 0x10200u);
  EXPECT_EQ(p.firmware.arbitration_default.Encode(), 0x05020000u);
  EXPECT_EQ(p.MaxTransferBytes(), 128u * 1024);
  EXPECT_EQ(p.BlockCount(), 3'907'029'168u);
}

TEST(Presets, FreshDriveDiffersByItsProgramsOnly) {
  SsdParams used = FindPreset("p4510")->make();
  const SsdParams fresh = FindPreset("p4510-fresh")->make();
  EXPECT_LT(fresh.media.die_program_ps, used.media.die_program_ps);
  EXPECT_EQ(fresh.media.fetch_spacing_ps, used.media.fetch_spacing_ps);
  EXPECT_EQ(fresh.identity.model, used.identity.model);
}

TEST(SsdParams, ProblemNamesWhatCannotWork) {
  const auto problem = [](void (*spoil)(SsdParams*)) {
    SsdParams p = FindPreset("p4510")->make();
    spoil(&p);
    return p.Problem();
  };
  EXPECT_NE(problem([](SsdParams* p) { p->media.window_slots = 0; }).find("window"),
            std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->media.die_count = 0; }).find("die"), std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->media.die_read_bytes = 0; }).find("units"),
            std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->media.read_link_bytes_per_s = 0; }).find("link"),
            std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->identity.mdts = 0; }).find("mdts"), std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->media.write_buffer_bytes = 65536; }).find("131072"),
            std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->media.write_buffer_bytes = 140000; }).find("65536"),
            std::string::npos);
  EXPECT_NE(problem([](SsdParams* p) { p->identity.capacity_bytes = 511; }).find("capacity"),
            std::string::npos);
}

}  // namespace
}  // namespace nvmearb::ssd
