// host tasks worker: computes tasks of every job of a NATS server.
#pragma once
#include <string>
#include <vector>

#include "tasks/common/words.hpp"
#include "tasks/nats/bus.hpp"

namespace levin::core::tasks {

int run_worker(const std::vector<std::string>& words);

std::vector<WordOption> address_options();
// The options of a server. The token may also be in LEVIN_TASKS_TOKEN. Throws Error{usage}.
BusAddress read_address(const Words& words);
BusAddress address_of(const ServerOptions& options);

}  // namespace levin::core::tasks
