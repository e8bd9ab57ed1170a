// LibTorch's warnings (TORCH_WARN) as lines of the run. Without this LibTorch writes them to stderr itself.
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace levin::core {

class TorchWarnings {
 public:
  using Tell = std::function<void(const std::string& line)>;  // called on the thread that is warned, once for each text
  // Watches this thread, and those that call watch_this_thread(). There must be one object at most, which outlives
  // them.
  explicit TorchWarnings(Tell tell);
  ~TorchWarnings();
  TorchWarnings(const TorchWarnings&) = delete;
  TorchWarnings& operator=(const TorchWarnings&) = delete;

  static void watch_this_thread();  // without effect if there is no object

 private:
  class Handler;
  std::unique_ptr<Handler> handler_;
};

}  // namespace levin::core
