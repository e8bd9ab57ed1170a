// The records of a run, with the field numbers of wandb_internal.proto.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::wandb {

using Items = std::vector<std::pair<std::string, std::string>>;  // name and JSON text

struct Run {
  std::string id, entity, project, name, host;
  std::vector<std::string> tags;
  Items config;
  double start_time = 0;  // seconds since 1970
};

// num: the number of the record, from 1.
std::string header_record(int64_t num);
std::string run_record(int64_t num, const Run& run);
// Names the metric that is the x axis of all others.
std::string step_metric_record(int64_t num, const std::string& step_metric);
std::string all_metrics_record(int64_t num, const std::string& step_metric);
std::string history_record(int64_t num, int64_t step, const Items& items);
std::string summary_record(int64_t num, const Items& items);
std::string config_record(int64_t num, const Items& items);
enum class FileType : int32_t { other = 0, media = 2 };
// path: in the folder `files` of the run.
std::string file_record(int64_t num, const std::string& path, FileType type);
std::string exit_record(int64_t num, int32_t exit_code, int32_t runtime_seconds);

}  // namespace levin::wandb
