#include "board/run_details.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "runs/csv_line.hpp"
#include "runs/followed_file.hpp"
#include "runs/own_file.hpp"
#include "runs/run_files.hpp"
#include "runs/run_options.hpp"
#include "runs/run_state.hpp"

namespace levin::core::board {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int64_t most_of_log = 64 << 10, most_of_rank_log = 16 << 10;
constexpr size_t most_of_table = 1 << 20, most_rows = 200, most_columns = 100, most_tables = 20, most_ranks = 4096;

std::string end_of_log(const fs::path& run, const std::string& name, int64_t most) {
  return is_own_file(run, run / name) ? printable(end_of_file(run / name, most)) : "";
}

json text_in(const json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key] : json("");
}

json components_of(const json& config) {
  json out = json::array();
  const auto add = [&out](const std::string& name, const json& one) {
    if (!one.is_object() || one.empty()) return;
    out.push_back({{"name", name}});
    for (const char* key : {"component", "version", "file", "sha256"}) out.back()[key] = text_in(one, key);
  };
  for (const char* one : {"model", "data"})
    if (config.contains(one)) add(one, config[one]);
  for (const char* many : {"callbacks", "loggers", "optimizers"})
    if (config.contains(many) && config[many].is_array())
      for (const json& one : config[many])
        if (one.is_object()) add(std::string(many) + "." + text_in(one, "name").get<std::string>(), one);
  return out;
}

// "" if there is none.
std::string last_line(const std::string& log) {
  const std::vector<std::string> lines = split(log, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (!trim(*line).empty()) return *line;
  return "";
}

// Ranks above 0 have logs of their own. A lost rank is named in those of the others.
json ranks_of(const fs::path& run) {
  json ranks = json::array();
  std::vector<std::string> losses;
  std::set<std::string> lost;
  for (size_t rank = 0; rank < most_ranks; ++rank) {
    const std::string name = rank == 0 ? "log.txt" : "log.rank-" + std::to_string(rank) + ".txt";
    if (rank > 0 && !is_own_file(run, run / name)) break;
    const std::string log = end_of_log(run, name, most_of_rank_log);
    for (const std::string& line : split(log, '\n')) {
      const size_t at = line.find("lost rank ");
      if (at == std::string::npos && line.find(" has been silent for ") == std::string::npos) continue;
      if (at != std::string::npos)
        lost.insert(std::to_string(std::strtoull(line.c_str() + at + std::strlen("lost rank "), nullptr, 10)));
      losses.push_back("rank " + std::to_string(rank) + ": " + line);
    }
    ranks.push_back({{"rank", rank}, {"file", name}, {"last", last_line(log)}});
  }
  for (json& one : ranks) one["lost"] = lost.count(std::to_string(one["rank"].get<size_t>())) != 0;
  return {{"list", ranks}, {"lost", std::vector<std::string>(lost.begin(), lost.end())}, {"lines", losses}};
}

json table_in(const fs::path& file) {
  const std::string text = printable(bytes_of_file(file, 0, most_of_table));
  json columns = json::array(), rows = json::array();
  size_t n = 0;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    std::vector<std::string> cells = csv_cells(line);
    if (cells.size() > most_columns) cells.resize(most_columns);
    if (n++ == 0)
      columns = cells;
    else if (rows.size() < most_rows)
      rows.push_back(cells);
  }
  return {{"name", file.filename().string()}, {"columns", columns}, {"rows", rows}, {"left_out", n > most_rows + 1}};
}

// The tables that components wrote, such as a confusion matrix or predictions.
json tables_of(const fs::path& run) {
  std::vector<fs::path> files;
  std::error_code unknown;
  for (fs::directory_iterator at(run, unknown), end; !unknown && at != end; at.increment(unknown)) {
    const std::string name = at->path().filename().string();
    if (ends_with(name, ".csv") && !starts_with(name, "metrics") && is_own_file(run, at->path()))
      files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  if (files.size() > most_tables) files.resize(most_tables);
  json out = json::array();
  for (const fs::path& file : files) out.push_back(table_in(file));
  return out;
}

json plugins_in(const json& manifest) {
  json out = json::array();
  if (!manifest.contains("plugins") || !manifest["plugins"].is_array()) return out;
  for (const json& one : manifest["plugins"]) {
    if (!one.is_object()) continue;
    out.push_back(json::object());
    for (const char* key : {"id", "version", "file", "sha256"}) out.back()[key] = text_in(one, key);
  }
  return out;
}

json checkpoint_entry(const fs::path& run, const ckpt::RunFile& file) {
  json out = {{"file", file.path.lexically_relative(run).string()},
              {"bytes", file.bytes},
              {"best", file.best},
              {"last", file.last},
              {"problem", ""}};
  try {
    const SafetensorsReader reader(file.path.string());
    const json& manifest = reader.manifest();
    for (const char* key : {"epoch", "global_step"})
      out[key] = manifest.contains(key) && manifest[key].is_number_integer() ? manifest[key] : json(nullptr);
    for (const char* key : {"levin_version", "torch_version"}) out[key] = text_in(manifest, key);
    out["plugins"] = plugins_in(manifest);
  } catch (const std::exception& e) {
    out["problem"] = brief_json_error(e.what());
  }
  return out;
}

// A link in place of the folder is not followed: it may lead anywhere.
json checkpoint_list(const fs::path& run) {
  json out = json::array();
  std::error_code unknown;
  try {
    if (is_folder(run / "checkpoints") && !fs::is_symlink(run / "checkpoints", unknown))
      for (const ckpt::RunFile& file : ckpt::run_files(run)) out.push_back(checkpoint_entry(run, file));
  } catch (const std::exception&) {  // the folder is going away
  }
  return out;
}

}  // namespace

std::string stamp_of(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return "-";
  return std::to_string(facts.st_ino) + "." + std::to_string(facts.st_size) + "." +
         std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

json details_of_run(const fs::path& folder) {
  json config = json::object(), settings = json::array();
  try {
    if (is_file(folder / "config.json"))
      config = parse_json(read_own_file(folder, folder / "config.json"), "config.json");
  } catch (const std::exception&) {  // the row has the problem
  }
  if (!config.is_object()) config = json::object();
  for (const RunOption& one : options_of(config)) settings.push_back({one.name, one.value, one.origin});
  return {{"settings", settings},
          {"components", components_of(config)},
          {"ranks", ranks_of(folder)},
          {"tables", tables_of(folder)},
          {"log", end_of_log(folder, "log.txt", most_of_log)}};
}

json CheckpointLists::of(const fs::path& folder) {
  const std::string stamp = stamp_of(folder / "checkpoints") + " " + stamp_of(folder / "checkpoints/index.json");
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(folder.string());
    if (found != known_.end() && found->second.stamp == stamp) return found->second.list;
  }
  json list = checkpoint_list(folder);
  const std::lock_guard lock(mutex_);
  if (known_.size() > 100) known_.clear();
  known_[folder.string()] = {stamp, list};
  return list;
}

}  // namespace levin::core::board
