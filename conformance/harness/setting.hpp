// What all runs of this process share: threads, the sink of the scripted plugins, the plugins that are found.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/compose/component_source.hpp"

namespace conformance {

void set_up_process();

// What the scripted plugins have written down since the last call.
std::vector<nlohmann::json> take_records();
// Lines from now on say that they are so much deeper.
void deepen_records(int64_t by);
// A line of the runner's own among them.
void add_record(nlohmann::json line);

levin::core::ComponentSource& plugins();

// A folder that goes with its last owner.
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

// Standard output into a file, until it is taken.
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
