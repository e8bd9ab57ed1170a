// A temporary folder for a test, and the plugins built for tests.
#pragma once
#include "core/base/error.hpp"
#include "core/plugin/loader.hpp"
#include "core/plugin/probe.hpp"
#include "temp_folder.hpp"

namespace levin::core {

inline std::filesystem::path built(const std::string& name) {
  return std::string(LEVIN_TEST_PLUGINS) + "/lib" + name + ".so";
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Copies a built plugin; only its owner can read and write the copy.
inline std::filesystem::path copy_plugin(const std::string& name, const std::filesystem::path& to) {
  write_bytes(to, bytes_of(built(name)));
  std::filesystem::permissions(to, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return to;
}

// Uses the tests' describer; results are cached only if a file is given.
inline Probe test_probe(const std::filesystem::path& cache = {}) { return {LEVIN_TEST_DESCRIBER, cache}; }

// Returns the message of the Error{plugin} thrown by `run`, or "".
template <class F>
std::string refusal(F run) {
  try {
    run();
  } catch (const Error& e) {
    return e.kind() == ErrorKind::plugin ? e.what() : std::string("of another kind: ") + e.what();
  }
  return {};
}

// A host that records only what plugins pass to host->fail.
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
