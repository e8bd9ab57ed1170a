// A job as its ledger has it, also beside a running driver.
#pragma once
#include <string>

#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/ledger/ledger.hpp"

namespace levin::core::tasks {

struct JobReport {
  explicit JobReport(const JobFiles& files);  // throws Error{usage} if the folder has no job
  JobSettings settings;
  Ledger ledger;
  std::string place;  // of the ledger: a file, or URL and schema of PostgreSQL
  std::string state;
  TaskCounts counts;
  bool runs = false;  // a driver is there
};

std::string number(double value);      // with 3 digits after the point; more below 0.01, fewer from 10 on
const char* name_of(TaskState state);  // "waiting", "done", "failed"

}  // namespace levin::core::tasks
