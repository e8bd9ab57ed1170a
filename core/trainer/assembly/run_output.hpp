// The console and the folder that a run writes to.
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/run_lock.hpp"
#include "core/run_folder/started_folder.hpp"
#include "core/run_folder/synced_files.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

struct RunOutput {
  // Creates the folder of a new run or opens the folder of a resumed run, and locks it. From then on the console also
  // writes to its log.txt. Throws Error{usage} if another run uses the folder. Only rank 0 does this; the other ranks
  // only write their own logs there. A newly created folder is removed with this object, unless keep() was called or
  // the folder contains files of others.
  RunOutput(const RunSettings& settings, Processes& processes, Console& console);

  // Keeps a new folder, because the run has done something that the folder records. The first call also records the
  // code of the plugins there: git takes tens of milliseconds, which the first step need not wait for.
  void keep() {
    if (started) started->keep();
    if (!unrecorded_.empty()) record_code();
  }
  // Makes the files in the folder durable, except checkpoints.
  void sync() {
    if (files) files->sync([this](const std::string& line) { console.warn(line); });
  }

  Console& console;
  std::optional<RunFolder> folder;       // nullopt = fast_dev_run
  std::optional<RunLock> lock;           // of the folder
  std::optional<StartedFolder> started;  // the folder, if this run has created it
  std::optional<SyncedFiles> files;      // of the folder

 private:
  void open_folder(const RunSettings& settings, Processes& processes);
  void follow(Processes& processes, const std::string& path);
  void begin_new_run(const RunSettings& settings);
  void go_on(const RunSettings& settings);
  void record_code();

  std::vector<std::filesystem::path> unrecorded_;  // plugins whose code is not recorded yet
};

}  // namespace levin::core
