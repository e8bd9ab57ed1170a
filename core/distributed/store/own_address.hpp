// The addresses at which the machines of a run reach each other.
#pragma once
#include <string>

#include "core/cluster/world.hpp"

namespace levin::core {

// IPv4 addresses.
struct Addresses {
  std::string own;    // of this machine, for the other processes
  std::string first;  // at which rank 0 is reached; on rank 0, at which it serves the store
};

// first: the name or address of rank 0's machine, as given by the launcher. interface: the network interface of `own`;
// "" = the one towards rank 0. Throws Error{usage} if the interface does not exist, and Error{processes} if a name
// cannot be resolved.
Addresses addresses_of(const World& world, const std::string& first, const std::string& interface);

// Returns true if the address belongs to this machine.
bool is_own_address(const std::string& address);

}  // namespace levin::core
