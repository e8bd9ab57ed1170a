// What the page shows of one run, read from its folder.
#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core::board {

// Options with their origins, components, ranks, tables and the end of the log.
nlohmann::json details_of_run(const std::filesystem::path& folder);

// The checkpoints of the runs, each with its epoch, step and the plugins that it was made with. They are read again
// when a folder of checkpoints has changed. Any thread may call it.
class CheckpointLists {
 public:
  nlohmann::json of(const std::filesystem::path& folder);

 private:
  struct Known {
    std::string stamp;
    nlohmann::json list;
  };
  std::mutex mutex_;
  std::map<std::string, Known> known_;  // by the folder
};

// Changes if the file does.
std::string stamp_of(const std::filesystem::path& file);

}  // namespace levin::core::board
