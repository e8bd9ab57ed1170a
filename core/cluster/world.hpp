// The processes that train together: world size and ranks.
#pragma once
#include <cstdint>
#include <string>

#include "core/cluster/cluster_environment.hpp"

namespace levin::core {

struct World {
  int rank = 0, size = 1;              // among all processes
  int local_rank = 0, local_size = 1;  // among the processes on this machine
  int node_rank = 0, nodes = 1;        // among the machines
  bool machines_known = true;          // false = the number of machines is unknown, and one is assumed
  std::string launcher = "host";       // the launcher that started the processes

  bool several() const { return size > 1; }
  bool is_first() const { return rank == 0; }
};

// Returns the world that this process's launcher has set in the variables. Of nested launchers, the innermost counts.
// RANK and WORLD_SIZE that no launcher of cluster_environments() has set are used as they are. Throws Error{usage} for
// variables that are invalid or contradict each other, and Error{run} for a variable that is missing.
World world_of(const EnvironmentVariables& variables);

// A program that a plugin starts inherits the rank variables of its parent, although it is not a rank itself. To mark
// such programs, each process of a run sets `parent_rank_variable` to the text that rank_said_by() returns. If another
// launcher starts the program, the text no longer matches.
constexpr const char* parent_rank_variable = "LEVIN_PARENT_RANK";
std::string rank_said_by(const EnvironmentVariables& variables);
// Returns true if these rank variables are inherited from a parent that is a rank.
bool is_child_of_rank(const EnvironmentVariables& variables);

// run_identity() returns a text that only the processes of one run have in their environment; "" if their launcher sets
// none. The host's own launcher creates such a text for each attempt at a run: `rendezvous_variable`.
constexpr const char* rendezvous_variable = "LEVIN_RENDEZVOUS";
// The host's own launcher also sets the number of machines.
constexpr const char* nodes_variable = "LEVIN_NODES";
std::string run_identity(const World& world, const EnvironmentVariables& variables);

// The rendezvous of the processes: a TCP port that rank 0 serves, or a file that all of them can access.
struct RendezvousAddress {
  std::string address;   // a host name or an IP address
  int port = 0;          // 0 = rank 0 takes a free port and reports it to the launcher, which passes it to the others
  std::string file;      // if not empty, all processes share this file instead
  std::string named_by;  // the setting that the user changes for another port; "" = rank 0 has chosen the port
};

// init_method: "env://" (the launcher's variables), "tcp://HOST:PORT" or "file:///PATH". Throws Error{usage} if it is
// invalid or no address is known.
RendezvousAddress rendezvous_address(const World& world, const EnvironmentVariables& variables,
                                     const std::string& init_method);

// Returns the path of the job's file. `job` identifies the job. The file is in a private folder of this user below
// TMPDIR and need not exist yet. Throws Error{run} if the folder cannot be created or other users may change it.
std::string job_file(const std::string& job);

// Returns the process id and start time of the process of MPICH's launcher that is an ancestor of this one. They are
// unique since the machine was booted. Nothing else distinguishes the jobs of that launcher.
std::string hydra_proxy();

}  // namespace levin::core
