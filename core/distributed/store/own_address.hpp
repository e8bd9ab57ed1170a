// By which addresses the machines of a run reach each other.
#pragma once
#include <string>

#include "core/cluster/world.hpp"

namespace levin::core {

// IPv4 addresses.
struct Addresses {
  std::string own;    // of this machine, at which the other processes reach this one
  std::string first;  // where the first process is reached, or serves what the others reach
};

// first: the name or address of the first process's machine, as the launcher says it. interface: the network interface
// of `own`; "": the one on the way there. Throws Error{usage} for an interface that does not exist, and
// Error{processes} for a name that cannot be resolved.
Addresses addresses_of(const World& world, const std::string& first, const std::string& interface);

// Whether it is one of this machine.
bool is_own_address(const std::string& address);

}  // namespace levin::core
