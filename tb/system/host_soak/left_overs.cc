// SPDX-License-Identifier: Apache-2.0
#include "left_overs.h"

#include <fmt/format.h>

namespace nvmearb::system {
namespace {

class Notes {
 public:
  void Add(std::uint64_t count, const std::string& what) {
    if (count > 0) text_ += fmt::format("{}{} {}", text_.empty() ? "" : "; ", count, what);
  }
  [[nodiscard]] std::string text() const { return text_; }

 private:
  std::string text_;
};

// Counted from the requests themselves, not from the sets' own counts alone.
unsigned RequestsInUse(const host::Hctx& hctx) {
  unsigned count = 0;
  for (unsigned i = 0; i < hctx.tags.depth(); ++i) {
    if (hctx.tags.Find(i)->state != host::RequestState::kFree) ++count;
  }
  return count;
}

unsigned DriverTagsInUse(const host::DriverTags& tags) {
  unsigned count = 0;
  for (unsigned tag = 0; tag < tags.depth(); ++tag) {
    if (tags.Find(tag) != nullptr) ++count;
  }
  return count;
}

void OfQueue(const host::Hctx& hctx, const std::string& whose, Notes* notes) {
  const std::string where = fmt::format(" of hctx {}{}", hctx.index, whose);
  notes->Add(RequestsInUse(hctx), "requests in use" + where);
  notes->Add(hctx.tags.used(), "tags" + where);
  notes->Add(hctx.waiters.size(), "waiters" + where);
  notes->Add(hctx.started_count, "requests with the driver" + where);
  notes->Add(hctx.ctx_request_count, "requests on CPU lists" + where);
  notes->Add(hctx.limited_count, "limited requests" + where);
  notes->Add(hctx.dispatch.empty() ? 0 : 1, "dispatch list" + where);
  if (hctx.driver_tags == nullptr) return;
  notes->Add(hctx.driver_tags->used(), "driver tags" + where);
  notes->Add(DriverTagsInUse(*hctx.driver_tags), "requests with driver tags" + where);
}

void OfController(const sim::Controller& controller, const std::string& whose, Notes* notes) {
  const host::BlkMq& block = controller.driver->block();
  notes->Add(block.InFlight(), "bios in blk-mq" + whose);
  for (unsigned i = 0; i < block.hctx_count(); ++i) {
    OfQueue(block.hctx(i), whose, notes);
    if (block.elevator() == nullptr) continue;
    notes->Add(block.elevator()->HasWork(&block.hctx(i)) ? 1 : 0, "scheduler has work" + whose);
  }
  const host::NvmeStats& stats = controller.driver->stats();
  notes->Add(stats.invalid_cids, "completions of commands that were not outstanding" + whose);
  const std::uint64_t ended = stats.completed + stats.cancelled;
  notes->Add(stats.submitted - ended, "commands without an end" + whose);
}

}  // namespace

std::string LeftOvers(sim::Machine* machine) {
  Notes notes;
  const host::MultipathHead* const head = machine->multipath();
  notes.Add(machine->io().InFlight(), "bios in flight");
  for (std::size_t i = 0; i < machine->controllers().size(); ++i) {
    const std::string whose = head == nullptr ? "" : " of " + head->paths()[i]->name;
    OfController(*machine->controllers()[i], whose, &notes);
    if (head == nullptr) continue;
    const host::Path& path = *head->paths()[i];
    notes.Add(path.nr_active, "requests that count as active" + whose);
    notes.Add(path.stats.in_flight, "requests at the driver" + whose);
    notes.Add(path.stats.bios - path.stats.completed - path.stats.path_errors,
              "bios without an end" + whose);
  }
  if (head != nullptr) notes.Add(head->requeue_count(), "bios on the requeue list");
  std::string text = notes.text();
  for (const std::string& finding : machine->Findings(true)) text += "\n" + finding;
  return text;
}

}  // namespace nvmearb::system
