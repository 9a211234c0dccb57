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
  if (!event.iopolicy.empty()) parts.push_back("iopolicy " + event.iopolicy);
  for (const auto& [path, what] : event.link) {
    parts.push_back(fmt::format("link of {} {}", path, what));
  }
  for (const auto& [path, time] : event.latency) {
    parts.push_back(fmt::format("latency of {} {}", path, FormatTime(time)));
  }
  for (const auto& [path, rate] : event.bandwidth) {
    parts.push_back(fmt::format("bandwidth of {} {} bytes/s", path, rate));
  }
  for (const auto& [path, ana] : event.ana) parts.push_back(fmt::format("{} {}", path, ana));
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
    machine_->SetTunable(attribute, value, "event");
  }
  if (machine_->multipath() != nullptr) ChangePaths(event);
  if (!event.weights.has_value() && !event.burst.has_value()) return;
  arbitration_ = WithArbitration(arbitration_, event.weights, event.burst);
  for (const auto& controller : machine_->controllers()) {
    if (!controller->driver->live()) continue;  // one that is lost has forgotten it at its return
    controller->driver->SetArbitration(arbitration_.Encode(),
                                       host::BindAdmin<&RunEvents::OnArbitration>(this, index));
  }
}

void RunEvents::ChangePaths(const EventSpec& event) {
  host::MultipathHead& head = *machine_->multipath();
  if (!event.iopolicy.empty()) head.SetPolicy(event.iopolicy, "event");
  for (std::size_t i = 0; i < head.paths().size(); ++i) {
    host::Path* const path = head.paths()[i].get();
    const Controller& controller = *machine_->controllers()[i];
    ssd::FabricLinkParams link = controller.link->params();
    if (const auto time = event.latency.find(path->name); time != event.latency.end()) {
      link.latency_ps = static_cast<std::uint64_t>(time->second);
    }
    if (const auto rate = event.bandwidth.find(path->name); rate != event.bandwidth.end()) {
      link.bandwidth_bytes_per_s = static_cast<std::uint64_t>(rate->second);
    }
    controller.link->Set(link);
    if (const auto ana = event.ana.find(path->name); ana != event.ana.end()) {
      head.SetAna(path, AnaStateOf(ana->second));
    }
    const auto what = event.link.find(path->name);
    if (what == event.link.end()) continue;
    if (what->second == "up") {
      controller.link->Up();
      controller.driver->LinkUp();
    } else {
      controller.link->Down();
      if (what->second == "down") controller.driver->LinkDown();
    }
  }
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
