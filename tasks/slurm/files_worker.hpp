// host-tasks files-worker SESSION: computes the tasks of one job, which it finds as files.
#pragma once
#include <string>
#include <vector>

namespace levin::core::tasks {

int run_files_worker(const std::vector<std::string>& words);

}  // namespace levin::core::tasks
