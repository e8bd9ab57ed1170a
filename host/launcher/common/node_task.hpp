// What one machine has to start.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/environment.hpp"

namespace levin::core {

struct NodeTask {
  std::vector<std::string> engine;  // the program with its first words
  std::string run_config;           // of every rank, as JSON; it may contain secrets
  int node = 0, nodes = 1;
  int first_rank = 0, ranks = 1, world = 1;
  std::string master_address = "127.0.0.1";
  std::string rendezvous;        // a text that no other attempt at any run has
  int restart = 0;               // how many attempts there were before this one
  int threads = 0;               // of each rank; 0: the machine's CPUs are shared out
  std::string folder;            // in which the ranks run; "": this process's own
  EnvironmentVariables passed;   // variables of the launcher that ranks on other machines get too
  bool shows_first_rank = true;  // rank 0 has this process's own output
  bool quiet = false;            // nothing but warnings and errors
};

nlohmann::json to_json(const NodeTask& task);
NodeTask node_task_from_json(const nlohmann::json& value);  // throws nlohmann::json::exception

}  // namespace levin::core
