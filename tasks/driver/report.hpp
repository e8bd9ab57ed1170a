// What the ledger says of a job: a table, or one JSON document.
#pragma once
#include <string>

#include "tasks/common/job_files.hpp"

namespace levin::core::tasks {

std::string report_table(const JobFiles& files);
std::string report_json(const JobFiles& files);

}  // namespace levin::core::tasks
