// The console and the folder that a run writes to.
#pragma once
#include <optional>

#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/run_lock.hpp"
#include "core/run_folder/started_folder.hpp"
#include "core/run_folder/synced_files.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

struct RunOutput {
  // Makes the folder of a new run or opens that of a resumed one, and locks it. From then on the console also writes to
  // its log.txt. Throws Error{usage} if another run uses the folder. Of several processes the first one does this; the
  // others only write a log of their own there. A folder that was made is removed with this object, unless keep() was
  // called or somebody has put something there.
  RunOutput(const RunSettings& settings, Processes& processes, Console& console);

  // The run has done something that its folder tells of.
  void keep() {
    if (started) started->keep();
  }
  // Makes durable what was written to the folder beside checkpoints.
  void sync() {
    if (files) files->sync([this](const std::string& line) { console.warn(line); });
  }

  Console& console;
  std::optional<RunFolder> folder;       // nullopt in fast_dev_run
  std::optional<RunLock> lock;           // of the folder
  std::optional<StartedFolder> started;  // the folder, if this start has made it
  std::optional<SyncedFiles> files;      // of the folder

 private:
  void open_folder(const RunSettings& settings, Processes& processes);
  void follow(Processes& processes, const std::string& path);
  void begin_new_run(const RunSettings& settings);
  void go_on(const RunSettings& settings);
};

}  // namespace levin::core
