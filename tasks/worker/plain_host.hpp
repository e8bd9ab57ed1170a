// The host of a plugin that computes tasks: messages and failures, without services and tensors. The library may use
// LibTorch itself, which is loaded with it.
#pragma once
#include <deque>
#include <string>

#include "core/plugin/loader.hpp"

namespace levin::core::tasks {

class PlainHosts : public HostFactory {
 public:
  const levin_host& host_for(const std::string& plugin) override;
  std::string last_failure(const levin_host& host) override;

 private:
  struct One {
    levin_host table{};
    std::string plugin, failure;
  };
  std::deque<One> hosts_;  // plugins keep pointers to the tables
};

}  // namespace levin::core::tasks
