// The watch that --debug-plugins and `host check` install.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/abi/border_watch.hpp"
#include "core/abi/handle_table.hpp"

namespace levin::core {

// Installs itself as the process's watch for its lifetime. Must be created on the training thread.
class PluginWatch : public BorderWatch {
 public:
  PluginWatch();
  ~PluginWatch() override;
  PluginWatch(const PluginWatch&) = delete;
  PluginWatch& operator=(const PluginWatch&) = delete;

  using Visit = std::function<void(const std::string& name, const at::Tensor& parameter)>;
  // Sets the function that visits the parameters of the watched model; nullptr = no model.
  void watch_parameters(std::function<void(const Visit&)> parameters);
  // Returns the first violation since the last call, as "PLUGIN: INSTANCE.CALL: ...", or "".
  std::string take_problem();
  // Returns one line for each plugin that still holds tensors. Call it after all components have been destroyed.
  std::vector<std::string> leaks() const;

  void lent(levin_tensor* handle) override;
  void handed_over(levin_tensor* handle) override;
  void used(levin_tensor* handle) override;
  void handed_back(levin_tensor* handle) override;
  void on_training_thread(const char* service) override;
  void value(const Breadcrumb& who, const std::string& what, const at::Tensor& tensor, const int64_t* rows) override;
  void parameters_changed(const std::string& what) override;
  void returned() override;
  void portable(const std::string& plugin) override;

 private:
  [[noreturn]] void refuse(const std::string& what);
  [[noreturn]] void refuse(const std::string& who, const std::string& what);

  const std::thread::id training_thread_;
  mutable std::mutex mutex_;
  HandleTable handles_;
  std::set<std::string> plugins_, portable_;  // plugins that received handles; plugins that use only the C ABI
  std::string problem_;                       // the first violation since the last returned() or take_problem()
  std::function<void(const Visit&)> parameters_;
  std::map<std::string, int64_t> versions_;  // version counters of the parameters at the last check
};

// Returns the file name of the plugin that called the host on this thread, found on the call stack, or "". For threads
// without a breadcrumb.
std::string plugin_on_stack();

}  // namespace levin::core
