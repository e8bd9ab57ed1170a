#include "core/trainer/profiling/profiler.hpp"

#include <ATen/record_function.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/abi/breadcrumb.hpp"

namespace levin::core {
namespace {

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Breadcrumb call_of(const at::RecordFunction& f) { return {"operator", f.name()}; }

std::unique_ptr<at::ObserverContext> began(const at::RecordFunction& f) {
  if (CallListener* listener = call_listener.load(std::memory_order_relaxed)) listener->enter(call_of(f));
  return nullptr;
}

void ended(const at::RecordFunction& f, at::ObserverContext*) {
  if (CallListener* listener = call_listener.load(std::memory_order_relaxed)) listener->leave(call_of(f));
}

}  // namespace

Profiler::Profiler(bool trace) : keeps_spans_(trace) {
  call_listener = this;
  if (trace) operators_.emplace();
}

Profiler::~Profiler() {
  operators_.reset();
  call_listener = nullptr;
}

std::vector<Profiler::Clock::time_point>& Profiler::starts() {
  thread_local std::vector<Clock::time_point> stack;
  return stack;
}

double Profiler::since(Clock::time_point time) const { return seconds(time - began_); }

void Profiler::enter(const Breadcrumb&) { starts().push_back(Clock::now()); }

void Profiler::leave(const Breadcrumb& call) {
  if (starts().empty()) return;  // the call began before the profiler was made
  const Clock::time_point now = Clock::now(), start = starts().back();
  starts().pop_back();
  std::string plugin = file_name(call.plugin ? call.plugin : "host");
  if (call.instance) plugin += std::string(" ") + call.instance;
  const std::string name = call.call ? call.call : "?";
  const std::lock_guard<std::mutex> lock(mutex_);
  Sums::value_type& sum = *sums_.try_emplace({plugin, name}).first;
  ++sum.second.calls;
  sum.second.seconds += seconds(now - start);
  if (!keeps_spans_) return;
  if (spans_.size() == most_spans)
    ++left_out_;
  else
    spans_.push_back(
        {&sum, since(start), seconds(now - start), std::hash<std::thread::id>()(std::this_thread::get_id()) % 1000000});
}

std::string Profiler::table() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const double total = since(Clock::now());
  std::vector<std::pair<std::pair<std::string, std::string>, Sum>> rows(sums_.begin(), sums_.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  char line[400];
  std::snprintf(line, sizeof line, "%-36s %-36s %9s %12s %12s %7s\n", "plugin", "call", "calls", "mean s", "total s",
                "share");
  std::string out = line;
  for (const auto& [key, sum] : rows) {
    std::snprintf(line, sizeof line, "%-36.100s %-36.100s %9lld %12.6f %12.6f %6.1f%%\n", key.first.c_str(),
                  key.second.c_str(), static_cast<long long>(sum.calls), sum.seconds / static_cast<double>(sum.calls),
                  sum.seconds, 100 * sum.seconds / total);
    out += line;
  }
  std::snprintf(line, sizeof line, "%-36s %-36s %9s %12s %12.6f %6.1f%%\n", "the run", "", "", "", total, 100.0);
  return out + line;
}

std::string Profiler::trace() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::map<const Sums::value_type*, std::string> heads;
  for (const Sums::value_type& sum : sums_) {
    const nlohmann::json name = sum.first.second, plugin = sum.first.first;
    heads[&sum] = "{\"name\":" + name.dump() + ",\"cat\":" + plugin.dump();
  }
  std::string out =
      "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"left_out\":" + std::to_string(left_out_) + "},\"traceEvents\":[";
  char rest[160];
  for (const Span& s : spans_) {
    std::snprintf(rest, sizeof rest, ",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":1,\"tid\":%zu}", s.start * 1e6,
                  s.length * 1e6, s.thread);
    out += (&s == spans_.data() ? "\n" : ",\n") + heads[s.call] + rest;
  }
  return out + "\n]}\n";
}

OperatorCalls::OperatorCalls()
    : handle_(at::addGlobalCallback(at::RecordFunctionCallback(&began, &ended)
                                        .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}))) {}

OperatorCalls::~OperatorCalls() { at::removeCallback(handle_); }

}  // namespace levin::core
