#include "host/watch/dashboard_screen.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/base/text.hpp"
#include "sdk/include/levin/util/terminal.hpp"
#include "sdk/include/levin/util/text.hpp"

namespace levin::core::watch {
namespace {

constexpr size_t most_points = 4000;  // of a curve
constexpr size_t longest_bar = 30, shortest_bar = 5;
constexpr size_t rows_for_load = 10, rows_for_charts = 6;

// Every second point stays, and the last one.
void thin(std::vector<double>& values) {
  size_t kept = 0;
  for (size_t i = 0; i < values.size(); i += 2) values[kept++] = values[i];
  if (values.size() % 2 == 0) values[kept++] = values.back();
  values.resize(kept);
}

// Appends the pieces up to the first one that does not fit. A part of a number would be another number.
std::string fitting(std::string text, const std::vector<std::string>& pieces, size_t columns) {
  for (const std::string& piece : pieces) {
    if (text_columns(text) + text_columns(piece) > columns) break;
    text += piece;
  }
  return text;
}

std::string title_of(const DashboardState& state, size_t columns) {
  const RunMessages& run = *state.run;
  const std::string folder = std::filesystem::path(run.text("run_dir")).filename().string();
  const std::string name = folder.empty() ? "run" : folder;
  if (state.mood == RunMood::stopping) return name + ": stopping after this batch; Ctrl-C again quits without saving";
  const std::string mood = run.paused() ? "PAUSED" : state.mood == RunMood::starting ? "starting" : run.text("stage");
  std::vector<std::string> pieces;
  if (const auto left = run.seconds_left()) pieces.push_back(", " + clock_text(*left) + " left");
  if (run.number("step", -1) >= 0)
    pieces.push_back(", step " + run.text("step") + (run.number("steps", -1) > 0 ? "/" + run.text("steps") : ""));
  const std::string& note = run.text("note");
  return fitting(name + ": " + mood, pieces, columns) + (note.empty() ? "" : ", " + note);
}

// "Epoch 3/11 ━━━━━──── 120/391 0:12<0:27 9.8 it/s"
std::string bar_of(const RunMessages& run, size_t columns) {
  const std::string& title = run.text("title");
  if (title.empty()) return "";
  const double done = run.number("done", 0), total = run.number("total", -1), seconds = run.number("seconds", 0);
  const double timed = done - run.number("before", 0);
  std::string tail = std::to_string(static_cast<int64_t>(done)) + "/" + (total < 0 ? "?" : run.text("total"));
  std::vector<std::string> pieces = {" " + clock_text(seconds)};
  if (timed > 0 && seconds > 0) {
    const double rate = timed / seconds;
    if (total >= 0) pieces[0] += "<" + clock_text((total - done) / rate);
    pieces.push_back(" " + fixed(rate, rate < 10 ? 2 : rate < 100 ? 1 : 0) + " it/s");
  }
  std::string head = printable(title) + " ";
  tail = fitting(tail, pieces, columns - std::min(columns, text_columns(head)));
  const size_t used = text_columns(head) + tail.size() + 1;
  if (total <= 0 || used + shortest_bar > columns) return head + tail;
  const size_t width = std::min(columns - used, longest_bar);
  const size_t filled = std::min(static_cast<size_t>(static_cast<double>(width) * done / total), width);
  for (size_t i = 0; i < width; ++i) head += i < filled ? "━" : "─";
  return head + " " + tail;
}

std::string keys_of(const DashboardState& state) {
  const bool paused = state.run->paused();
  return std::string("q stop and save   s save now   ") + (paused ? "p continue" : "p pause");
}

}  // namespace

const std::string& RunMessages::text(const std::string& name) const {
  static const std::string none;
  const auto found = texts_.find(name);
  return found == texts_.end() ? none : found->second;
}

double RunMessages::number(const std::string& name, double otherwise) const {
  const std::string& value = text(name);
  return value.empty() ? otherwise : std::strtod(value.c_str(), nullptr);
}

void RunMessages::add(const std::string& name, double value) {
  MetricHistory& history = metrics_[name];
  history.name = name;
  if (!history.values.empty() && history.values.back() == value) return;
  history.steps.push_back(number("step", 0));
  history.values.push_back(value);
  if (history.values.size() < most_points) return;
  thin(history.steps);
  thin(history.values);
}

void RunMessages::read(const std::string& message, double now) {
  if (paused()) first_time_ += now - time_;
  for (const std::string& line : split(message, '\n')) {
    const std::vector<std::string> parts = split(line, '\t');
    if (parts.size() == 2) texts_[parts[0]] = printable(parts[1]);
    if (parts.size() == 3) add(printable(parts[1]), std::strtod(parts[2].c_str(), nullptr));
  }
  time_ = now;
  if (first_step_ >= 0 || text("stage") != "fit") return;
  first_step_ = number("step", 0);
  first_time_ = now;
}

std::optional<double> RunMessages::seconds_left() const {
  const double steps = number("steps", -1), step = number("step", 0), done = step - first_step_;
  if (text("stage") != "fit" || first_step_ < 0 || done <= 0 || steps < step) return std::nullopt;
  return (time_ - first_time_) / done * (steps - step);
}

std::vector<std::string> dashboard_screen(const DashboardState& state, const Size& size) {
  if (size.rows == 0 || size.columns == 0) return {};
  std::vector<std::string> out = {title_of(state, size.columns)};
  if (size.rows > 1) out.push_back(bar_of(*state.run, size.columns));
  if (size.rows >= rows_for_load) out.push_back(fitting("", state.load, size.columns));
  for (std::string& line : out) line = first_columns(printable(line), size.columns);
  const bool keys = size.rows > 2;
  const std::vector<std::string> log = last_lines(state.log, size.rows);
  const size_t used = out.size() + log.size() + (keys ? 1 : 0), left = size.rows > used ? size.rows - used : 0;
  if (left >= rows_for_charts)
    for (std::string& line : charts(state.run->metrics(), {size.columns, left, size.colours}))
      out.push_back(std::move(line));
  while (out.size() + log.size() + (keys ? 1 : 0) < size.rows) out.emplace_back();  // log and keys are at the bottom
  for (const std::string& line : log) out.push_back(first_columns(line, size.columns));
  if (keys) out.push_back(first_columns(keys_of(state), size.columns));
  if (out.size() > size.rows) out.resize(size.rows);
  return out;
}

}  // namespace levin::core::watch
