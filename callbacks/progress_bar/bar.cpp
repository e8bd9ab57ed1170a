#include "bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "levin/text.hpp"

namespace levin::progress_bar {
namespace {

// The number of columns of UTF-8 text, taken as its number of code points. That is right for the characters of a bar.
size_t columns(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string cut(const std::string& text, size_t width) {
  size_t at = 0, n = 0;
  while (at < text.size()) {
    size_t next = at + 1;
    while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;
    if (++n > width) break;
    at = next;
  }
  return text.substr(0, at);
}

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

std::string rate_text(const Progress& p) {
  const double done = p.exactly_done() - static_cast<double>(p.before);
  if (done <= 0 || p.seconds <= 0) return "? it/s";
  const double rate = done / p.seconds;
  return fixed(rate, rate < 10 ? 2 : rate < 100 ? 1 : 0) + " it/s";
}

double seconds_left(const Progress& p) {
  const double done = p.exactly_done() - static_cast<double>(p.before);
  if (done <= 0 || p.total < 0) return std::nan("");
  return p.seconds / done * (static_cast<double>(p.total) - p.exactly_done());
}

}  // namespace

std::string metrics_text(const std::vector<std::pair<std::string, double>>& metrics, const char* separator) {
  std::string out;
  for (const auto& [name, value] : metrics) out += (out.empty() ? "" : separator) + name + " " + metric_text(value);
  return out;
}

std::string terminal_line(const Progress& p, size_t width) {
  const std::string head = p.title + " ";
  std::string tail = " " + count_text(p) + " [" + clock_text(p.seconds) + "<" + clock_text(seconds_left(p)) + ", " +
                     rate_text(p) + "]";
  if (!p.metrics.empty()) tail += " " + metrics_text(p.metrics, " ");
  const size_t used = columns(head) + columns(tail);
  const size_t room = std::min<size_t>(width > used ? width - used : 0, 30);
  if (p.total <= 0 || room < 5) return cut(head + tail.substr(1), width);
  const size_t filled =
      static_cast<size_t>(static_cast<double>(room) * p.exactly_done() / static_cast<double>(p.total));
  return head + repeat("━", std::min(filled, room)) + repeat("─", room - std::min(filled, room)) + tail;
}

std::string plain_line(const Progress& p) {
  std::string out = p.title + ": " + count_text(p);
  if (p.total > 0) out += " (" + std::to_string(static_cast<int64_t>(p.exactly_done() * 100) / p.total) + " %)";
  out += ", " + rate_text(p) + ", " + clock_text(p.seconds) + " done";
  if (p.total > p.done) out += ", " + clock_text(seconds_left(p)) + " left";
  return p.metrics.empty() ? out : out + ", " + metrics_text(p.metrics, ", ");
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
