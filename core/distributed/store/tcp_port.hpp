// Checks of the port at which rank 0 serves the store: whether it is free, and which process listens there.
#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace levin::core {

// Returns the errno with which listening at this port fails; 0 = the port is free. address: IPv4, of this machine.
int why_not_free(const std::string& address, int port);

enum class Listener { is_there, refused, no_answer };

// Waits until a process accepts connections at this port. Returns refused if connections are still refused after
// refused_for, and no_answer after the timeout.
Listener wait_for_listener(const std::string& address, int port, std::chrono::milliseconds timeout,
                           std::chrono::milliseconds refused_for);

struct PortUser {
  long process = 0;
  std::string name;
  bool is_host = false;  // runs the same program as this process
};

// Returns the process of this machine that listens at the port; nullopt if this user can see none.
std::optional<PortUser> user_of_port(int port);

}  // namespace levin::core
