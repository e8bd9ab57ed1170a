// Tasks and results as files in a folder that a driver and its workers share. A file appears whole, by rename, and a
// task is taken by moving it, which succeeds for one worker alone.
//   SESSION/setup.json     what every worker needs
//   SESSION/driver         a number that grows while the driver lives
//   SESSION/todo/NAME      a task; workers take them in the order of their names
//   SESSION/WORKER/alive   a number that grows while the worker lives
//   SESSION/WORKER/NAME    a task that it has taken
//   SESSION/done/NAME      how an attempt has ended
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/engine/engine.hpp"

namespace levin::core::tasks {

struct Exchange {
  std::filesystem::path folder;  // of the session
  std::filesystem::path setup() const { return folder / "setup.json"; }
  std::filesystem::path driver() const { return folder / "driver"; }
  std::filesystem::path todo() const { return folder / "todo"; }
  std::filesystem::path done() const { return folder / "done"; }
  std::filesystem::path workers() const { return folder / "workers"; }
};

// A task in the name of its file.
struct ExchangedTask {
  uint64_t order = 0, index = 0;
  uint32_t attempt = 0;
  std::string name() const;
  static std::optional<ExchangedTask> parsed(const std::string& name);
};

// All throw Error{run} if the disk refuses, for example because it is full.
// The file has these bytes, or is not there.
void put_file(const std::filesystem::path& path, std::string_view bytes);
void put_file_durable(const std::filesystem::path& path, std::string_view bytes);  // on the disk when it returns
void put_number(const std::filesystem::path& path, uint64_t number);
// Returns nullopt if there is no such file.
std::optional<std::string> get_file(const std::filesystem::path& path);
// The names in a folder, in their order, without unfinished files; empty if there is no folder.
std::vector<std::string> names_in(const std::filesystem::path& folder);

std::string packed_event(const TaskEvent& event);
std::optional<TaskEvent> unpacked_event(const std::string& bytes);

}  // namespace levin::core::tasks
