// State shared by all runs of this process: the number of threads, the records of the scripted plugins, and the
// plugins.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/compose/component_source.hpp"

namespace conformance {

// Sets LibTorch to one thread, and LEVIN_CONFORMANCE_SINK to the receiver of records. Must be called before the first
// run.
void set_up_process();

// Returns and removes the records sent by scripted plugins since the last call.
std::vector<nlohmann::json> take_records();
// Adds `by` to the depth of all following records.
void deepen_records(int64_t by);
// Adds a record that is not sent by a plugin.
void add_record(nlohmann::json line);

levin::core::ComponentSource& plugins();

// A temporary folder, removed by the destructor.
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
