// A trial as a job of one task: `host tasks` hands it to a worker, which runs sweep/library/trial.cpp.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tasks/server/server_options.hpp"

namespace levin::core::sweep {

struct RunPlan;

// The NATS server whose workers run the trials.
struct Engine {
  tasks::ServerOptions server;   // none = trials are processes of this machine
  std::filesystem::path folder;  // of the job, which is made for the trial and its number of epochs
  int64_t gpus = 0;              // that a trial needs for itself

  bool is_remote() const { return !server.server.empty(); }
};

// Writes the file of the job if there is none. Returns the words that start the job, or go on with it if it was
// started.
std::vector<std::string> words_of_job(const RunPlan& plan);

// Returns the exit code of the run, or 128 and the number of the signal that killed its process. Returns nullopt if the
// job has not ended.
std::optional<int> exit_code_of_job(const Engine& engine);

}  // namespace levin::core::sweep
