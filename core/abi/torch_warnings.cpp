#include "core/abi/torch_warnings.hpp"

#include <atomic>
#include <mutex>
#include <set>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/abi/torch_compat.hpp"

namespace levin::core {
namespace {

constexpr size_t most_texts = 100;  // a text that has numbers in it may be another one each time

// "libnet.so: net.training_step: " if a plugin is running on this thread.
std::string who_runs() {
  if (breadcrumb.plugin == nullptr) return "";
  const std::string instance = breadcrumb.instance != nullptr ? std::string(breadcrumb.instance) + "." : "";
  return std::string(breadcrumb.plugin) + ": " + instance + (breadcrumb.call != nullptr ? breadcrumb.call : "") + ": ";
}

std::atomic<c10::WarningHandler*> watcher{nullptr};

}  // namespace

class TorchWarnings::Handler : public TorchWarningHandler {
 public:
  explicit Handler(Tell tell) : tell_(std::move(tell)) {}

 private:
  void warn(const std::string& text) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (texts_.size() >= most_texts || !texts_.insert(text).second) return;
    tell_(who_runs() + "LibTorch warns: " + brief(text) +
          (texts_.size() == most_texts ? " (no more warnings of LibTorch are shown)" : ""));
  }

  Tell tell_;
  std::mutex mutex_;
  std::set<std::string> texts_;
};

TorchWarnings::TorchWarnings(Tell tell) : handler_(std::make_unique<Handler>(std::move(tell))) {
  watcher = handler_.get();
  watch_this_thread();
}

TorchWarnings::~TorchWarnings() {
  watcher = nullptr;
  set_warning_handler(nullptr);  // LibTorch's own
}

void TorchWarnings::watch_this_thread() {
  if (c10::WarningHandler* handler = watcher) set_warning_handler(handler);
}

}  // namespace levin::core
