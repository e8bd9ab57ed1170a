// A host that only records what plugins pass to host->fail.
#pragma once
#include "core/plugin/loader.hpp"

namespace levin::core {

class TestHosts : public HostFactory {
 public:
  const levin_host& host_for(const std::string&) override {
    table_.size = sizeof table_;
    table_.abi_minor = LEVIN_ABI_MINOR;
    table_.ctx = this;
    table_.service = [](const levin_host*, const char*) -> const void* { return nullptr; };
    table_.fail = [](const levin_host* host, levin_status status, const char* text) {
      static_cast<TestHosts*>(host->ctx)->failure_ = text;
      return status;
    };
    table_.log = [](const levin_host*, int32_t, const char*) {};
    return table_;
  }
  std::string last_failure(const levin_host&) override { return failure_; }

 private:
  levin_host table_{};
  std::string failure_;
};

}  // namespace levin::core
