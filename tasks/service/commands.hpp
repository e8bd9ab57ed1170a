// The commands after `host tasks` that need NATS: worker, serve, submit and others.
#pragma once
#include <string>
#include <vector>

namespace levin::core::tasks {

bool is_service_command(const std::string& name);
int run_service_command(const std::vector<std::string>& words);  // returns the exit code

}  // namespace levin::core::tasks
