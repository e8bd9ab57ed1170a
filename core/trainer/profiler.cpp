#include "core/trainer/profiler.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace levin::core {
namespace {

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Profiler::Profiler(bool trace) : keeps_spans_(trace) { call_listener = this; }

Profiler::~Profiler() { call_listener = nullptr; }

std::vector<Profiler::Clock::time_point>& Profiler::starts() {
  thread_local std::vector<Clock::time_point> stack;
  return stack;
}

double Profiler::since(Clock::time_point time) const { return seconds(time - began_); }

void Profiler::enter(const Breadcrumb&) { starts().push_back(Clock::now()); }

void Profiler::leave(const Breadcrumb& call) {
  const Clock::time_point now = Clock::now(), start = starts().back();
  starts().pop_back();
  const std::string plugin = file_name(call.plugin ? call.plugin : "host"), name = call.call ? call.call : "?";
  const std::lock_guard<std::mutex> lock(mutex_);
  Sum& sum = sums_[{plugin, name}];
  ++sum.calls;
  sum.seconds += seconds(now - start);
  if (keeps_spans_)
    spans_.push_back({plugin, name, since(start), seconds(now - start),
                      std::hash<std::thread::id>()(std::this_thread::get_id()) % 1000000});
}

std::string Profiler::table() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const double total = since(Clock::now());
  std::vector<std::pair<std::pair<std::string, std::string>, Sum>> rows(sums_.begin(), sums_.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  char line[400];
  std::snprintf(line, sizeof line, "%-28s %-36s %9s %12s %12s %7s\n", "plugin", "call", "calls", "mean s", "total s",
                "share");
  std::string out = line;
  for (const auto& [key, sum] : rows) {
    std::snprintf(line, sizeof line, "%-28.100s %-36.100s %9lld %12.6f %12.6f %6.1f%%\n", key.first.c_str(),
                  key.second.c_str(), static_cast<long long>(sum.calls), sum.seconds / static_cast<double>(sum.calls),
                  sum.seconds, 100 * sum.seconds / total);
    out += line;
  }
  std::snprintf(line, sizeof line, "%-28s %-36s %9s %12s %12.6f %6.1f%%\n", "the run", "", "", "", total, 100.0);
  return out + line;
}

nlohmann::json Profiler::trace() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  nlohmann::json events = nlohmann::json::array();
  for (const Span& s : spans_)
    events.push_back({{"name", s.call},
                      {"cat", s.plugin},
                      {"ph", "X"},
                      {"ts", s.start * 1e6},
                      {"dur", s.length * 1e6},
                      {"pid", 1},
                      {"tid", s.thread}});
  return {{"traceEvents", events}, {"displayTimeUnit", "ms"}};
}

}  // namespace levin::core
