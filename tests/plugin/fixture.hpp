// A temporary folder for a test, and the plugins built for tests.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/base/error.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "levin.XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path built(const std::string& name) {
  return std::string(LEVIN_TEST_PLUGINS) + "/lib" + name + ".so";
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
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

}  // namespace levin::core
