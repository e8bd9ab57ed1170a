#include "run_rows.hpp"

#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "core/base/file.hpp"
#include "loggers/csv/table.hpp"
#include "saved.hpp"
#include "tests/loggers/event_reader.hpp"

namespace fs = std::filesystem;
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const fs::path& file) {
  if (!fs::exists(file)) return {};
  std::istringstream in(levin::core::read_file(file));
  Lines out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

bool of_a_clock(const std::string& name) {
  for (const char* part : {"seconds", "loggers.tensorboard.", "loggers.jsonl.", "timer", "throughput_monitor.times",
                           "train/time", "_per_sec"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

Lines csv_rows(const fs::path& run) {
  using levin::csv::Table;
  Lines out;
  const fs::path file = run / "metrics.csv";
  if (!fs::exists(file)) return out;
  Table table = levin::csv::parse(levin::core::read_file(file));
  for (auto& row : table.rows)
    for (const std::string& column : table.columns)
      if (of_a_clock(column) && row.count(column)) row[column] = "measured";
  std::istringstream in(table.text());
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

Lines jsonl_rows(const fs::path& run) {
  Lines out;
  for (const std::string& line : lines_of(run / "metrics.jsonl"))
    out.push_back(std::regex_replace(line, std::regex("\"(time|[a-z/]*_per_sec|train/time)\":[0-9.e-]*"), ""));
  return out;
}

Lines event_rows(const fs::path& run) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(run))
    if (entry.path().filename().string().find("tfevents") != std::string::npos) files.insert(entry.path());
  Lines out;
  for (const fs::path& file : files)
    for (const std::string& record : read_records(levin::core::read_file(file))) {
      const ReadEvent event = read_event(record);
      for (const EventValue& v : event.values)
        if (v.has_simple)
          out.push_back(std::to_string(event.step) + " " + v.tag +
                        (of_a_clock(v.tag) ? "" : " " + std::to_string(v.simple)));
    }
  return out;
}

std::string difference_of_lines(const std::string& what, const Lines& a, const Lines& b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string one = i < a.size() ? a[i] : "nothing", other = i < b.size() ? b[i] : "nothing";
    if (one != other) return what + ", line " + std::to_string(i) + ": " + one + " and " + other;
  }
  return "";
}

Lines checkpoint_names(const fs::path& run) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(run))
    if (entry.path().extension() == ".ckpt" || entry.path().string().find(".tmp") != std::string::npos)
      names.insert(entry.path().lexically_relative(run).string());
  return {names.begin(), names.end()};
}

// Also compares the callbacks' states.
std::string difference_of_checkpoints(const std::string& a, const std::string& b) {
  const std::string first = difference(a, b);
  if (!first.empty()) return first;
  const levin::core::SafetensorsReader one(a), other(b);
  for (const std::string& name : one.names())
    if (!of_a_clock(name) && bytes_of(one, name) != bytes_of(other, name))
      return name + ": " + bytes_of(one, name) + " and " + bytes_of(other, name);
  return "";
}

}  // namespace

std::string difference_of_runs(const fs::path& a, const fs::path& b) {
  for (const auto& [what, rows] : {std::pair<const char*, Lines (*)(const fs::path&)>{"metrics.csv", &csv_rows},
                                   {"metrics.jsonl", &jsonl_rows},
                                   {"event files", &event_rows},
                                   {"checkpoints", &checkpoint_names}})
    if (const std::string rest = difference_of_lines(what, rows(a), rows(b)); !rest.empty()) return rest;
  const char* index = "checkpoints/index.json";
  if (const auto rest = difference_of_lines(index, lines_of(a / index), lines_of(b / index)); !rest.empty())
    return rest;
  for (const std::string& name : checkpoint_names(a))
    if (const auto rest = difference_of_checkpoints((a / name).string(), (b / name).string()); !rest.empty())
      return name + ": " + rest;
  return "";
}
