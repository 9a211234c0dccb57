// SPDX-License-Identifier: Apache-2.0
//
// The coverage counters of all Verilated models of the process
// (tools/coverage/process_counters.py), written at its end to
// $NVMEARB_COVERAGE_DIR/rtl-PROGRAM-PID.dat in the format of Verilator's own .dat files, without
// the hierarchy. Without that variable nothing is written. One thread.
#include <errno.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

struct Counter {
  const std::uint32_t* count;
  const char* file;
  int line;
  int column;
  const char* page;
  const char* comment;
  const char* lines;
};

class Counters {
 public:
  ~Counters() {
    const char* const folder = std::getenv("NVMEARB_COVERAGE_DIR");
    if (folder == nullptr || counters_.empty()) return;
    const std::string path = std::string(folder) + "/rtl-" + program_invocation_short_name + "-" +
                             std::to_string(getpid()) + ".dat";
    std::FILE* const out = std::fopen(path.c_str(), "w");
    bool good = out != nullptr && std::fputs("# SystemC::Coverage-3\n", out) >= 0;
    for (const Counter& c : counters_) {
      if (!good) break;
      Write(out, c);
      good = std::ferror(out) == 0;
    }
    if (out == nullptr || std::fclose(out) != 0 || !good) {
      std::perror(path.c_str());
      _exit(1);  // a test whose counts are lost must not pass
    }
  }

  void Add(const Counter& counter) {
    if (known_.insert(counter.count).second) counters_.push_back(counter);
  }

 private:
  static void Write(std::FILE* out, const Counter& c) {
    std::fprintf(out, "C '\1f\2%s\1l\2%d\1n\2%d\1page\2%s\1o\2%s", c.file, c.line, c.column, c.page,
                 c.comment);
    if (*c.lines != '\0') std::fprintf(out, "\1S\2%s", c.lines);
    std::fprintf(out, "' %u\n", *c.count);
  }

  std::unordered_set<const std::uint32_t*> known_;
  std::vector<Counter> counters_;
};

}  // namespace

/// Called by every new model for each of its counters; later calls for the same counter do nothing.
extern "C" void NvmearbRegisterCounter(std::uint32_t* count, const char* file, int line, int column,
                                       const char* page, const char* comment, const char* lines) {
  static Counters counters;
  counters.Add({count, file, line, column, page, comment, lines});
}
