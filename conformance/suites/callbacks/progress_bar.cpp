// The positions that the progress bar draws, read from standard output.
#include <cstdlib>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

struct Drawn {
  std::string title;
  int64_t position;
  json total;
};

// In "Epoch 1/1 ---- 3/64 0:12<0:27 ..." the count is the last "N/M".
bool read_count(const std::string& line, Drawn& out) {
  size_t slash = line.rfind('/');
  const auto is_digit = [&line](size_t at) {
    return at < line.size() && std::isdigit(static_cast<unsigned char>(line[at]));
  };
  while (slash != std::string::npos && slash > 0 && !is_digit(slash - 1))
    slash = line.rfind('/', slash - 1);  // skips "it/s"
  if (slash == std::string::npos || slash == 0) return false;
  const size_t start = line.find_last_not_of("0123456789", slash - 1) + 1;
  out.title = line.substr(0, start);
  out.position = std::atoll(line.substr(start, slash - start).c_str());
  out.total = is_digit(slash + 1) ? json(std::atoll(line.c_str() + slash + 1)) : json();
  return true;
}

std::vector<Drawn> drawn_in(const std::string& output) {
  const std::string start = "\r\x1b[2K";
  std::vector<Drawn> all;
  for (size_t at = output.find(start); at != std::string::npos;) {
    const size_t next = output.find(start, at + 1);
    Drawn one;
    if (read_count(output.substr(at + start.size(), next - at - start.size()), one)) all.push_back(one);
    at = next;
  }
  return all;
}

// Returns the positions of the bar with that title, one per drawing. The line that remains after an epoch is not a
// drawing of its bar.
json positions(const std::vector<Drawn>& all, const std::string& title, json* total = nullptr) {
  json out = json::array();
  for (const Drawn& one : all) {
    if (one.title.compare(0, title.size(), title) != 0) continue;
    if (out.empty() || out.back() != one.position) out.push_back(one.position);
    if (total) *total = one.total;
  }
  return out.empty() ? json() : out;
}

Outcome run_bar(const Case& c) {
  ScriptedRun request;
  request.calls = {c.inputs.at("fn")};
  request.trainer = c.inputs.at("trainer");
  const json items = {c.inputs.at("dataset_len")};
  const bool sized = c.inputs.at("sized");
  request.data = {{"train", items}, {"val", items}, {"test", items}, {"sized", sized}, {"endless", !sized}};
  request.captures_output = true;
  request.callbacks.push_back(
      {"progress_bar",
       "progress_bar",
       {{"refresh_rate", c.inputs.at("refresh_rate")}, {"refresh_interval", 0.0}, {"style", "terminal"}}});
  const Observed seen = run(request);
  const std::vector<Drawn> all = drawn_in(seen.output);
  json total;
  const json train = positions(all, "Epoch", &total);
  return outcome_of(seen, {{"train_n_values", train},
                           {"val_n_values", positions(all, "Validation")},
                           {"test_n_values", positions(all, "Testing")},
                           {"train_bar_total", total}});
}

const SuiteEntry progress_bar("progress_bar", &run_bar);

}  // namespace
}  // namespace conformance
