// SPDX-License-Identifier: Apache-2.0
#include "soak_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nvmearb::system {
namespace {

constexpr std::uint64_t kStream = 0x6c6f6164;
/// The bio of a run that a sabotage falls upon.
constexpr std::uint64_t kVictim = 100;

std::size_t SlotCount(const RandomSetup& setup) {
  std::size_t count = 0;
  for (const SoakThread& thread : setup.threads) count += thread.depth;
  return count;
}

}  // namespace

SoakLoad::SoakLoad(const RandomSetup& setup, sim::Machine* machine, BioChecker* checker,
                   Sabotage sabotage, std::function<void()> on_end)
    : setup_(setup),
      machine_(machine),
      checker_(checker),
      sabotage_(sabotage),
      on_end_(std::move(on_end)),
      random_(setup.seed, kStream),
      limit_(setup.bios),
      slots_(SlotCount(setup)) {
  MakeCgroups();
  std::uint32_t slot = 0;
  for (const SoakThread& spec : setup.threads) {
    Thread thread;
    thread.spec = &spec;
    thread.cgroup = machine->cgroups().Find("/" + spec.cgroup);
    thread.number = static_cast<std::uint32_t>(threads_.size());
    thread.cpu = static_cast<std::uint16_t>(random_.Below(machine->cpus().cpu_count()));
    for (unsigned i = 0; i < spec.depth; ++i) {
      slots_[slot].thread = thread.number;
      thread.ready.push_back(slot++);
    }
    threads_.push_back(std::move(thread));
  }
}

void SoakLoad::MakeCgroups() {
  host::CgroupTree& tree = machine_->cgroups();
  const host::DiskId disk = host::NvmePci::disk_id();
  for (const SoakGroup& group : setup_.groups) {
    host::Cgroup* const made = tree.Mkdir(group.path);
    tree.Write(*made, "io.wrr", fmt::format("{}:{} {}", disk.major, disk.minor, group.level));
    tree.Write(*made, "io.prio.class", group.prio_class);
    tree.Write(*made, "io.bfq.weight", std::to_string(group.bfq_weight));
    tree.Write(*made, "io.weight", std::to_string(group.io_weight));
  }
}

void SoakLoad::Start() {
  for (Thread& thread : threads_) Schedule(&thread, random_.Below(host::kUs));
}

void SoakLoad::Extend(std::uint64_t bios) {
  limit_ = checker_->begun() + bios;
  Start();
}

void SoakLoad::Schedule(Thread* thread, host::TimePs delay) {
  if (thread->scheduled || thread->asleep) return;
  thread->scheduled = true;
  machine_->clock().At(machine_->clock().Now() + delay,
                       host::Bind<&SoakLoad::Step>(this, thread->number));
}

void SoakLoad::Step(std::uint64_t number) {
  Thread& thread = threads_[number];
  thread.scheduled = false;
  if (!thread.asleep) Go(&thread);
}

// The task went to sleep within a Submit(); it goes on with its batch.
void SoakLoad::Awake(std::uint64_t number) {
  Thread& thread = threads_[number];
  if (!thread.asleep) checker_->Note("a task is woken that does not sleep");
  thread.asleep = false;
  Go(&thread);
}

void SoakLoad::Go(Thread* thread) {
  host::BlockDevice& disk = machine_->disk();
  if (thread->in_batch == 0 && thread->spec->moves && random_.Below(20) == 0) {
    thread->cpu = static_cast<std::uint16_t>(random_.Below(machine_->cpus().cpu_count()));
  }
  const bool plug = thread->spec->batch > 1;
  if (plug) disk.StartPlug(thread->cpu);
  while (!thread->asleep && thread->in_batch < thread->spec->batch && !thread->ready.empty() &&
         !Submitted()) {
    const std::uint32_t slot = thread->ready.back();
    thread->ready.pop_back();
    ++thread->in_batch;
    host::Bio& bio = slots_[slot].bio;
    Fill(thread, &bio);
    const std::uint64_t key = checker_->Begin(slot, bio, machine_->clock().Now());
    bio.done = host::Bind<&SoakLoad::Done>(this, key);
    disk.Submit(&bio);
    thread->asleep = bio.waits;
  }
  if (plug) disk.FinishPlug(thread->cpu);
  if (thread->asleep) return;
  const bool more = thread->in_batch > 0;
  thread->in_batch = 0;
  const host::TimePs spent = disk.TakeCpuTime(thread->cpu);
  if (more && !thread->ready.empty()) Schedule(thread, spent + thread->spec->think);
}

void SoakLoad::Fill(Thread* thread, host::Bio* bio) {
  const SoakThread& spec = *thread->spec;
  *bio = host::Bio();
  const std::uint64_t dice = random_.Below(100);
  if (dice < spec.flush_pct) {
    bio->op = host::BioOp::kFlush;
  } else if (dice < spec.flush_pct + spec.discard_pct) {
    bio->op = host::BioOp::kDiscard;
  } else if (random_.Below(100) < spec.write_pct) {
    bio->op = host::BioOp::kWrite;
  }
  if (bio->op != host::BioOp::kFlush) {
    bio->bytes = static_cast<std::uint32_t>(
        random_.InRange(spec.least_bytes / 4096, spec.most_bytes / 4096) * 4096);
    const std::uint64_t places = (spec.region - bio->bytes) / 4096 + 1;
    if (spec.random) thread->position = random_.Below(places) * 4096;
    if (thread->position + bio->bytes > spec.region) thread->position = 0;
    bio->offset = thread->position;
    thread->position += bio->bytes;
  }
  bio->ioprio_class = spec.ioprio_class;
  bio->ioprio_level = spec.ioprio_level;
  bio->sync = spec.sync;
  bio->polled = spec.polled;
  bio->cpu = thread->cpu;
  bio->task = thread->number;
  bio->cgroup = thread->cgroup;
  bio->admitted = host::Bind<&SoakLoad::Awake>(this, thread->number);
}

void SoakLoad::Done(std::uint64_t key) {
  const std::uint32_t slot = BioChecker::SlotOf(key);
  host::Bio& bio = slots_[slot].bio;
  host::TimePs now = machine_->clock().Now();
  if (checker_->ended() == kVictim && sabotage_ != Sabotage::kNone) {
    const Sabotage what = std::exchange(sabotage_, Sabotage::kNone);
    if (what == Sabotage::kLoseBio) return;
    if (what == Sabotage::kDoubleBio) checker_->End(key, bio, now);
    if (what == Sabotage::kFailBio) bio.status = 0x281;
    if (what == Sabotage::kTurnBackTime) now = 0;
  }
  checker_->End(key, bio, now);
  Thread& thread = threads_[slots_[slot].thread];
  thread.ready.push_back(slot);
  if (!Submitted()) Schedule(&thread, thread.spec->think);
  on_end_();
}

}  // namespace nvmearb::system
