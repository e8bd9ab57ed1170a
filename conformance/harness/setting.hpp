// What all runs of this process share: the number of threads, the records of the scripted plugins, and the plugins.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/compose/component_source.hpp"

namespace conformance {

// Sets LibTorch to one thread, and tells scripted plugins where to send records. Call it before the first run.
void set_up_process();

// Returns the records that scripted plugins have sent since the last call, and removes them.
std::vector<nlohmann::json> take_records();
// Adds `by` to the depth of all following records.
void deepen_records(int64_t by);
// Adds a record that does not come from a plugin.
void add_record(nlohmann::json line);

levin::core::ComponentSource& plugins();

// A temporary folder, which the destructor removes.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Redirects standard output to a temporary file until take() is called, which returns the text.
class OutputCapture {
 public:
  OutputCapture();
  ~OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;
  std::string take();

 private:
  std::FILE* file_;
  int before_;
};

}  // namespace conformance
