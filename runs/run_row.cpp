#include "runs/run_row.hpp"

#include <fstream>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "runs/csv_line.hpp"
#include "runs/own_file.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_object(const fs::path& run, const fs::path& file) {
  json out = parse_json(read_own_file(run, file), file.filename().string());
  if (!out.is_object()) throw Error(ErrorCode::file_content_invalid, file.filename().string() + " is not an object");
  return out;
}

void read_index(RunRow& row) {
  const fs::path file = row.folder / "checkpoints" / "index.json";
  if (!is_present(file)) return;
  const json index = read_object(row.folder, file);
  json best = index.value("best", json::object());
  if (!best.is_object()) best = json::object();
  if (best.contains("score")) row.best = number_from_json(best["score"]);
  // Members of another type count as missing, as they do in a run.
  if (best.contains("monitor") && best["monitor"].is_string()) row.monitor = best["monitor"];
  row.larger_is_better = best.contains("larger_is_better") && best["larger_is_better"] == true;
  if (!index.contains("last")) return;
  const fs::path last = row.folder / index["last"].value("path", "");
  if (is_file(last)) row.checkpoint = last.string();
}

std::optional<int64_t> taken_out(std::map<std::string, double>& metrics, const char* name) {
  const auto found = metrics.find(name);
  if (found == metrics.end()) return std::nullopt;
  const auto value = static_cast<int64_t>(found->second);
  metrics.erase(found);
  return value;
}

// Reads epoch and step from the checkpoint if the metrics do not have them.
void read_place(RunRow& row) {
  if (row.step || row.checkpoint.empty()) return;
  const SafetensorsReader file(row.checkpoint);
  for (const auto& [key, place] : {std::pair("epoch", &row.epoch), std::pair("global_step", &row.step)})
    if (file.manifest().contains(key) && file.manifest()[key].is_number_integer()) *place = file.manifest()[key];
}

void read_folder(RunRow& row) {
  row.job = read_object(row.folder, row.folder / "config.json").value("slurm_job", "");
  if (is_own_file(row.folder, row.folder / "metrics.csv")) row.metrics = last_metrics(row.folder / "metrics.csv");
  row.epoch = taken_out(row.metrics, "epoch");
  row.step = taken_out(row.metrics, "step");
  read_index(row);
  read_place(row);
}

// Returns true if the queue has newer information. SLURM reports a job as running for a while after its run has failed.
// A completed run stays done until a newer job begins.
bool tells_more(const RunRow& row, RunState in_queue, bool known) {
  if (row.state == RunState::done) return in_queue == RunState::waiting || in_queue == RunState::running;
  if (row.state == RunState::failed) return in_queue == RunState::waiting;
  return in_queue != RunState::lost || (row.state == RunState::submitted && known);
}

constexpr int64_t most_of_table = 1 << 20;

}  // namespace

RunRow read_run(const fs::path& folder, const std::string& name) {
  RunRow row;
  row.name = name;
  row.folder = folder;
  row.state = RunState::not_submitted;
  if (!is_present(folder / "config.json")) return row;
  const RunEnd end = end_of_run(folder);
  row.state = end.state;
  row.problem = end.error;
  row.code = end.code;
  try {
    read_folder(row);
  } catch (const std::exception& e) {
    const auto* known = dynamic_cast<const Error*>(&e);
    row.state = RunState::broken;
    row.code = known != nullptr ? text_of(known->code()) : "";
    row.problem = brief_json_error(e.what());
  }
  if (holds_lock(folder)) row.state = RunState::running;
  return row;
}

bool is_undecided(const RunRow& row) {
  if (row.state == RunState::done) return row.job_is_newer;
  return !row.job.empty() &&
         (row.state == RunState::interrupted || row.state == RunState::failed || row.state == RunState::submitted);
}

void ask_about(RunRow& row, const JobQueue& queue) {
  if (!is_undecided(row)) return;
  const auto found = queue.state.find(row.job);
  const RunState state = found == queue.state.end() ? RunState::lost : state_in_queue(found->second);
  if (tells_more(row, state, queue.known)) row.state = state;
  if (row.state == RunState::lost)
    row.problem = "job " + row.job + " is no longer in SLURM, and no run has begun; see its output";
}

std::map<std::string, double> last_metrics(const fs::path& file) {
  std::map<std::string, double> out;
  std::string header;
  std::ifstream in;
  if (is_file(file)) in.open(file, std::ios::binary);
  if (!in.is_open() || !std::getline(in, header) || in.eof()) return out;
  const std::vector<std::string> names = csv_cells(header);
  // The first line is the header or begins before the text, and the last one may be unfinished.
  std::vector<std::string> lines = split(end_of_file(file, most_of_table), '\n');
  for (size_t n = 1; n + 1 < lines.size(); ++n) {
    const std::string& line = lines[n];
    const std::vector<std::string> cells = csv_cells(line);
    const bool of_test = is_row_of_test(names, cells);
    for (size_t i = 0; i < cells.size() && i < names.size(); ++i) {
      const std::optional<double> value = number_in_cell(cells[i]);
      if (value && !(of_test && names[i] == "epoch")) out[names[i]] = *value;
    }
  }
  return out;
}

}  // namespace levin::core
