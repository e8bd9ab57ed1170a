#include "core/distributed/watch/duplicate_warnings.hpp"

#include <exception>
#include <functional>
#include <iterator>
#include <thread>
#include <utility>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds held_for{1500};
constexpr int most_told = 1000;  // warnings that the store keeps until the run ends

std::string key_of(const std::string& line) {
  return "warned/" + std::to_string(line.size()) + "/" + std::to_string(std::hash<std::string>()(line));
}

}  // namespace

DuplicateWarnings::DuplicateWarnings(bool is_first, Warn show) : is_first_(is_first), show_(std::move(show)) {}

void DuplicateWarnings::note(const std::string& line) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_first_ && (closed_ || warned_++ >= most_told)) return;
    if (!closed_) return lines_.push_back({line, Clock::now()});
  }
  show_(line);
}

std::vector<DuplicateWarnings::Line> DuplicateWarnings::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(lines_, {});
}

bool DuplicateWarnings::is_done(const Line& line, Store& store) const {
  if (is_first_) return store.set(key_of(line.text), "1"), true;
  if (store.find(key_of(line.text))) return true;
  if (Clock::now() - line.since <= held_for) return false;
  show_(line.text);
  return true;
}

void DuplicateWarnings::exchange(Store& store) {
  std::vector<Line> kept;
  std::exception_ptr lost;
  for (Line& line : take()) try {
      if (lost || !is_done(line, store)) kept.push_back(std::move(line));
    } catch (const Error&) {
      lost = std::current_exception();
      kept.push_back(std::move(line));
    }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.insert(lines_.begin(), std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  }
  if (lost) std::rethrow_exception(lost);
}

bool DuplicateWarnings::empty() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return lines_.empty();
}

void DuplicateWarnings::settle(Store& store) {
  exchange(store);
  while (!empty()) {
    const bool all_told = store.find("left/0").has_value();  // by rank 0
    exchange(store);
    if (all_told) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void DuplicateWarnings::close() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
  }
  if (is_first_) return;
  for (const Line& line : take()) show_(line.text);
}

}  // namespace levin::core
