// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation/event_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "host_driver/base/user_error.h"
#include "scoreboard/event_names.h"

namespace nvmearb::sim {
namespace {

constexpr std::size_t kFlushBytes = 1 << 16;
constexpr double kPsPerUs = 1e6;

}  // namespace

EventFile::EventFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) {
    throw host::UserError("--events", fmt::format("{}: {}", path, std::strerror(errno)),
                          "a file that can be written");
  }
  buffer_ = "cycle,time_ns,event,sqid,class,head,tail,count,h_credit,m_credit,l_credit\n";
}

EventFile::~EventFile() {
  if (file_ != nullptr) {
    Flush();
    std::fclose(file_);
  }
}

void EventFile::OnEvent(const arbiter::Event& e) {
  std::string_view sq_class = tb::ClassName(e.sq_class);
  if (e.kind == arbiter::EventKind::kConfig) sq_class = tb::MechanismName(e.mechanism);
  auto out = std::back_inserter(buffer_);
  fmt::format_to(out, "{},{}", e.cycle, e.time_ps / 1000);
  if (e.time_ps % 1000 != 0) fmt::format_to(out, ".{:03}", e.time_ps % 1000);
  fmt::format_to(out, ",{},{}{},{},{},{},{},{},{},{}\n", tb::EventName(e.kind), e.is_cq ? "cq" : "",
                 e.sqid, e.is_cq ? std::string_view() : sq_class, e.head, e.tail, e.count,
                 e.credit[0], e.credit[1], e.credit[2]);
  if (buffer_.size() >= kFlushBytes) Flush();
}

void EventFile::Flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) failed_ = true;
  buffer_.clear();
}

void EventFile::Close() {
  Flush();
  failed_ = std::fclose(file_) != 0 || failed_;
  file_ = nullptr;
  if (failed_) {
    throw host::UserError("--events", fmt::format("{} could not be written whole", path_),
                          "room on the disk");
  }
}

void GrantRecorder::OnEvent(const arbiter::Event& e) {
  if (e.kind != arbiter::EventKind::kGrant || e.sqid == 0) return;
  if (grants_.empty()) first_ps_ = e.time_ps;
  if (e.time_ps - first_ps_ > span_ps_ || grants_.size() >= limit_) return;
  grants_.push_back({static_cast<double>(e.time_ps - first_ps_) / kPsPerUs, e.sqid,
                     static_cast<std::uint8_t>(e.sq_class), static_cast<std::uint16_t>(e.count)});
}

}  // namespace nvmearb::sim
