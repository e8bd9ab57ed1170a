#include "report/report.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "report/curves.hpp"
#include "runs/own_file.hpp"
#include "runs/run_options.hpp"
#include "sdk/include/levin/util/text.hpp"

namespace levin::core::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t lines_of_log = 20;
constexpr int64_t most_of_log = 64 << 10;

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string size_text(uint64_t bytes) {
  const char* const units[] = {"B", "KB", "MB", "GB", "TB"};
  double size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1000 && unit < 4; ++unit) size /= 1000;
  return fixed(size, unit == 0 || size >= 100 ? 0 : 1) + " " + units[unit];
}

// "2026-11-26T23:59:27.796 info ..." -> "2026-11-26 23:59:27"; "" if the line has no time.
std::string time_of(const std::string& line) {
  if (line.size() < 19 || line[4] != '-' || line[10] != 'T') return "";
  return line.substr(0, 10) + " " + line.substr(11, 8);
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  char text[40];
  ::localtime_r(&seconds, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

std::string last_time(const ReportedRun& run) {
  std::string out;
  for (const std::string& line : split(run.last_lines, '\n'))
    if (const std::string time = time_of(line); !time.empty()) out = time;
  return out;
}

void add_overview(Document& out, const std::vector<ReportedRun>& runs) {
  Table table{{"run", "state", "model", "data", "epochs", "steps", "best", "started", "last message"}, {}, {}};
  for (const ReportedRun& run : runs) {
    const std::vector<RunOption> settings = options_of(run.config);
    const RunRow& row = run.row;
    table.rows.push_back({row.name, name_of(row.state), value_of(settings, "model"), value_of(settings, "data"),
                          row.epoch ? std::to_string(*row.epoch + 1) : "", row.step ? std::to_string(*row.step) : "",
                          row.best ? (row.monitor.empty() ? "" : row.monitor + " ") + number_text(*row.best) : "",
                          time_of(run.first_line), last_time(run)});
  }
  out.add(Heading{runs.size() == 1 ? "Run" : "Runs"});
  out.add(std::move(table));
  for (const ReportedRun& run : runs)
    if (!run.row.problem.empty())
      out.add(
          Paragraph{run.row.name + " " + name_of(run.row.state) + code_in_brackets(run.row) + ": " + run.row.problem});
}

// The last value of each metric, with those of training steps left out where there is one of the epoch.
void add_metrics(Document& out, const std::vector<ReportedRun>& runs) {
  std::vector<std::string> names;
  for (const ReportedRun& run : runs)
    for (const auto& [name, value] : run.row.metrics)
      if (!ends_with(name, "_step") && std::count(names.begin(), names.end(), name) == 0) names.push_back(name);
  if (names.empty()) return;
  std::sort(names.begin(), names.end());
  Table table{{"metric"}, {}, {}};
  for (const ReportedRun& run : runs) table.columns.push_back(run.row.name);
  for (const std::string& name : names) {
    std::vector<std::string>& row = table.rows.emplace_back(1, name);
    for (const ReportedRun& run : runs) {
      const auto found = run.row.metrics.find(name);
      row.push_back(found == run.row.metrics.end() ? "" : number_text(found->second));
    }
  }
  out.add(Heading{"Last values"});
  out.add(std::move(table));
}

void add_curves(Document& out, const std::vector<ReportedRun>& runs) {
  std::vector<RunCurves> curves;
  for (const ReportedRun& run : runs) curves.push_back({run.row.name, &run.metrics});
  const std::vector<Picture> pictures = curves_of(curves);
  if (pictures.empty()) return;
  out.add(Heading{"Curves"});
  for (const Picture& picture : pictures) out.add(picture);
}

void add_differences(Document& out, const std::vector<ReportedRun>& runs) {
  if (runs.size() < 2) return;
  std::vector<std::vector<RunOption>> settings;
  Table table{{"option"}, {}, {}};
  for (const ReportedRun& run : runs) {
    settings.push_back(options_of(run.config));
    table.columns.push_back(run.row.name);
  }
  for (const std::string& name : different_options(settings)) {
    std::vector<std::string>& row = table.rows.emplace_back(1, name);
    for (const auto& own : settings) row.push_back(value_of(own, name));
  }
  out.add(Heading{"Options that differ"});
  if (table.rows.empty())
    out.add(Paragraph{"All options are equal."});
  else
    out.add(std::move(table));
}

void add_options(Document& out, const ReportedRun& run) {
  Table set{{"option", "value", "set by"}, {}, {}}, defaults{{"option", "value"}, {}, "Options with their defaults"};
  for (const RunOption& one : options_of(run.config))
    if (one.origin.empty())
      defaults.rows.push_back({one.name, one.value});
    else
      set.rows.push_back({one.name, one.value, one.origin});
  if (!set.rows.empty()) out.add(std::move(set));
  if (!defaults.rows.empty()) out.add(std::move(defaults));
}

void add_components(Document& out, const ReportedRun& run) {
  Table table{{"component", "version", "file", "SHA-256"}, {}, "Plugins"};
  const auto add = [&table](const nlohmann::json& one) {
    if (!one.is_object()) return;
    const auto text = [&one](const char* key) {
      return one.contains(key) && one[key].is_string() ? one[key].get<std::string>() : std::string();
    };
    table.rows.push_back({text("component"), text("version"), text("file"), text("sha256").substr(0, 16)});
  };
  for (const char* one : {"model", "data"})
    if (run.config.contains(one)) add(run.config[one]);
  for (const char* many : {"callbacks", "loggers", "optimizers"})
    if (run.config.contains(many) && run.config[many].is_array())
      for (const nlohmann::json& one : run.config[many]) add(one);
  if (!table.rows.empty()) out.add(std::move(table));
}

void add_code(Document& out, const ReportedRun& run) {
  if (!run.code.is_object() || !run.code.contains("repositories") || !run.code["repositories"].is_array()) return;
  Table table{{"code", "commit", "branch", "changed", "untracked"}, {}, "Sources of the plugins"};
  for (const nlohmann::json& one : run.code["repositories"]) {
    if (!one.is_object()) continue;
    const auto text = [&one](const char* key) {
      return one.contains(key) && one[key].is_string() ? one[key].get<std::string>() : std::string();
    };
    const auto names = [&one](const char* key) {
      std::vector<std::string> list;
      if (one.contains(key) && one[key].is_array())
        for (const nlohmann::json& name : one[key])
          if (name.is_string()) list.push_back(name.get<std::string>());
      return join_some(list, 5);
    };
    const std::string commit = text("problem").empty() ? text("commit").substr(0, 12) : text("problem");
    table.rows.push_back({text("repository"), commit, text("branch"), names("changed"), names("untracked")});
  }
  if (!table.rows.empty()) out.add(std::move(table));
}

void add_checkpoints(Document& out, const ReportedRun& run) {
  Table table{{"checkpoint", "size", ""}, {}, {}};
  for (const ckpt::RunFile& file : run.checkpoints) {
    const std::string which = file.best && file.last ? "best and last" : file.best ? "best" : file.last ? "last" : "";
    table.rows.push_back({file.path.lexically_relative(run.row.folder).string(), size_text(file.bytes), which});
  }
  if (!table.rows.empty()) out.add(std::move(table));
}

void add_run(Document& out, const ReportedRun& run, bool alone) {
  out.add(Heading{alone ? "Details" : run.row.name});
  out.add(Paragraph{"Folder: " + run.row.folder.string()});
  add_options(out, run);
  add_components(out, run);
  add_code(out, run);
  add_checkpoints(out, run);
  if (run.last_lines.empty()) return;
  out.add(Paragraph{"The end of log.txt:"});
  out.add(Lines{run.last_lines});
}

std::string first_line_of(const fs::path& file) {
  std::ifstream in;
  std::string out(64, '\0');
  if (is_file(file)) in.open(file, std::ios::binary);
  in.read(out.data(), 64);
  out.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return out.substr(0, out.find('\n'));
}

std::string last_lines_of(const fs::path& file) {
  const std::string text = trim(printable(end_of_file(file, most_of_log)));
  size_t begin = text.size();
  for (size_t n = 0; n < lines_of_log && begin != std::string::npos && begin > 0; ++n)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

}  // namespace

ReportedRun read_reported_run(const RunRow& row) {
  ReportedRun out;
  out.row = row;
  try {
    if (is_present(row.folder / "config.json"))
      out.config = parse_json(read_file(row.folder / "config.json"), "config.json");
    if (!out.config.is_object()) out.config = nlohmann::json::object();
    if (is_folder(row.folder / "checkpoints")) out.checkpoints = ckpt::run_files(row.folder);
    if (is_own_file(row.folder, row.folder / "code.json"))
      out.code = parse_json(read_file(row.folder / "code.json"), "code.json");
  } catch (const std::exception& e) {
    if (out.row.problem.empty()) out.row.problem = brief_json_error(e.what());
  }
  out.metrics = read_metric_history(row.folder);
  out.first_line = first_line_of(row.folder / "log.txt");
  out.last_lines = last_lines_of(row.folder / "log.txt");
  return out;
}

Document make_report(const std::vector<ReportedRun>& runs) {
  Document out;
  out.title = runs.size() == 1 ? "Run " + runs[0].row.name : "Report on " + std::to_string(runs.size()) + " runs";
  out.add(Paragraph{std::string("Made by host ") + host_version + " on " + now() + "."});
  add_overview(out, runs);
  add_metrics(out, runs);
  add_curves(out, runs);
  add_differences(out, runs);
  for (const ReportedRun& run : runs) add_run(out, run, runs.size() == 1);
  return out;
}

}  // namespace levin::core::report
