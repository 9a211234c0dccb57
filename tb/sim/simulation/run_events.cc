// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/run_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/simulation/parameters.h"

namespace nvmearb::sim {

std::string DescribeEvent(const EventSpec& event) {
  std::vector<std::string> parts;
  if (event.weights.has_value()) {
    parts.push_back(fmt::format("weights {}", fmt::join(*event.weights, ",")));
  }
  if (event.burst.has_value()) parts.push_back(fmt::format("burst {}", *event.burst));
  for (const auto& [cgroup, level] : event.io_wrr) {
    parts.push_back(fmt::format("io.wrr of {} {}", cgroup, level));
  }
  for (const auto& [attribute, value] : event.iosched) {
    parts.push_back(fmt::format("iosched {} {}", attribute, value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

RunEvents::RunEvents(const Scenario& scenario, const VariantSpec& variant, Machine* machine)
    : machine_(machine) {
  const Parameters& parameters = machine->parameters();
  arbitration_ = parameters.device.firmware.arbitration_default;
  if (parameters.nvme.arbitration.has_value()) {
    arbitration_ = nvme::ArbitrationFeature::Decode(*parameters.nvme.arbitration);
  }
  for (const EventSpec& event : scenario.events) {
    const auto& names = event.variants;
    if (!names.empty() && std::find(names.begin(), names.end(), variant.name) == names.end()) {
      continue;
    }
    entries_.push_back({event, 0, 0});
  }
}

void RunEvents::Start() {
  start_ = machine_->kernel().Now();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    machine_->clock().At(start_ + static_cast<ssd::TimePs>(entries_[i].spec.at_ps),
                         host::Bind<&RunEvents::OnTime>(this, i));
  }
}

void RunEvents::OnTime(std::uint64_t index) {
  Entry& entry = entries_[index];
  const EventSpec& event = entry.spec;
  entry.made = machine_->kernel().Now();
  host::CgroupTree& tree = machine_->cgroups();
  const host::DiskId disk = host::NvmePci::disk_id();
  for (const auto& [cgroup, level] : event.io_wrr) {
    tree.Write(*tree.Find(cgroup), "io.wrr",
               fmt::format("{}:{} {}", disk.major, disk.minor, level));
  }
  for (const auto& [attribute, value] : event.iosched) {
    machine_->driver().SetTunable(attribute, value, "event");
  }
  if (!event.weights.has_value() && !event.burst.has_value()) return;
  arbitration_ = WithArbitration(arbitration_, event.weights, event.burst);
  machine_->driver().SetArbitration(arbitration_.Encode(),
                                    host::BindAdmin<&RunEvents::OnArbitration>(this, index));
}

void RunEvents::OnArbitration(std::uint64_t index, const nvme::Cqe& cqe) {
  Entry& entry = entries_[index];
  entry.in_force = machine_->kernel().Now();
  const auto status = static_cast<unsigned>(cqe.GetStatus());
  if (status == 0) return;
  failures_.push_back(fmt::format("event at {}: Set Features 01h ended with status {:03x}h",
                                  FormatTime(entry.spec.at_ps), status));
}

std::vector<std::string> RunEvents::Notes() const {
  std::vector<std::string> notes;
  for (const Entry& entry : entries_) {
    std::string note =
        fmt::format("event at {}: {}", FormatTime(entry.spec.at_ps), DescribeEvent(entry.spec));
    if (entry.made == 0) {
      note += ": not made, the run ended before";
    } else if (entry.in_force != 0) {
      note += fmt::format(", answered {:.1f} us later",
                          static_cast<double>(entry.in_force - entry.made) / 1e6);
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace nvmearb::sim
