// The processes that train together: how many they are, and which of them this one is.
#pragma once
#include <cstdint>
#include <string>

#include "core/cluster/cluster_environment.hpp"

namespace levin::core {

struct World {
  int rank = 0, size = 1;              // of all processes
  int local_rank = 0, local_size = 1;  // of those on this machine
  int node_rank = 0, nodes = 1;        // of the machines
  bool machines_known = true;          // false: nobody has said how many there are, and one is assumed
  std::string launcher = "host";       // who started the processes

  bool several() const { return size > 1; }
  bool is_first() const { return rank == 0; }  // of all
};

// What the launcher of this process says; of several, one inside of another one's job, the innermost. RANK and
// WORLD_SIZE that no launcher of cluster_environments() has set are taken as they are. Throws Error{usage} for
// variables that contradict each other, and Error{run} for one that is missing or no integer.
World world_of(const EnvironmentVariables& variables);

// A program that a plugin starts inherits the variables that say which rank its parent is, and is no rank itself. Set
// as `parent_rank_variable` by a process that has taken its place in a run, this text tells such a program, unless
// another launcher has started it since.
constexpr const char* parent_rank_variable = "LEVIN_PARENT_RANK";
std::string rank_said_by(const EnvironmentVariables& variables);
// Whether these variables are those of the parent.
bool is_child_of_rank(const EnvironmentVariables& variables);

// What only the processes of one run have in their environment, as far as their launcher says it; "" if it does not.
// The host's own launcher makes such a text for each attempt at a run: `rendezvous_variable`.
constexpr const char* rendezvous_variable = "LEVIN_MEETING";
// It also says how many machines there are.
constexpr const char* nodes_variable = "LEVIN_NODES";
std::string run_identity(const World& world, const EnvironmentVariables& variables);

// Where the processes of a world meet: a TCP port that the first process serves, or a file that all of them see.
struct RendezvousAddress {
  std::string address;   // a host name or an IP address
  int port = 0;          // 0: the first process takes a free port and tells the launcher, which tells the others
  std::string file;      // if not empty, all processes share this file instead
  std::string named_by;  // what the user changes to name another port; "": rank 0 has taken and told it
};

// init_method: "env://" (what the launcher says), "tcp://HOST:PORT" or "file:///PATH". Throws Error{usage}.
RendezvousAddress rendezvous_address(const World& world, const EnvironmentVariables& variables,
                                     const std::string& init_method);

}  // namespace levin::core
