#include "host/engine/check/common/call_page.hpp"

#include <cstdio>
#include <iterator>

namespace levin::core {

CallRecorder::CallRecorder(CallPage& page) : page_(page) { call_listener = this; }

CallRecorder::~CallRecorder() { call_listener = nullptr; }

void CallRecorder::show() {
  std::snprintf(page_.text, sizeof page_.text, "%s", running_.empty() ? "" : running_.back().second.c_str());
  ++page_.changes;
}

void CallRecorder::enter(const Breadcrumb& call) {
  if (!call.plugin) return;
  const std::string name = call.call ? call.call : "?";
  const std::lock_guard<std::mutex> lock(mutex_);
  ++counts_[{call.plugin, name}];
  running_.emplace_back(std::this_thread::get_id(), std::string(call.plugin) + ": " +
                                                        (call.instance ? call.instance + std::string(".") : "") + name);
  show();
}

void CallRecorder::leave(const Breadcrumb& call) {
  if (!call.plugin) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = running_.rbegin(); it != running_.rend(); ++it) {
    if (it->first != std::this_thread::get_id()) continue;
    running_.erase(std::next(it).base());
    break;
  }
  show();
}

bool CallRecorder::called(const std::string& plugin, const std::string& call) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_.count({plugin, call}) > 0;
}

}  // namespace levin::core
