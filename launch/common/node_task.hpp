// What one machine starts.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/environment.hpp"

namespace levin::core {

struct NodeTask {
  std::vector<std::string> engine;  // the program and its first arguments
  std::string run_config;           // the same for every rank, as JSON; it may contain secrets
  int node = 0, nodes = 1;
  int first_rank = 0, ranks = 1, world = 1;
  std::string master_address = "127.0.0.1";
  std::string rendezvous;        // unique for each attempt at each run
  int restart = 0;               // number of attempts before this one
  int threads = 0;               // per rank; 0 = divide the machine's CPUs among the ranks
  std::string folder;            // working directory of the ranks; empty = this process's own
  EnvironmentVariables passed;   // variables of the launcher for ranks on other machines
  bool shows_first_rank = true;  // rank 0 writes to this process's own output
  bool quiet = false;            // only warnings and errors
};

// For the agent of another machine. Reading throws nlohmann::json::exception.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NodeTask, engine, run_config, node, nodes, first_rank, ranks, world, master_address,
                                   rendezvous, restart, threads, folder, passed, quiet)

}  // namespace levin::core
