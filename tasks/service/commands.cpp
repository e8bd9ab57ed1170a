#include "tasks/service/commands.hpp"

#include "core/base/error.hpp"
#include "tasks/nats/worker.hpp"
#include "tasks/service/service.hpp"
#include "tasks/service/service_client.hpp"

namespace levin::core::tasks {
namespace {

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>&);
};
constexpr Command commands[] = {{"worker", run_worker}, {"serve", run_service},  {"drive", drive_job},
                                {"submit", submit_job}, {"status", show_status}, {"results", show_results},
                                {"cancel", change_job}, {"retry", change_job},   {"logs", show_logs}};

}  // namespace

bool is_service_command(const std::string& name) {
  for (const Command& command : commands)
    if (name == command.name) return true;
  return false;
}

int run_service_command(const std::vector<std::string>& words) {
  for (const Command& command : commands)
    if (words[0] == command.name) return command.run(words);
  throw Error(ErrorCode::command_unknown, "host tasks has no command '" + words[0] + "'");
}

}  // namespace levin::core::tasks
