// host tasks serve: takes libraries and files of tasks from many users, and runs a driver for each job.
#pragma once
#include <string>
#include <vector>

namespace levin::core::tasks {

int run_service(const std::vector<std::string>& words);
// The driver of a job, a process of the service: "drive FOLDER".
int drive_job(const std::vector<std::string>& words);

// A request has a line of JSON, and bytes behind it; so has the answer, which has "error" if it is refused.
inline constexpr const char* subject_service = "levin.service";

}  // namespace levin::core::tasks
