// SPDX-License-Identifier: Apache-2.0
#include "ssd/media.h"

#include <algorithm>

#include "nvme/base/check.h"

namespace nvmearb::ssd {
namespace {

constexpr std::uint64_t kPsPerSecond = 1'000'000'000'000;

/// Time of `bytes` on a link; up to 18 MB a transfer before the product would overflow.
TimePs LinkPs(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  return bytes * kPsPerSecond / bytes_per_s;
}

}  // namespace

Media::Media(Kernel* kernel, const MediaParams& params, std::uint64_t seed, unsigned sq_count,
             IoCommandPool* pool, MediaSink* sink, Flash* shared)
    : kernel_(kernel),
      params_(params),
      seed_(seed),
      pool_(pool),
      sink_(sink),
      own_flash_(shared == nullptr ? std::make_unique<Flash>(kernel, params) : nullptr),
      flash_(shared == nullptr ? own_flash_.get() : shared),
      picks_(sq_count, base::Random(seed)) {
  NVMEARB_CHECK(flash_->die_count() == params.die_count, "a shared drive is the same for all");
  flash_->Attach(this);
  Reset();
}

void Media::Reset() {
  ++epoch_;
  flash_->Reset(unwritten_bytes_);
  unwritten_bytes_ = 0;
  for (std::size_t sqid = 0; sqid < picks_.size(); ++sqid) picks_[sqid] = base::Random(seed_, sqid);
  read_link_free_ps_ = 0;
  write_link_free_ps_ = 0;
}

void Media::StartRead(std::uint32_t command) {
  IoCommand& io = (*pool_)[command];
  const std::uint32_t unit = params_.die_read_bytes;
  std::uint32_t left = io.bytes;
  io.pieces_left = (left + unit - 1) / unit;
  auto die = static_cast<std::uint32_t>(picks_[io.sqid].Below(params_.die_count));
  while (left > 0) {
    const std::uint32_t bytes = std::min(left, unit);
    flash_->QueueRead(die, this, Tag(command), bytes);
    left -= bytes;
    if (++die == params_.die_count) die = 0;
  }
}

/// A die has its data: put them on the link.
void Media::OnDieRead(std::uint64_t tag, std::uint32_t bytes) {
  if (IsStale(tag)) return;
  read_link_free_ps_ =
      std::max(read_link_free_ps_, kernel_->Now()) + LinkPs(bytes, params_.read_link_bytes_per_s);
  if (--(*pool_)[static_cast<std::uint32_t>(tag)].pieces_left == 0) {
    kernel_->Call<&Media::ReadDone>(read_link_free_ps_ + params_.read_completion_ps, this, tag);
  }
}

void Media::ReadDone(std::uint64_t tag) {
  if (!IsStale(tag)) sink_->OnMediaDone(static_cast<std::uint32_t>(tag));
}

bool Media::TryStartWrite(std::uint32_t command) {
  const std::uint32_t bytes = (*pool_)[command].bytes;
  if (!flash_->TryReserve(bytes)) return false;
  unwritten_bytes_ += bytes;
  write_link_free_ps_ =
      std::max(write_link_free_ps_, kernel_->Now()) + LinkPs(bytes, params_.write_link_bytes_per_s);
  kernel_->Call<&Media::WriteDone>(write_link_free_ps_ + params_.write_completion_ps, this,
                                   Tag(command));
  return true;
}

void Media::WriteDone(std::uint64_t tag) {
  if (IsStale(tag)) return;
  const auto command = static_cast<std::uint32_t>(tag);
  const std::uint32_t bytes = (*pool_)[command].bytes;
  unwritten_bytes_ -= bytes;
  flash_->Write(bytes);
  sink_->OnMediaDone(command);
}

}  // namespace nvmearb::ssd
