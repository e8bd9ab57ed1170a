#include "core/distributed/watched_call.hpp"

#include <memory>
#include <thread>
#include <utility>

namespace levin::core {

void watched_call(std::function<void()> call, const std::function<void()>& while_waiting) {
  const auto outcome = std::make_shared<Outcome>();
  std::thread thread([call = std::move(call), outcome] {
    try {
      call();
      outcome->end(nullptr);
    } catch (...) {
      outcome->end(std::current_exception());
    }
  });
  try {
    while (!outcome->wait_for(std::chrono::milliseconds(20))) while_waiting();
  } catch (...) {
    thread.detach();
    throw;
  }
  thread.join();
  outcome->rethrow();
}

}  // namespace levin::core
