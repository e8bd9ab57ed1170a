// A process that was started by root becomes another user's for good.
#pragma once
#include <nlohmann/json.hpp>

namespace levin::core::tasks {

// user: {"name", "uid", "gid", "home"}, or null to change nothing. Call it before other threads are started. Throws
// Error{run} if the process keeps any of root's rights.
void drop_privileges(const nlohmann::json& user);
// Tries the same in a child process, so that a worker refuses its user when it starts and not in each task.
void check_privileges_can_be_dropped(const nlohmann::json& user);

}  // namespace levin::core::tasks
