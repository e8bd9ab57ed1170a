// The watch of --debug-plugins and host check.
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

// Is the watch of the process as long as it lives. Made on the thread that trains.
class PluginWatch : public BorderWatch {
 public:
  PluginWatch();
  ~PluginWatch() override;
  PluginWatch(const PluginWatch&) = delete;
  PluginWatch& operator=(const PluginWatch&) = delete;

  using Visit = std::function<void(const std::string& name, const at::Tensor& parameter)>;
  // Visits the parameters of the model that is watched from now on; nullptr: of none.
  void watch_parameters(std::function<void(const Visit&)> parameters);
  // What a plugin did wrong since the last call: "PLUGIN: INSTANCE.CALL: ...", or "".
  std::string take_problem();
  // One line for each plugin that still holds tensors. Asked when all components are destroyed.
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
  std::set<std::string> plugins_, portable_;  // those that got or gave handles; those that use nothing but the ABI
  std::string problem_;                       // the first one since the last call of returned()
  std::function<void(const Visit&)> parameters_;
  std::map<std::string, int64_t> versions_;  // of the parameters, when they were last looked at
};

// The plugin's file that called the host on this thread, from the stack; "": none. For threads without a breadcrumb.
std::string plugin_on_stack();

}  // namespace levin::core
