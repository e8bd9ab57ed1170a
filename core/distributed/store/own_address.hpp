// The addresses at which the machines of a run reach each other.
#pragma once
#include <netinet/in.h>

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

// The address on which listening sockets of this thread accept connections; nullptr = the address passed to bind().
// LibTorch's store listens on all addresses and has no option for it, so host-engine replaces bind()
// (host/engine/interposed_bind.cpp), which reads this.
inline thread_local const in_addr* listen_address = nullptr;

}  // namespace levin::core
