// What all runs of this process share: threads, the sink of the scripted plugins, the plugins that are found.
#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/config/component_source.hpp"

namespace conformance {

void set_up_process();

// What the scripted plugins have written down since the last call.
std::vector<nlohmann::json> take_records();

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

}  // namespace conformance
