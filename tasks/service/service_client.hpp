// The commands that talk to host tasks serve.
#pragma once
#include <string>
#include <vector>

namespace levin::core::tasks {

int submit_job(const std::vector<std::string>& words);
int show_status(const std::vector<std::string>& words);
int show_results(const std::vector<std::string>& words);
int show_logs(const std::vector<std::string>& words);
int change_job(const std::vector<std::string>& words);  // cancel, retry

}  // namespace levin::core::tasks
