// Where the progress bar draws, read from what it writes to standard output.
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

// "Epoch 0/0 ---- 3/64 [...": the count is the last "N/M" before the time.
bool read_count(const std::string& line, Drawn& out) {
  const size_t bracket = line.find('[');
  const std::string head = line.substr(0, bracket);
  const size_t slash = head.rfind('/');
  if (bracket == std::string::npos || slash == std::string::npos) return false;
  const size_t start = head.find_last_not_of("0123456789", slash - 1) + 1;
  out.title = head;
  out.position = std::atoll(head.substr(start, slash - start).c_str());
  const std::string total = head.substr(slash + 1);
  out.total = std::isdigit(static_cast<unsigned char>(total[0])) ? json(std::atoll(total.c_str())) : json();
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

// Positions of the bar of that title, one of each drawing; the end of an epoch is drawn again with its metrics.
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
