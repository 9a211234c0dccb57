// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/worker_pool.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>

namespace nvmearb::sim {
namespace {

constexpr int kPollMs = 200;

struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::size_t index = 0;
};

bool WriteWhole(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

Child Begin(const WorkerPool& pool, std::size_t index, const std::vector<Child>& others) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe for a worker");
  std::fflush(nullptr);  // or the child would write it once more
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no process for a worker");
  if (pid == 0) {
    close(ends[0]);
    for (const Child& other : others) close(other.pipe);
    std::string text;
    int code = pool.work(index, &text);
    if (!WriteWhole(ends[1], text)) code = 3;
    std::fflush(nullptr);
    _exit(code);
  }
  close(ends[1]);
  return {pid, ends[0], index};
}

int CodeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

std::vector<WorkerResult> WorkerPool::Run(std::size_t count) const {
  std::vector<WorkerResult> results(count);
  std::vector<Child> children;
  std::size_t next = 0;
  std::size_t done = 0;
  bool stopping = false;
  for (;;) {
    if (interrupt != nullptr && *interrupt != 0) stopping = true;
    while (!stopping && next < count && children.size() < jobs) {
      children.push_back(Begin(*this, next++, children));
    }
    if (progress) progress(done, children.size());
    if (children.empty()) break;
    std::vector<pollfd> waits;
    waits.reserve(children.size());
    for (const Child& child : children) waits.push_back({child.pipe, POLLIN, 0});
    if (poll(waits.data(), waits.size(), kPollMs) <= 0) continue;
    for (std::size_t i = children.size(); i-- > 0;) {
      if (waits[i].revents == 0) continue;
      const Child child = children[i];
      WorkerResult& result = results[child.index];
      char buffer[4096];
      const ssize_t bytes = read(child.pipe, buffer, sizeof buffer);
      if (bytes > 0) result.text.append(buffer, static_cast<std::size_t>(bytes));
      if (bytes > 0 || (bytes < 0 && errno == EINTR)) continue;
      int status = 0;
      while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
      }
      close(child.pipe);
      result.ran = true;
      result.exit_code = CodeOf(status);
      const bool is_error =
          result.exit_code != 0 && result.exit_code != 1 && result.exit_code != 130;
      if (is_error && stop_at_error) stopping = true;
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      ++done;
    }
  }
  return results;
}

}  // namespace nvmearb::sim
