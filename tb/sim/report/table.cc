// SPDX-License-Identifier: Apache-2.0
#include "sim/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/scenario/value.h"

namespace nvmearb::sim {
namespace {

enum class Color { kGood = 32, kBad = 31, kWarn = 33, kDim = 2, kBold = 1 };

std::string Paint(const std::string& text, Color color, bool enabled) {
  if (!enabled) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(color), text);
}

/// Breaks text into lines of at most `width`, each behind `indent`.
std::string Wrapped(const std::string& text, const std::string& indent, std::size_t width) {
  std::string out;
  std::string line;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t blank = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, blank - from);
    from = blank + 1;
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > width) {
      out += indent + line + "\n";
      line.clear();
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + indent + line + "\n";
}

const ComparisonResult* ComparisonOf(const VariantResult& variant, const std::string& job) {
  for (const ComparisonResult& result : variant.comparisons) {
    if (result.wanted.job == job && result.wanted.IsPlain()) return &result;
  }
  return nullptr;
}

std::string Verdict(const ComparisonResult& result, bool color) {
  if (!result.wanted.deviation.empty()) return Paint("deviation", Color::kWarn, color);
  return result.within
             ? Paint("ok", Color::kGood, color)
             : Paint(fmt::format("outside {} %", result.wanted.tolerance_pct), Color::kBad, color);
}

/// Widths of the columns of names; as wide as here, so that most variants look alike.
struct Columns {
  std::size_t job = 9;
  std::size_t queue_class = 7;
};

Columns ColumnsOf(const VariantResult& variant) {
  Columns columns;
  for (const JobResult& job : variant.jobs) {
    columns.job = std::max(columns.job, job.name.size());
    columns.queue_class = std::max(columns.queue_class, job.queue_class.size());
  }
  return columns;
}

std::string HeadLine(const VariantResult& variant, const Columns& columns, bool color) {
  std::string line = fmt::format("  {:<{}}  {:<{}} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
                                 "job", columns.job, "class", columns.queue_class, "share %",
                                 "IOPS", "MiB/s", "mean us", "p50 us", "p99 us", "p99.9 us");
  if (!variant.comparisons.empty()) line += fmt::format("  {:>14} {:>7}", "published", "error %");
  return Paint(line, Color::kDim, color) + "\n";
}

int DecimalsOf(const std::string& unit) { return unit == "ratio" ? 3 : unit == "us" ? 1 : 0; }

/// The comparisons of a job behind the one in its own line, a line each.
std::string FurtherLines(const VariantResult& variant, const JobResult& job, const Columns& columns,
                         bool color) {
  std::string lines;
  const ComparisonResult* const shown = ComparisonOf(variant, job.name);
  for (const ComparisonResult& result : variant.comparisons) {
    if (result.wanted.job != job.name || &result == shown) continue;
    const int decimals = DecimalsOf(result.wanted.unit);
    lines += fmt::format(
        "  {:<{}}  {:<{}} {:>37} {:>29}  {:>14} {:>+7.2f} {}\n", "", columns.job, "",
        columns.queue_class, result.wanted.Label(), Grouped(result.measured, decimals),
        fmt::format("{} {}", Grouped(result.wanted.published, decimals), result.wanted.unit),
        result.error_pct, Verdict(result, color));
  }
  return lines;
}

std::string JobLine(const VariantResult& variant, const JobResult& job, const Columns& columns,
                    bool color) {
  std::string line =
      fmt::format("  {:<{}}  {:<{}} {:>7.1f} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}", job.name,
                  columns.job, job.queue_class, columns.queue_class, job.share_pct,
                  Grouped(job.iops), Grouped(job.mib_per_s, 1), Grouped(job.lat_mean_us, 1),
                  Grouped(job.clat_p50_us), Grouped(job.clat_p99_us), Grouped(job.clat_p999_us));
  if (const ComparisonResult* result = ComparisonOf(variant, job.name)) {
    const std::string published =
        fmt::format("{} {}", Grouped(result->wanted.published), result->wanted.unit);
    line +=
        fmt::format("  {:>14} {:>+7.2f} {}", published, result->error_pct, Verdict(*result, color));
  }
  return line + "\n" + FurtherLines(variant, job, columns, color);
}

/// What went over each path.
std::string PathLines(const VariantResult& variant, bool color) {
  if (variant.paths.empty()) return "";
  std::size_t width = 4;
  for (const PathResult& path : variant.paths) width = std::max(width, path.name.size());
  std::string out = Paint(fmt::format("  {:<{}}  {:<15} {:>7} {:>12} {:>9} {:>9} {:>9} {:>9} {:>9}",
                                      "path", width, "state", "share %", "I/O", "MiB", "mean us",
                                      "peak", "failed", "losses"),
                          Color::kDim, color) +
                    "\n";
  for (const PathResult& path : variant.paths) {
    const std::string state = path.state == "live" ? path.ana : path.state;
    out += fmt::format(
        "  {:<{}}  {:<15} {:>7.1f} {:>12} {:>9} {:>9} {:>9} {:>9} {:>9}\n", path.name, width, state,
        path.share_pct, Grouped(static_cast<double>(path.bios)),
        Grouped(static_cast<double>(path.bytes) / (1024.0 * 1024.0), 1),
        Grouped(path.latency_mean_us, 1), path.in_flight_peak, path.path_errors, path.losses);
  }
  return out + fmt::format("  iopolicy {}\n", variant.iopolicy);
}

}  // namespace

std::string Grouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  std::size_t end = text.find('.');
  if (end == std::string::npos) end = text.size();
  const std::size_t first = text[0] == '-' ? 1 : 0;
  for (std::size_t at = end; at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string FormatHeader(const RunResult& run) {
  std::string out = fmt::format("{}: {}\n", run.scenario, run.title);
  out += Wrapped("source: " + run.source, "  ", 100);
  if (!run.time_note.empty()) out += Wrapped("time: " + run.time_note, "  ", 100);
  out += fmt::format("  engine {}, seed {}\n", run.engine, run.seed);
  return out;
}

std::string FormatVariant(const VariantResult& variant, bool color) {
  std::string out = "\n" + Paint("variant " + variant.name, Color::kBold, color);
  if (variant.interrupted)
    out += Paint(" (interrupted: what was measured so far)", Color::kWarn, color);
  out += variant.queues.empty() ? "\n" : fmt::format(": {}\n", variant.queues);
  const Columns columns = ColumnsOf(variant);
  out += HeadLine(variant, columns, color);
  JobResult sum;
  for (const JobResult& job : variant.jobs) {
    out += JobLine(variant, job, columns, color);
    sum.iops += job.iops;
    sum.mib_per_s += job.mib_per_s;
    sum.share_pct += job.share_pct;
  }
  out +=
      fmt::format("  {:<{}}  {:<{}} {:>7.1f} {:>9} {:>9}\n", "all", columns.job, "",
                  columns.queue_class, sum.share_pct, Grouped(sum.iops), Grouped(sum.mib_per_s, 1));
  out += PathLines(variant, color);
  if (!variant.note.empty()) out += Wrapped("note: " + variant.note, "  ", 100);
  std::string last;
  for (const ComparisonResult& result : variant.comparisons) {
    const std::string& reason = result.wanted.deviation;
    if (!reason.empty() && reason != last) {
      out += Wrapped("deviation: " + reason, "  ", 100);
      last = reason;
    }
  }
  for (const std::string& warning : variant.warnings) {
    out += Wrapped("warning: " + warning, "  ", 100);
  }
  for (const std::string& note : variant.notes) out += Wrapped(note, "  ", 100);
  for (const std::string& notice : variant.notices) out += Wrapped("nvme: " + notice, "  ", 100);
  for (const std::string& finding : variant.findings) {
    out += Paint("  FOUND: " + finding, Color::kBad, color) + "\n";
  }
  out += variant.first_finding;
  return out;
}

std::string FormatVerdict(const RunResult& run, bool color) {
  int good = 0;
  int bad = 0;
  int deviations = 0;
  std::size_t findings = 0;
  std::uint64_t grants = 0;
  std::uint64_t ios = 0;
  double wall = 0;
  std::uint64_t clocks = 0;
  for (const VariantResult& variant : run.variants) {
    for (const ComparisonResult& result : variant.comparisons) {
      good += result.Pass() ? 1 : 0;
      bad += result.Fails() ? 1 : 0;
      deviations += result.wanted.deviation.empty() ? 0 : 1;
    }
    findings += variant.findings.size();
    grants += variant.judged_grants;
    ios += variant.io_count;
    wall += variant.wall_seconds;
    clocks += variant.rtl_clocks;
  }
  std::string out = "\n";
  if (good + bad + deviations > 0) {
    out += fmt::format("  published values: {} within tolerance, ", good);
    out += Paint(fmt::format("{} outside", bad), bad > 0 ? Color::kBad : Color::kGood, color);
    out += fmt::format(", {} known deviation{}\n", deviations, deviations == 1 ? "" : "s");
  }
  out += fmt::format("  judged: {} grants, ", Grouped(static_cast<double>(grants)));
  out += Paint(fmt::format("{} finding{}", findings, findings == 1 ? "" : "s"),
               findings > 0 ? Color::kBad : Color::kGood, color);
  if (wall > 0) {
    out += fmt::format("\n  speed: {} I/O in {:.1f} s, {} I/O per wall second",
                       Grouped(static_cast<double>(ios)), wall,
                       Grouped(static_cast<double>(ios) / wall));
    if (clocks > 0 && ios > 0) {
      out += fmt::format(", {:.1f} RTL clocks run per I/O",
                         static_cast<double>(clocks) / static_cast<double>(ios));
    }
  }
  return out + "\n";
}

}  // namespace nvmearb::sim
