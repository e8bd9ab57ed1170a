#include "bar.hpp"

#include <algorithm>
#include <cmath>

#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"

namespace levin::progress_bar {
namespace {

using Metrics = std::vector<std::pair<std::string, double>>;

constexpr size_t shortest_bar = 5, longest_bar = 30;

std::string repeat(const char* text, size_t n) {
  std::string out;
  while (n-- > 0) out += text;
  return out;
}

std::string count_text(const Progress& p) {
  const std::string batches = std::to_string(p.done) + "/" + (p.total < 0 ? "?" : std::to_string(p.total));
  if (p.splits <= 0) return batches;
  return batches + " split " + std::to_string(p.split) + "/" + std::to_string(p.splits);
}

// Returns the batches per second; "" = no batch has been timed.
std::string rate_text(const Progress& p) {
  const double rate = batches_per_second(p);
  if (rate <= 0) return "";
  return fixed(rate, rate < 10 ? 2 : rate < 100 ? 1 : 0) + " it/s";
}

double seconds_left(const Progress& p) {
  const double done = p.exactly_done() - static_cast<double>(p.before);
  if (done <= 0 || p.total < 0) return std::nan("");
  return p.seconds / done * (static_cast<double>(p.total) - p.exactly_done());
}

std::string metric_pair(const Metrics::value_type& metric) { return metric.first + " " + metric_text(metric.second); }

// Returns the texts for the times, the longest first: "0:12<0:27 9.8 it/s" is the time spent, the time left and the
// rate.
std::vector<std::string> time_texts(const Progress& p) {
  const std::string spent = " " + clock_text(p.seconds), rate = rate_text(p).empty() ? "" : " " + rate_text(p);
  if (p.total < 0) return {spent + rate, spent};
  const std::string left = "<" + clock_text(seconds_left(p));
  return {spent + left + rate, spent + left, " " + left};
}

// Drops the epoch values of metrics that are logged both per step and per epoch: a running epoch shows the step values.
Metrics of_the_step(const Metrics& all) {
  Metrics out;
  for (const auto& metric : all) {
    const std::string& name = metric.first;
    const std::string step = ends_with(name, "_epoch") ? name.substr(0, name.size() - 6) + "_step" : "";
    if (std::none_of(all.begin(), all.end(), [&](const auto& m) { return m.first == step; })) out.push_back(metric);
  }
  return out;
}

std::string joined(const Metrics& metrics) {
  std::string out;
  for (const auto& metric : metrics) out += " " + metric_pair(metric);
  return out;
}

// Returns as many metrics as fit into the room. Validation metrics have priority, because they measure the model's
// quality.
Metrics that_fit(const Metrics& metrics, size_t room) {
  std::vector<bool> fits(metrics.size());
  for (const bool validation : {true, false})
    for (size_t i = 0; i < metrics.size(); ++i) {
      const size_t columns = 1 + text_columns(metric_pair(metrics[i]));
      if ((metrics[i].first.rfind("val", 0) == 0) != validation || columns > room) continue;
      fits[i] = true;
      room -= columns;
    }
  Metrics out;
  for (size_t i = 0; i < metrics.size(); ++i)
    if (fits[i]) out.push_back(metrics[i]);
  return out;
}

std::string bar_text(const Progress& p, size_t width) {
  const double part = p.total > 0 ? p.exactly_done() / static_cast<double>(p.total) : 1;
  const size_t filled = std::min(static_cast<size_t>(static_cast<double>(width) * part), width);
  return repeat("━", filled) + repeat("─", width - filled) + " ";
}

std::string with_commas(std::vector<std::string> pieces, size_t width) {
  for (size_t i = 0; i + 1 < pieces.size(); ++i) pieces[i] += ",";
  return wrapped(pieces, width, 2);
}

}  // namespace

std::string terminal_line(const Progress& p, size_t width) {
  const std::string head = p.title + " ", count = count_text(p);
  const bool has_bar = p.total > 0;
  const size_t used = text_columns(head) + (has_bar ? shortest_bar + 1 : 0) + text_columns(count);
  const std::vector<std::string> times = time_texts(p);
  if (used + text_columns(times.back()) > width) return first_columns(head + count + times.back(), width);

  Metrics metrics = of_the_step(p.metrics);
  const auto fits = [&](const std::string& time) {
    return used + text_columns(time) + text_columns(joined(metrics)) <= width;
  };
  auto time = std::find_if(times.begin(), times.end(), fits);
  if (time == times.end()) {
    --time;
    metrics = that_fit(metrics, width - used - text_columns(*time));
  }
  const std::string tail = count + *time + joined(metrics);
  if (!has_bar) return head + tail;
  const size_t room = width - text_columns(head) - text_columns(tail) - 1;
  return head + bar_text(p, std::min(room, longest_bar)) + tail;
}

std::string plain_line(const Progress& p) {
  std::string out = p.title + ": " + count_text(p);
  if (p.total > 0) out += " (" + std::to_string(static_cast<int64_t>(p.exactly_done() * 100) / p.total) + " %)";
  if (const std::string rate = rate_text(p); !rate.empty()) out += ", " + rate;
  out += ", " + clock_text(p.seconds) + " done";
  if (p.total > p.done) out += ", " + clock_text(seconds_left(p)) + " left";
  for (const auto& metric : p.metrics) out += ", " + metric_pair(metric);
  return out;
}

std::string epoch_lines(const Progress& p, size_t width) {
  std::vector<std::string> pieces = {p.title + ": " + count_text(p) + " in " + clock_text(p.seconds), rate_text(p)};
  for (const auto& metric : p.metrics) pieces.push_back(metric_pair(metric));
  const bool fits = width == 0 || text_columns(with_commas(pieces, 0)) <= width;
  if (!fits || pieces[1].empty()) pieces.erase(pieces.begin() + 1);
  return with_commas(pieces, width);
}

double batches_per_second(const Progress& p) {
  const double done = p.exactly_done() - static_cast<double>(p.before);
  return done > 0 && p.seconds > 0 ? done / p.seconds : 0;
}

int64_t batches_to_skip(int64_t done, double seconds, double wait) {
  if (seconds <= 0 || wait <= 0) return 0;
  return static_cast<int64_t>(std::min(static_cast<double>(done) / seconds * wait / 2, 1e9));
}

int64_t total_batches(double num_training_batches, double max_epochs, double max_steps, int64_t global_step) {
  const double left = max_epochs == -1 && max_steps > 0 ? max_steps - static_cast<double>(global_step) : INFINITY;
  const double total =
      num_training_batches < 0 || std::isnan(num_training_batches) ? left : std::min(num_training_batches, left);
  return std::isfinite(total) ? static_cast<int64_t>(total) : -1;
}

}  // namespace levin::progress_bar
