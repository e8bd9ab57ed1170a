// What the ledger says of a job, as a page: tables, times and figures.
#pragma once
#include "report/document.hpp"
#include "tasks/common/job_files.hpp"

namespace levin::core::tasks {

report::Document report_page(const JobFiles& files);

}  // namespace levin::core::tasks
