// Lines of the spool, and the requests to an MLflow server that they become.
#pragma once
#include <cstdint>
#include <string>

#include "names.hpp"

namespace levin::mlflow {

// One line each, without its line break. The names of metrics are accepted ones, which need no escapes in JSON.
std::string metrics_line(int64_t step, int64_t time_ms, const Values& values);
std::string param_line(const std::string& name, const std::string& value);
std::string tag_line(const std::string& name, const std::string& value);
std::string file_line(const std::string& file, const std::string& name);
std::string status_line(const std::string& status, int64_t time_ms);

// The values of a line of metrics; empty for another line.
struct MetricsOfLine {
  int64_t step = 0;
  Values values;
};
MetricsOfLine metrics_of_line(const std::string& line);

std::string file_lines(const std::string& lines);  // those of files among the lines

// One request.
struct Batch {
  enum Kind { none, log, file, status } kind = none;
  std::string body;             // of log and status: JSON
  std::string path, name;       // of file: the copy below the folder of the logger, and the name in MLflow
  size_t bytes = 0, lines = 0;  // of the spool
};

// Returns the request for the first lines of a text that is not empty: at most `most_lines`, within MLflow's limits of
// a request. Damaged lines are left out.
Batch first_batch(const std::string& lines, size_t most_lines, const std::string& run_id);

}  // namespace levin::mlflow
