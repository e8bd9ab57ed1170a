// The console and the folder that a run writes to.
#pragma once
#include <optional>

#include "core/base/console/console.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/run_lock.hpp"
#include "core/run_folder/synced_files.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

struct RunOutput {
  // Makes the folder of a new run or opens that of a resumed one, and locks it. From then on the console also writes to
  // its log.txt. Throws Error{usage} if another process uses the folder.
  RunOutput(const RunSettings& settings, Console& console);

  // Makes durable what was written to the folder beside checkpoints.
  void sync() {
    if (files) files->sync([this](const std::string& line) { console.warn(line); });
  }

  Console& console;
  std::optional<RunFolder> folder;   // nullopt in fast_dev_run
  std::optional<RunLock> lock;       // of the folder
  std::optional<SyncedFiles> files;  // of the folder

 private:
  void begin_new_run(const RunSettings& settings);
  void go_on(const RunSettings& settings);
};

}  // namespace levin::core
