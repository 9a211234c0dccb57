// SPDX-License-Identifier: Apache-2.0
#include "host_driver/cgroup/cgroup.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_driver/base/user_error.h"
#include "host_driver/cgroup/prio_class.h"
#include "host_driver/cgroup/weight.h"
#include "host_driver/cgroup/wrr.h"
#include "nvme/base/check.h"

namespace nvmearb::host {
namespace {

// Calls `visit(name)` for every path component.
template <typename Visit>
void ForEachComponent(std::string_view path, Visit visit) {
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) visit(path.substr(at, slash - at));
    at = slash + 1;
  }
}

std::string Normalize(std::string_view path) {
  std::string result;
  ForEachComponent(path, [&](std::string_view name) { result.append("/").append(name); });
  return result.empty() ? "/" : result;
}

}  // namespace

const char* WrrLevelName(WrrLevel level) {
  constexpr const char* kNames[kWrrLevelCount] = {"none", "low", "medium", "high", "urgent"};
  NVMEARB_CHECK(static_cast<int>(level) < kWrrLevelCount, "a WrrLevel");
  return kNames[static_cast<int>(level)];
}

CgroupTree::CgroupTree(const CgroupOptions& options) {
  groups_.push_back(std::make_unique<Cgroup>("/", nullptr));
  AddFile(std::make_unique<WrrFile>("io.wrr", options));
  AddFile(std::make_unique<WrrFile>("blkio.wrr", options));
  AddFile(std::make_unique<PrioClassFile>("io.prio.class"));
  AddFile(std::make_unique<PrioClassFile>("blkio.prio.class"));
  AddFile(std::make_unique<WeightFile>("io.bfq.weight", WeightOf::kBfq));
  AddFile(std::make_unique<WeightFile>("blkio.bfq.weight", WeightOf::kBfq));
  AddFile(std::make_unique<WeightFile>("io.weight", WeightOf::kIocost));
}

CgroupTree::~CgroupTree() = default;

Cgroup* CgroupTree::Mkdir(std::string_view path) {
  Cgroup* cgroup = root();
  std::string so_far;
  ForEachComponent(path, [&](std::string_view name) {
    if (name == "." || name == "..") {
      throw UserError("cgroup " + std::string(path), fmt::format("'{}' in a path", name),
                      "write the path from the root, such as /test1");
    }
    for (const auto& file : files_) {
      if (file->name() == name) {
        throw UserError("cgroup " + std::string(path), fmt::format("'{}' is a file", name),
                        "choose another name");
      }
    }
    so_far.append("/").append(name);
    Cgroup* child = Find(so_far);
    if (child == nullptr) {
      groups_.push_back(std::make_unique<Cgroup>(so_far, cgroup));
      child = groups_.back().get();
    }
    cgroup = child;
  });
  return cgroup;
}

Cgroup* CgroupTree::Find(std::string_view path) const {
  const std::string wanted = Normalize(path);
  for (const auto& cgroup : groups_) {
    if (cgroup->path() == wanted) return cgroup.get();
  }
  return nullptr;
}

void CgroupTree::AddFile(std::unique_ptr<CgroupFile> file) { files_.push_back(std::move(file)); }

std::vector<std::string> CgroupTree::FileNames(const Cgroup& cgroup) const {
  std::vector<std::string> names;
  for (const auto& file : files_) {
    if (!cgroup.is_root() || file->on_root()) names.emplace_back(file->name());
  }
  return names;
}

CgroupFile* CgroupTree::FindFile(const Cgroup& cgroup, std::string_view name) const {
  for (const auto& file : files_) {
    if (file->name() == name && (!cgroup.is_root() || file->on_root())) return file.get();
  }
  throw UserError("cgroup " + cgroup.path(), fmt::format("ENOENT: no file '{}'", name),
                  fmt::format("files here: {}", fmt::join(FileNames(cgroup), ", ")));
}

void CgroupTree::Write(Cgroup& cgroup, std::string_view file, std::string_view text) {
  FindFile(cgroup, file)->Write(*this, cgroup, text);
}

std::string CgroupTree::Read(const Cgroup& cgroup, std::string_view file) const {
  return FindFile(cgroup, file)->Read(*this, cgroup);
}

unsigned CgroupTree::AddDisk(const DiskId& disk) {
  for (std::size_t i = 0; i < disks_.size(); ++i) {
    if (disks_[i].major == disk.major && disks_[i].minor == disk.minor) {
      disks_[i] = disk;
      return static_cast<unsigned>(i);
    }
  }
  disks_.push_back(disk);
  return static_cast<unsigned>(disks_.size() - 1);
}

}  // namespace nvmearb::host
