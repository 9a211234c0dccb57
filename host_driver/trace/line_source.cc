// SPDX-License-Identifier: Apache-2.0
#include "trace/line_source.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "host_driver/base/user_error.h"

namespace nvmearb::trace {
namespace {

using host::UserError;

constexpr std::size_t kChunk = 256 * 1024;

/// A tar archive's magic; the traces of some collections come as .tgz.
bool IsTar(const std::string& start) {
  return start.size() > 262 && start.compare(257, 5, "ustar") == 0;
}

}  // namespace

LineSource::LineSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  errno = 0;
  file_ = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (file_ == nullptr) {
    throw UserError(name_, fmt::format("cannot be opened: {}", std::strerror(errno)),
                    "a trace file, plain or gzip, or - for standard input");
  }
  gzbuffer(file_, kChunk);
  struct stat status {};
  if (path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    file_bytes_ = static_cast<std::uint64_t>(status.st_size);
  }
}

double LineSource::Fraction() const {
  const auto at = gzoffset(file_);
  if (file_bytes_ == 0 || at < 0) return 0;
  return std::min(1.0, static_cast<double>(at) / static_cast<double>(file_bytes_));
}

LineSource::~LineSource() { gzclose(file_); }

std::string LineSource::Where() const { return fmt::format("{}:{}", name_, line_number_); }

void LineSource::Refuse(const std::string& found, const std::string& allowed) const {
  throw UserError(Where(), found, allowed);
}

bool LineSource::Fill() {
  if (at_end_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t old_size = buffer_.size();
  buffer_.resize(old_size + kChunk);
  const int count = gzread(file_, buffer_.data() + old_size, kChunk);
  buffer_.resize(old_size + static_cast<std::size_t>(std::max(count, 0)));
  // A file that is cut off ends with an error that gzread() itself does not return.
  int code = Z_OK;
  const char* const text = gzerror(file_, &code);
  if (count < 0 || code == Z_BUF_ERROR) {
    at_end_ = true;
    ++line_number_;
    if (code == Z_ERRNO) Refuse(std::strerror(errno), "a readable file");
    Refuse(fmt::format("the gzip data is {}", code == Z_BUF_ERROR ? "cut off" : text),
           "a whole gzip file, see gzip -t");
  }
  if (count == 0) at_end_ = true;
  return count > 0;
}

bool LineSource::FindLine(std::string_view* line) {
  std::size_t searched = begin_;
  std::size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos) {
    if (buffer_.size() - begin_ > kMostLineBytes) {
      ++line_number_;
      Refuse(fmt::format("a line of more than {} bytes", kMostLineBytes), "a text file");
    }
    searched = buffer_.size() - begin_;
    if (!Fill()) break;
    end = buffer_.find('\n', searched);
  }
  const bool is_last = end == std::string::npos;
  if (is_last) {
    if (begin_ == buffer_.size()) return false;
    end = buffer_.size();
  }
  *line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = is_last ? end : end + 1;
  return true;
}

bool LineSource::Next(std::string_view* line) {
  if (!FindLine(line)) return false;
  ++line_number_;
  if (line->size() > kMostLineBytes) {
    Refuse(fmt::format("a line of more than {} bytes", kMostLineBytes), "a text file");
  }
  if (line->find('\0') != std::string_view::npos) {
    if (line_number_ == 1 && IsTar(buffer_)) Refuse("a tar archive", "unpack it first: tar xf");
    Refuse("bytes that are no text", "a trace as text, plain or gzip");
  }
  if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
  return true;
}

std::vector<std::string> LineSource::Peek(std::size_t count) {
  std::vector<std::string> lines;
  while (buffer_.size() < kMostLineBytes) {
    bool more = false;
    try {
      more = Fill();
    } catch (const UserError&) {
      at_end_ = false;  // Next() meets it again, behind what is good
      line_number_ = 0;
      break;
    }
    if (!more) break;
  }
  std::size_t from = 0;
  while (lines.size() < count && from < buffer_.size()) {
    const std::size_t end = buffer_.find('\n', from);
    if (end == std::string::npos && !at_end_) break;  // only begun
    std::string line = buffer_.substr(from, end == std::string::npos ? end : end - from);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    if (end == std::string::npos) break;
    from = end + 1;
  }
  return lines;
}

}  // namespace nvmearb::trace
