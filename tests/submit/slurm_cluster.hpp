// A cluster of SLURM on this machine: munged, slurmctld and two nodes, in a folder and on ports of their own.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

class SlurmCluster {
 public:
  // What keeps a cluster from this machine, or "".
  static std::string obstacle();
  // Waits until both nodes are idle. problem(): why they are not.
  SlurmCluster();
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  const std::string& problem() const { return problem_; }

  // The shell arguments that make this cluster that of the commands behind them.
  std::string environment() const { return "export SLURM_CONF=" + (folder_ / "slurm.conf").string() + " "; }
  // What a command of the shell prints.
  std::string ask(const std::string& command) const;
  // Waits until squeue lists no job.
  bool is_empty_within(int seconds) const;

 private:
  void start(const std::vector<std::string>& command);
  bool is_ready() const;
  std::filesystem::path folder_;
  std::string problem_;
  std::vector<pid_t> children_;
};
