// SPDX-License-Identifier: Apache-2.0
//
// Cgroup and CgroupTree: control groups as a tree of directories with files that policies register.
//
// Reading order: cgroup.h (tree), wrr.h (the io.wrr / blkio.wrr files), prio_class.h
// (io.prio.class), weight.h (io.weight, io.bfq.weight).
#ifndef NVMEARB_HOST_DRIVER_CGROUP_CGROUP_H_
#define NVMEARB_HOST_DRIVER_CGROUP_CGROUP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nvmearb::host {

/// Service class a cgroup asks for on one disk (io.wrr). Order as in the kernel's enum.
enum class WrrLevel : std::uint8_t { kNone = 0, kLow, kMedium, kHigh, kUrgent };
inline constexpr int kWrrLevelCount = 5;

/// What io.prio.class says about I/O of a cgroup (Linux 5.14 and later); the class in force is the
/// numerically larger one of this and the I/O's own (IOPRIO_CLASS_NONE = 0).
enum class PrioPolicy : std::uint8_t { kNoChange = 0, kNoneToRt = 1, kRestrictToBe = 2, kIdle = 3 };

/// "none", "low", "medium", "high", "urgent".
[[nodiscard]] const char* WrrLevelName(WrrLevel level);

/// One control group. Created and owned by a CgroupTree, alive as long as the tree.
///
/// The level of a (cgroup, disk) pair lives here, indexed by the disk's number in the tree, because
/// the block layer reads it for every request. It is not inherited by children.
class Cgroup {
 public:
  Cgroup(std::string path, Cgroup* parent) : path_(std::move(path)), parent_(parent) {}
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;

  /// "/" for the root, else "/a/b".
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Cgroup* parent() const { return parent_; }
  [[nodiscard]] bool is_root() const { return parent_ == nullptr; }

  /// Of this cgroup, for all disks; not inherited by children.
  [[nodiscard]] PrioPolicy prio_policy() const { return prio_policy_; }
  void set_prio_policy(PrioPolicy policy) { prio_policy_ = policy; }

  /// io.bfq.weight, 1..1000, for all disks.
  [[nodiscard]] unsigned bfq_weight() const { return bfq_weight_; }
  void set_bfq_weight(unsigned weight) { bfq_weight_ = weight; }
  /// io.weight, 1..10000, for all disks.
  [[nodiscard]] unsigned io_weight() const { return io_weight_; }
  void set_io_weight(unsigned weight) { io_weight_ = weight; }

  /// Level on disk number `disk`; makes the disk known to this cgroup, as the kernel does when the
  /// first I/O of a cgroup reaches a disk. Hot path.
  [[nodiscard]] WrrLevel LevelForIo(unsigned disk) {
    if (disk >= wrr_.size() || !wrr_[disk].known) Know(disk);
    return wrr_[disk].level;
  }

  /// The same without making anything known.
  [[nodiscard]] WrrLevel Level(unsigned disk) const {
    return disk < wrr_.size() ? wrr_[disk].level : WrrLevel::kNone;
  }
  [[nodiscard]] bool Knows(unsigned disk) const { return disk < wrr_.size() && wrr_[disk].known; }

  void SetLevel(unsigned disk, WrrLevel level) {
    Know(disk);
    wrr_[disk] = {level, true, false};
  }
  /// The posted series accepts an unknown level and stores a value that reads back as "wrong" and
  /// acts as none (host_algorithms: "bug").
  void SetWrongLevel(unsigned disk) {
    Know(disk);
    wrr_[disk] = {WrrLevel::kNone, true, true};
  }
  [[nodiscard]] bool IsWrongLevel(unsigned disk) const {
    return disk < wrr_.size() && wrr_[disk].wrong;
  }

 private:
  struct DiskState {
    WrrLevel level = WrrLevel::kNone;
    bool known = false;
    bool wrong = false;
  };
  void Know(unsigned disk) {
    if (disk >= wrr_.size()) wrr_.resize(disk + 1);
    wrr_[disk].known = true;
  }

  std::string path_;
  Cgroup* parent_;
  std::vector<DiskState> wrr_;
  PrioPolicy prio_policy_ = PrioPolicy::kNoChange;
  unsigned bfq_weight_ = 100;
  unsigned io_weight_ = 100;
};

/// A disk as cgroup files name it.
struct DiskId {
  std::string name;  ///< "nvme0n1"
  unsigned major = 0;
  unsigned minor = 0;  ///< of the whole disk; partitions take the minors that follow
  unsigned partition_count = 0;
};

class CgroupTree;

/// A file that a policy puts into every cgroup directory.
class CgroupFile {
 public:
  virtual ~CgroupFile() = default;
  /// "io.wrr"
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Whether the root directory shows the file too.
  [[nodiscard]] virtual bool on_root() const = 0;
  [[nodiscard]] virtual std::string Read(const CgroupTree& tree, const Cgroup& cgroup) const = 0;
  /// Throws UserError naming the errno ("EINVAL: ..."), with nothing changed.
  virtual void Write(CgroupTree& tree, Cgroup& cgroup, std::string_view text) = 0;
};

/// What a CgroupTree may be told about the kernel it imitates.
struct CgroupOptions {
  /// The posted v1..v3 series showed the wrr files on the root cgroup; hidden from v4 on.
  bool wrr_on_root = false;
  /// Reproduces the defects of the posted patches instead of the corrected behaviour.
  bool posted_bugs = false;
};

/// The cgroup file system of one host. Owns the groups and the files. Not thread safe.
/// Paths are absolute; "test1" is taken as "/test1", doubled and trailing slashes are ignored.
class CgroupTree {
 public:
  /// Has the files io.wrr, io.prio.class, io.bfq.weight with their blkio. twins, and io.weight.
  explicit CgroupTree(const CgroupOptions& options = {});
  ~CgroupTree();

  [[nodiscard]] Cgroup* root() const { return groups_.front().get(); }

  /// Makes a directory and those above it that are missing (mkdir -p); returns an existing one
  /// unchanged. Throws UserError for "." and ".." and for the name of a file.
  Cgroup* Mkdir(std::string_view path);

  /// The group at `path`, or null.
  [[nodiscard]] Cgroup* Find(std::string_view path) const;

  /// Makes `file` appear in every directory.
  void AddFile(std::unique_ptr<CgroupFile> file);

  /// Names of the files in the directory of `cgroup`, in order of registration.
  [[nodiscard]] std::vector<std::string> FileNames(const Cgroup& cgroup) const;

  /// Writes `text` to a file, as `echo text > path/file`. UserError: ENOENT when there is no such
  /// file in this directory, else what the file says.
  void Write(Cgroup& cgroup, std::string_view file, std::string_view text);

  /// What `cat path/file` shows. UserError as for Write().
  [[nodiscard]] std::string Read(const Cgroup& cgroup, std::string_view file) const;

  /// Announces a disk; returns its number for Cgroup::LevelForIo(). Numbers count from 0. A disk
  /// that is announced again (same major:minor) keeps its number.
  unsigned AddDisk(const DiskId& disk);
  [[nodiscard]] const std::vector<DiskId>& disks() const { return disks_; }

 private:
  [[nodiscard]] CgroupFile* FindFile(const Cgroup& cgroup, std::string_view file) const;

  std::vector<std::unique_ptr<Cgroup>> groups_;  // the root first
  std::vector<std::unique_ptr<CgroupFile>> files_;
  std::vector<DiskId> disks_;
};

}  // namespace nvmearb::host

#endif  // NVMEARB_HOST_DRIVER_CGROUP_CGROUP_H_
