// SPDX-License-Identifier: Apache-2.0
#include "run_program.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

namespace nvmearb::system {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  int ends[2] = {-1, -1};
};

[[noreturn]] void Child(const std::vector<std::string>& arguments, int out, int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::vector<char*> argv;
  static char name[] = NVMEARB_PROGRAM;
  argv.push_back(name);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(name, argv.data());
  _exit(127);
}

}  // namespace

ProgramResult RunProgram(const std::vector<std::string>& arguments, int interrupt_after_ms) {
  Pipe out;
  Pipe err;
  const pid_t child = fork();
  if (child == 0) Child(arguments, out.ends[1], err.ends[1]);
  close(out.ends[1]);
  close(err.ends[1]);
  ProgramResult result;
  std::array<pollfd, 2> files = {{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  std::thread interrupter;
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    poll(files.data(), files.size(), -1);
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].fd < 0 || files[i].revents == 0) continue;
      std::array<char, 4096> buffer{};
      const ssize_t got = read(files[i].fd, buffer.data(), buffer.size());
      if (got <= 0) {
        close(files[i].fd);
        files[i].fd = -1;
        continue;
      }
      (i == 0 ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(got));
      if (i == 0 && interrupt_after_ms > 0 && !interrupter.joinable()) {
        interrupter = std::thread([child, interrupt_after_ms] {
          std::this_thread::sleep_for(std::chrono::milliseconds(interrupt_after_ms));
          kill(child, SIGINT);
        });
      }
    }
  }
  int status = 0;
  if (interrupter.joinable()) interrupter.join();  // before the pid can be anybody else's
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string ProgramPath() { return NVMEARB_PROGRAM; }

std::string TemporaryPath(const std::string& name) {
  return ::testing::TempDir() + "nvmearb_" + std::to_string(getpid()) + "_" + name;
}

std::string WriteTemporary(const std::string& name, const std::string& text) {
  const std::string path = TemporaryPath(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace nvmearb::system
