// Passes LibTorch's warnings (TORCH_WARN) to the run's console. By default LibTorch writes them to stderr.
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace levin::core {

class TorchWarnings {
 public:
  using Tell = std::function<void(const std::string& line)>;  // called on the warning's thread, once for each text
  // Handles the warnings of this thread and of threads that call watch_this_thread(). At most one object may exist, and
  // it must outlive these threads.
  explicit TorchWarnings(Tell tell);
  ~TorchWarnings();
  TorchWarnings(const TorchWarnings&) = delete;
  TorchWarnings& operator=(const TorchWarnings&) = delete;

  static void watch_this_thread();  // does nothing if there is no object

 private:
  class Handler;
  std::unique_ptr<Handler> handler_;
};

}  // namespace levin::core
