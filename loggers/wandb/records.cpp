#include "records.hpp"

#include <cmath>
#include <protozero/pbf_writer.hpp>

namespace levin::wandb {
namespace {

using protozero::pbf_writer;

constexpr uint32_t history = 2, summary = 3, config = 5, files = 6, metric = 12, run_field = 17, exit_field = 18,
                   header = 21;

std::string record(int64_t num, uint32_t field, const std::string& message) {
  std::string out;
  pbf_writer writer(out);
  writer.add_int64(1, num);
  writer.add_message(field, message);
  return out;
}

std::string update(const Items& items) {
  std::string out;
  for (const auto& [name, json] : items) {
    std::string item;
    pbf_writer writer(item);
    writer.add_string(1, name);
    writer.add_string(16, json);
    pbf_writer(out).add_message(1, item);
  }
  return out;
}

}  // namespace

std::string header_record(int64_t num) {
  std::string version, message;
  {
    pbf_writer writer(version);
    writer.add_string(1, "0.16.0");  // a release of wandb that wrote these records; a later reader accepts them
    writer.add_string(2, "0.10.0");  // the oldest reader
  }
  pbf_writer(message).add_message(1, version);
  return record(num, header, message);
}

std::string run_record(int64_t num, const Run& run) {
  std::string time, message;
  {
    pbf_writer writer(time);
    const double seconds = std::floor(run.start_time);
    writer.add_int64(1, static_cast<int64_t>(seconds));
    writer.add_int32(2, static_cast<int32_t>((run.start_time - seconds) * 1e9));
  }
  pbf_writer writer(message);
  writer.add_string(1, run.id);
  if (!run.entity.empty()) writer.add_string(2, run.entity);
  writer.add_string(3, run.project);
  writer.add_message(4, update(run.config));
  if (!run.name.empty()) writer.add_string(8, run.name);
  for (const std::string& tag : run.tags) writer.add_string(10, tag);
  writer.add_string(13, run.host);
  writer.add_message(17, time);
  return record(num, run_field, message);
}

std::string step_metric_record(int64_t num, const std::string& step_metric) {
  std::string options, message;
  pbf_writer(options).add_bool(3, true);  // defined
  pbf_writer writer(message);
  writer.add_string(1, step_metric);
  writer.add_message(6, options);
  return record(num, metric, message);
}

std::string all_metrics_record(int64_t num, const std::string& step_metric) {
  std::string options, message;
  {
    pbf_writer writer(options);
    writer.add_bool(1, true);  // step_sync
    writer.add_bool(3, true);  // defined
  }
  pbf_writer writer(message);
  writer.add_string(2, "*");
  writer.add_string(4, step_metric);
  writer.add_message(6, options);
  return record(num, metric, message);
}

std::string history_record(int64_t num, int64_t step, const Items& items) {
  std::string number, message = update(items);
  if (step != 0) pbf_writer(number).add_int64(1, step);
  pbf_writer(message).add_message(2, number);
  return record(num, history, message);
}

std::string summary_record(int64_t num, const Items& items) { return record(num, summary, update(items)); }
std::string config_record(int64_t num, const Items& items) { return record(num, config, update(items)); }

std::string file_record(int64_t num, const std::string& path, FileType type) {
  constexpr int32_t now = 0;
  std::string file, message;
  {
    pbf_writer writer(file);
    writer.add_string(1, path);
    writer.add_enum(2, now);
    writer.add_enum(3, static_cast<int32_t>(type));
  }
  pbf_writer(message).add_message(1, file);
  return record(num, files, message);
}

std::string exit_record(int64_t num, int32_t exit_code, int32_t runtime_seconds) {
  std::string message;
  pbf_writer writer(message);
  writer.add_int32(1, exit_code);
  writer.add_int32(2, runtime_seconds);
  return record(num, exit_field, message);
}

}  // namespace levin::wandb
