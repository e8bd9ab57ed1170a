// The report on one or several runs: what was run, with what, and how it went.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/document.hpp"
#include "runs/metric_history.hpp"
#include "runs/run_files.hpp"
#include "runs/run_row.hpp"

namespace levin::core::report {

// What a run's folder holds. What cannot be read is missing, and row.problem says so.
struct ReportedRun {
  RunRow row;
  nlohmann::json config = nlohmann::json::object(), code;  // of config.json and code.json; code: null if it is missing
  std::map<std::string, MetricHistory> metrics;
  std::vector<ckpt::RunFile> checkpoints;
  std::string first_line, last_lines;  // of log.txt
};

ReportedRun read_reported_run(const RunRow& row);

Document make_report(const std::vector<ReportedRun>& runs);

}  // namespace levin::core::report
