#include "board/checkpoint_checks.hpp"

#include "board/run_details.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"

namespace levin::core::board {

CheckpointChecks::CheckpointChecks() : thread_([this] { work(); }) {}

CheckpointChecks::~CheckpointChecks() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

nlohmann::json CheckpointChecks::ask(const std::filesystem::path& file) {
  const std::string stamp = stamp_of(file);
  const std::lock_guard lock(mutex_);
  Check& check = checks_[file.string()];
  if (check.stamp != stamp) {
    check = {stamp, "waiting", ""};
    queue_.push_back(file.string());
    changed_.notify_all();
  }
  return {{"state", check.state}, {"reason", check.reason}};
}

void CheckpointChecks::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !queue_.empty(); });
    if (ends_) return;
    const std::string file = queue_.front();
    queue_.pop_front();
    lock.unlock();
    std::string reason;
    try {
      SafetensorsReader(file).verify();
    } catch (const std::exception& e) {
      reason = printable(e.what());
    }
    lock.lock();
    Check& check = checks_[file];
    check.state = reason.empty() ? "whole" : "damaged";
    check.reason = reason;
  }
}

}  // namespace levin::core::board
