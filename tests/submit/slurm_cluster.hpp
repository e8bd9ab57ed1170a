// A SLURM cluster on this machine: munged, slurmctld and two nodes, with their own folder and ports.
#pragma once
#include <sys/types.h>

#include "host_process/host_process.hpp"
#include "temp_folder.hpp"

class SlurmCluster {
 public:
  // Returns the reason why this machine cannot have a cluster, or "".
  static std::string obstacle();
  // Waits until both nodes are idle. problem() returns why they are not.
  SlurmCluster();
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  const std::string& problem() const { return problem_; }

  // Returns shell code that selects this cluster for the following commands.
  std::string environment() const { return "export SLURM_CONF=" + (folder_ / "slurm.conf").string() + " "; }
  // Returns the output of a shell command.
  std::string ask(const std::string& command) const;
  // Waits until squeue lists no job.
  bool is_empty_within(int seconds) const;

 private:
  void start(const std::vector<std::string>& command);
  bool is_ready() const;
  TempFolder folder_;
  std::string problem_;
  std::vector<pid_t> children_;
};
