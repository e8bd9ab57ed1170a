// Where a run speaks and writes: the console and, but for a trial run, its folder.
#pragma once
#include <optional>

#include "core/base/console/console.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/run_lock.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

struct RunOutput {
  // Makes the folder of a new run, or opens that of a resumed one, and locks it. From then on the console's lines go to
  // its log.txt too. fast_dev_run has no folder. Throws Error{usage} where another process is in the folder.
  RunOutput(const RunSettings& settings, Console& console);

  Console& console;
  std::optional<RunFolder> folder;
  std::optional<RunLock> lock;  // of the folder

 private:
  void begin_new_run(const RunSettings& settings);
  void go_on(const RunSettings& settings);
};

}  // namespace levin::core
