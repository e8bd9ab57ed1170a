// The tasks that a worker has taken and not acknowledged yet. For several threads.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace levin::core::tasks {

class HeldTasks {
 public:
  // Returns false if the worker has it already: the server has handed it out anew, and takes the newer reply.
  bool take(const std::string& id, const std::string& reply) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return replies_.insert_or_assign(id, reply).second;
  }
  std::string release(const std::string& id) {  // returns its reply
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = replies_.find(id);
    if (found == replies_.end()) return "";
    std::string out = std::move(found->second);
    replies_.erase(found);
    return out;
  }
  std::vector<std::string> replies() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> out;
    for (const auto& [id, reply] : replies_) out.push_back(reply);
    return out;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> replies_;
};

}  // namespace levin::core::tasks
