#include "core/distributed/watched_call.hpp"

#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace levin::core {

void watched_call(std::function<void()> call, const std::function<void()>& while_waiting) {
  std::packaged_task<void()> task(std::move(call));
  std::future<void> outcome = task.get_future();
  std::thread thread(std::move(task));
  try {
    while (outcome.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) while_waiting();
  } catch (...) {
    thread.detach();
    throw;
  }
  thread.join();
  outcome.get();
}

}  // namespace levin::core
