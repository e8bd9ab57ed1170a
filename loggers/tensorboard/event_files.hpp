// The event files that one logger of a run has written into the run's folder, over all its sessions. A file says in its
// first record who wrote it, so those of other programs are left alone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../common/append_file.hpp"

namespace levin::tensorboard {

struct EventFile {
  std::string name;  // without its folder
  uint64_t bytes;
};

class EventFiles {
 public:
  // writer: of the first record, see file_version_event().
  EventFiles(std::filesystem::path folder, std::string writer)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}

  // Leaves of the writer's files what they had when a checkpoint was made. Returns what is missing, for people.
  std::vector<std::string> cut(const std::vector<EventFile>& kept) const;
  // Moves the writer's files into a folder of their own and returns its name; "": there was none.
  std::string set_aside() const;
  // Makes a file whose name comes after those of all that are there, because TensorBoard reads them by name.
  std::unique_ptr<loggers::AppendFile> create(std::filesystem::path& path) const;

 private:
  std::vector<std::string> own() const;
  bool is_own(const std::string& name) const;
  std::filesystem::path folder_;
  std::string writer_;
};

}  // namespace levin::tensorboard
