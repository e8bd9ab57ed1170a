// By which address the other processes of a run reach this machine.
#pragma once
#include <string>

namespace levin::core {

// The IPv4 address of this machine on the way to another one. interface: of this network interface; "": of the one that
// the system takes. Throws Error{usage} for an interface that does not exist, and Error{processes} for a name that
// cannot be resolved.
std::string own_address(const std::string& other, const std::string& interface);

}  // namespace levin::core
