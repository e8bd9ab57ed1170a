// A build without NATS: the commands say how to get them.
#include "tasks/nats/cluster.hpp"
#include "tasks/service/commands.hpp"

namespace levin::core::tasks {

bool is_service_command(const std::string& name) {
  for (const char* one : {"worker", "serve", "submit", "status", "results", "cancel", "retry", "logs"})
    if (name == one) return true;
  return false;
}

int run_service_command(const std::vector<std::string>&) {
  require_nats();
  return 2;
}

}  // namespace levin::core::tasks
