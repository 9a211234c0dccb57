// SPDX-License-Identifier: Apache-2.0
//
// PathRig: a head over several drives (front end of the model), each behind a link, with a closed
// loop of I/O on it: what `nvmearb run` puts together for [[path]] entries, without scenario, judge
// and RTL. For tests of paths alone.
#ifndef NVMEARB_TB_SYSTEM_PATH_RIG_H_
#define NVMEARB_TB_SYSTEM_PATH_RIG_H_

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host_driver/base/cpu_topology.h"
#include "host_driver/base/host_memory.h"
#include "host_driver/cgroup/cgroup.h"
#include "host_driver/multipath/controller_path.h"
#include "host_driver/multipath/head.h"
#include "host_driver/nvme/pci.h"
#include "nvme/base/random.h"
#include "ssd/fabric_link.h"
#include "ssd/model_front_end.h"
#include "ssd/platform.h"
#include "ssd/ssd_device.h"

namespace nvmearb::system {

using host::kMs;
using host::kUs;
using host::TimePs;

struct PathRigParams {
  host::CpuTopology cpus{1, 8, 1};
  std::vector<ssd::FabricLinkParams> links;
  host::MultipathParams multipath;
  host::NvmeParams nvme;
  host::HostCosts costs;
  ssd::SsdParams drive = ssd::FindPreset("p4510")->make();
  std::uint64_t seed = 1;
};

/// What the loop does. `threads` keep `depth` I/Os each in flight, thread i on CPU i modulo CPUs.
struct LoopParams {
  unsigned threads = 8;
  unsigned depth = 8;
  std::uint32_t bytes = 4096;
  double write_share = 0.5;
  bool random = true;
  TimePs think = 3 * kUs;  ///< of the thread, between an I/O's end and the next
};

class PathRig {
 public:
  explicit PathRig(PathRigParams params)
      : params_(std::move(params)),
        kernel_(&ssd::Platform::Instance().kernel()),
        random_(params_.seed, 77) {
    ssd::Platform::Instance().Reset();
    disk_ = tree_.AddDisk(host::NvmePci::disk_id());
    for (std::size_t i = 0; i < params_.links.size(); ++i) AddWay(i);
    Run(1000 * kMs);
    head_ = std::make_unique<host::MultipathHead>(clock_, params_.cpus, params_.multipath);
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      Way& way = *ways_[i];
      if (!way.driver->live()) throw std::runtime_error(way.driver->failure());
      way.path = head_->AddPath(fmt::format("p{}", i), &way.driver->disk(), host::kNoNode,
                                host::AnaState::kOptimized);
      way.watcher->Attach(head_.get(), way.path);
    }
  }

  struct Way {
    std::unique_ptr<ssd::SsdDevice> device;
    std::unique_ptr<ssd::FabricLink> link;
    std::unique_ptr<host::ControllerPath> watcher;
    std::unique_ptr<host::NvmePci> driver;
    host::Path* path = nullptr;
  };

  void Start(const LoopParams& loop) {
    loop_ = loop;
    const std::size_t count = std::size_t{loop.threads} * loop.depth;
    slots_.resize(count);
    running_ = true;
    for (std::size_t i = 0; i < count; ++i) {
      slots_[i].position = i * 1'000'000 * loop.bytes;
      clock_.At(clock_.Now() + i * 100, host::Bind<&PathRig::Next>(this, i));
    }
  }
  /// No I/O is begun any more.
  void Stop() { running_ = false; }
  void Run(TimePs duration) { kernel_->RunUntil(kernel_->Now() + duration); }
  void Down(std::size_t way) {
    ways_[way]->link->Down();
    ways_[way]->driver->LinkDown();
  }
  void Up(std::size_t way) {
    ways_[way]->link->Up();
    ways_[way]->driver->LinkUp();
  }

  /// I/Os that ended since the last call, their mean latency and its deviation in microseconds.
  struct Measured {
    double ios = 0;
    double mean_us = 0;
    double stddev_us = 0;
  };
  Measured Take() {
    Measured m;
    m.ios = static_cast<double>(count_);
    if (count_ > 0) {
      m.mean_us = sum_ / m.ios;
      m.stddev_us = std::sqrt(std::max(0.0, squares_ / m.ios - m.mean_us * m.mean_us));
    }
    count_ = 0;
    sum_ = squares_ = 0;
    return m;
  }

  /// What is lost, failed, ended twice or left over; empty when nothing. Nothing is in flight.
  [[nodiscard]] std::string Trouble() const {
    std::string text;
    const auto note = [&text](std::uint64_t count, const std::string& what) {
      if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    note(head_->InFlight(), "bios in flight");
    note(failed_, "failed");
    note(twice_, "ended twice");
    for (const auto& way : ways_) {
      const host::BlkMq& block = way->driver->block();
      note(block.InFlight(), "in blk-mq of " + way->path->name);
      note(way->path->nr_active, "active on " + way->path->name);
      for (unsigned i = 0; i < block.hctx_count(); ++i) {
        note(block.hctx(i).tags.used(), "tags of " + way->path->name);
      }
      note(way->driver->stats().invalid_cids, "answered twice on " + way->path->name);
    }
    return text;
  }

  [[nodiscard]] host::MultipathHead& head() { return *head_; }
  [[nodiscard]] Way& way(std::size_t index) { return *ways_[index]; }
  [[nodiscard]] base::Random& random() { return random_; }
  [[nodiscard]] TimePs Now() const { return kernel_->Now(); }

 private:
  class RigClock : public host::Clock {
   public:
    [[nodiscard]] TimePs Now() const override { return Kernel().Now(); }
    void At(TimePs when, host::Callback callback) override {
      Kernel().At(when, callback.function, callback.context, callback.argument);
    }

   private:
    static ssd::Kernel& Kernel() { return ssd::Platform::Instance().kernel(); }
  };
  struct Slot {
    host::Bio bio;
    std::uint64_t position = 0;
    TimePs begin = 0;
    bool open = false;
  };

  void AddWay(std::size_t index) {
    auto way = std::make_unique<Way>();
    ssd::ModelFrontEndParams front_end;
    front_end.limits.sq_count = params_.cpus.cpu_count() + 1;
    front_end.max_grant_count = 1;
    ssd::SsdParams drive = params_.drive;
    drive.seed = params_.seed + index;
    way->device =
        std::make_unique<ssd::SsdDevice>(&ssd::Platform::Instance(), index, drive,
                                         std::make_unique<ssd::ModelFrontEnd>(kernel_, front_end));
    way->link = std::make_unique<ssd::FabricLink>(kernel_, way->device.get(), params_.links[index],
                                                  params_.seed, index);
    way->watcher = std::make_unique<host::ControllerPath>(clock_, 0);
    host::NvmeParams nvme = params_.nvme;
    nvme.fabrics = true;
    nvme.instance = static_cast<unsigned>(index);
    nvme.disk_number = disk_;
    way->driver = std::make_unique<host::NvmePci>(clock_, *way->link, memory_, params_.cpus, nvme,
                                                  params_.costs);
    way->driver->SetWatcher(way->watcher.get());
    way->driver->Probe({[](void*, std::uint64_t) {}, nullptr, 0});
    ways_.push_back(std::move(way));
  }

  void Next(std::uint64_t index) {
    if (!running_) return;
    Slot& slot = slots_[index];
    host::Bio& bio = slot.bio;
    const std::uint64_t blocks = params_.drive.identity.capacity_bytes / loop_.bytes;
    if (loop_.random) slot.position = random_.Below(blocks) * loop_.bytes;
    bio.op = random_.Unit() < loop_.write_share ? host::BioOp::kWrite : host::BioOp::kRead;
    bio.offset = slot.position;
    bio.bytes = loop_.bytes;
    bio.cpu = static_cast<std::uint16_t>(index / loop_.depth % params_.cpus.cpu_count());
    bio.task = static_cast<std::uint32_t>(index / loop_.depth);
    bio.cgroup = tree_.root();
    bio.done = host::Bind<&PathRig::Done>(this, index);
    slot.position += loop_.bytes;
    slot.begin = clock_.Now();
    slot.open = true;
    head_->Submit(&bio);
  }
  void Done(std::uint64_t index) {
    Slot& slot = slots_[index];
    if (!slot.open) ++twice_;
    slot.open = false;
    if (slot.bio.status != 0) ++failed_;
    const double us = static_cast<double>(clock_.Now() - slot.begin) / 1e6;
    ++count_;
    sum_ += us;
    squares_ += us * us;
    clock_.At(clock_.Now() + loop_.think, host::Bind<&PathRig::Next>(this, index));
  }

  PathRigParams params_;
  ssd::Kernel* kernel_;
  RigClock clock_;
  base::Random random_;
  host::HostMemory memory_;
  host::CgroupTree tree_;
  unsigned disk_ = 0;
  std::vector<std::unique_ptr<Way>> ways_;
  std::unique_ptr<host::MultipathHead> head_;
  LoopParams loop_;
  std::deque<Slot> slots_;
  bool running_ = false;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  double squares_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t twice_ = 0;
};

}  // namespace nvmearb::system

#endif  // NVMEARB_TB_SYSTEM_PATH_RIG_H_
