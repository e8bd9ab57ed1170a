// The port at which rank 0 serves the store of a run: whether it is free, and who listens there.
#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace levin::core {

// Why this process cannot listen there, as an errno; 0: it can. address: IPv4, of this machine.
int why_not_free(const std::string& address, int port);

enum class Listener { is_there, refused, no_answer };

// Waits until somebody accepts connections there. A refusal, by a machine on which nobody listens, is final after
// refused_for, and no answer at all after the timeout.
Listener wait_for_listener(const std::string& address, int port, std::chrono::milliseconds timeout,
                           std::chrono::milliseconds refused_for);

struct PortUser {
  long process = 0;
  std::string name;
  bool is_host = false;  // it runs the program that this process runs
};

// The process of this machine that listens at the port; nullopt: there is none that this user may see.
std::optional<PortUser> user_of_port(int port);

}  // namespace levin::core
