// Workers of one job of tasks, placed by SLURM as a job array.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/common/resources.hpp"

namespace levin::core::tasks {

bool is_slurm(const std::string& engine);  // its workers are placed by SLURM
// What each worker has, as --cpus and so on say: else one CPU.
Capacity slurm_capacity(const JobSettings& settings);

// Prepares this process for calls of sbatch. Throws Error{usage} if there is no sbatch, or if an option of sbatch is
// not KEY=VALUE or KEY with a long name.
void require_slurm(const std::vector<std::string>& options);

struct SlurmPlan {
  std::filesystem::path folder;  // of the script and of what the workers print; all nodes see it
  std::string name;              // of the array; no other one has it
  size_t workers = 1;
  std::vector<std::string> options;  // of sbatch: KEY=VALUE
  std::vector<std::string> command;  // of each worker
};

// The plan of a job, without the command. sbatch is asked for what a worker has, unless its options say so already.
SlurmPlan slurm_plan(const JobSettings& settings, const JobFiles& files, const std::string& id);

class SlurmWorkers {
 public:
  // Ends workers that an earlier driver has left, and submits the array. Throws Error{run}.
  explicit SlurmWorkers(SlurmPlan plan);
  ~SlurmWorkers() { stop(); }
  SlurmWorkers(const SlurmWorkers&) = delete;
  SlurmWorkers& operator=(const SlurmWorkers&) = delete;
  // Submits the array again if SLURM has none of its jobs any more. Throws Error{run} if that has happened three times
  // without a result in between.
  void keep_alive();
  void has_result() { failures_ = 0; }
  void has_loss();  // SLURM may have ended workers: it is asked earlier
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  void submit();
  void cancel();
  std::string last_line() const;  // of what the workers have printed
  const SlurmPlan plan_;
  Clock::time_point looked_{};
  int failures_ = 0;  // in a row
  bool submitted_ = false;
};

}  // namespace levin::core::tasks
