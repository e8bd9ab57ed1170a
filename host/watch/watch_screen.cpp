#include "host/watch/watch_screen.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "host/watch/braille.hpp"
#include "runs/metric_name.hpp"
#include "sdk/include/levin/util/terminal.hpp"
#include "sdk/include/levin/util/text.hpp"

namespace levin::core::watch {
namespace {

constexpr size_t least_rows_of_chart = 5, least_columns_of_chart = 60, most_lines_of_log = 8;

struct Shown {
  std::string base;
  std::vector<std::pair<std::string, const MetricHistory*>> lines;  // what is before "loss" and behind it
};

// The loss comes first, then the other metrics by their names.
std::vector<Shown> shown_metrics(const std::map<std::string, MetricHistory>& metrics) {
  std::vector<Shown> out;
  for (const auto& [name, history] : metrics) {
    if (history.steps.empty() || history.steps.front() == history.steps.back()) continue;
    const MetricName parsed = parsed_name(name);
    auto found = std::find_if(out.begin(), out.end(), [&](const Shown& one) { return one.base == parsed.base; });
    if (found == out.end()) found = out.insert(out.end(), Shown{parsed.base, {}});
    found->lines.emplace_back(parsed.without_base(), &history);
  }
  std::sort(out.begin(), out.end(), [](const Shown& a, const Shown& b) {
    return std::pair(a.base != "loss", a.base) < std::pair(b.base != "loss", b.base);
  });
  return out;
}

std::string place_of(const RunRow& row) {
  std::string out;
  if (row.epoch) out += ", epoch " + std::to_string(*row.epoch + 1);
  if (row.step) out += ", step " + std::to_string(*row.step);
  if (row.best) out += ", best " + (row.monitor.empty() ? "" : row.monitor + " ") + metric_text(*row.best);
  return out;
}

// "loss  train 0.31  val 0.40", in the colours of the lines.
std::string title_of(const Shown& metric, const Size& size, size_t columns) {
  std::string out = first_columns(printable(metric.base), columns);
  size_t used = text_columns(out);
  for (size_t i = 0; i < metric.lines.size(); ++i) {
    const auto& [what, history] = metric.lines[i];
    const std::string text = "  " + printable(what) + (what.empty() ? "" : " ") + metric_text(history->values.back());
    if (used + text_columns(text) > columns) break;
    used += text_columns(text);
    out += size.colours ? line_colour(i) + text + no_colour : text;
  }
  return out + std::string(columns - used, ' ');
}

// One chart with its title: `rows` lines.
std::vector<std::string> drawn(const Shown& metric, const Size& size, size_t columns, size_t rows) {
  std::vector<Line> lines;
  for (const auto& [what, history] : metric.lines) lines.push_back({history->steps, history->values});
  std::vector<std::string> out = {title_of(metric, size, columns)};
  for (std::string& row : chart(lines, columns, rows - 1, size.colours)) out.push_back(std::move(row));
  return out;
}

}  // namespace

std::vector<std::string> charts(const std::map<std::string, MetricHistory>& metrics, const Size& size) {
  std::vector<std::string> out;
  const std::vector<Shown> shown = shown_metrics(metrics);
  const size_t beside = std::clamp<size_t>(size.columns / least_columns_of_chart, 1, 3);
  const size_t rows_of_charts = std::min((shown.size() + beside - 1) / beside, size.rows / (least_rows_of_chart + 1));
  const size_t columns = (size.columns - (beside - 1) * 2) / beside;
  for (size_t line = 0; line < rows_of_charts; ++line) {
    const size_t rows = size.rows / rows_of_charts;
    std::vector<std::string> together(rows);
    for (size_t i = line * beside; i < std::min(shown.size(), (line + 1) * beside); ++i) {
      const std::vector<std::string> one = drawn(shown[i], size, columns, rows);
      for (size_t row = 0; row < rows; ++row) together[row] += (i % beside ? "  " : "") + one[row];
    }
    out.insert(out.end(), together.begin(), together.end());
  }
  if (rows_of_charts == 0 && size.rows > 0)
    out.push_back(first_columns(shown.empty() ? "no metric of several steps yet" : "", size.columns));
  return out;
}

std::vector<std::string> last_lines(const std::string& text, size_t rows) {
  std::vector<std::string> lines = split(trim(printable(text)), '\n');
  const size_t most = std::min(most_lines_of_log, rows / 4);
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<long>(most));
  return lines;
}

std::vector<std::string> watch_screen(const Watched& run, const Size& size) {
  if (size.rows == 0 || size.columns == 0) return {};
  std::vector<std::string> out = {
      first_columns(printable(run.row.name + ": " + name_of(run.row.state) + place_of(run.row)), size.columns)};
  if (!run.row.problem.empty() && size.rows > 1)
    out.push_back(first_columns(printable(split(run.row.problem, '\n')[0]), size.columns));
  const std::vector<std::string> log = last_lines(run.log, size.rows);
  const size_t used = out.size() + log.size(), left = size.rows > used ? size.rows - used : 0;
  for (std::string& line : charts(*run.metrics, {size.columns, left, size.colours})) out.push_back(std::move(line));
  for (const std::string& line : log) out.push_back(first_columns(line, size.columns));
  return out;
}

std::string watch_line(const Watched& run) {
  std::string out = run.row.name + " " + name_of(run.row.state) + place_of(run.row);
  for (const auto& [name, value] : run.row.metrics)
    if (!ends_with(name, "_step")) out += ", " + name + " " + metric_text(value);
  return printable(out);
}

}  // namespace levin::core::watch
