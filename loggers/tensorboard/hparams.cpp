#include "hparams.hpp"

#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>

namespace levin::tensorboard {
namespace {

using Json = nlohmann::ordered_json;
using protozero::pbf_writer;

void flatten(const Json& value, const std::string& name, HParams& out) {
  if (value.is_object()) {
    for (const auto& [key, child] : value.items()) flatten(child, name.empty() ? key : name + "/" + key, out);
    return;
  }
  if (value.is_boolean()) return void(out.emplace_back(name, value.get<bool>()));
  if (value.is_number()) return void(out.emplace_back(name, value.get<double>()));
  out.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
}

// google.protobuf.Value
std::string protobuf_value(const HParam& param) {
  std::string out;
  pbf_writer writer(out);
  if (std::holds_alternative<double>(param)) writer.add_double(2, std::get<double>(param));
  if (std::holds_alternative<std::string>(param)) writer.add_string(3, std::get<std::string>(param));
  if (std::holds_alternative<bool>(param)) writer.add_bool(4, std::get<bool>(param));
  return out;
}

constexpr int32_t type_string = 1, type_bool = 2, type_float64 = 3, dt_float = 1;

int32_t data_type(const HParam& param) {
  if (std::holds_alternative<bool>(param)) return type_bool;
  return std::holds_alternative<double>(param) ? type_float64 : type_string;
}

// Returns a value without data. Its content is the plugin's message, as field `field` of HParamsPluginData.
std::string plugin_value(const std::string& tag, uint32_t field, const std::string& message) {
  std::string content, plugin, metadata, dim, shape, tensor, out;
  pbf_writer(content).add_message(field, message);
  {
    pbf_writer writer(plugin);
    writer.add_string(1, "hparams");
    writer.add_bytes(2, content);
  }
  pbf_writer(metadata).add_message(1, plugin);
  pbf_writer(dim).add_int64(1, 0);
  pbf_writer(shape).add_message(2, dim);
  {
    pbf_writer writer(tensor);
    writer.add_enum(1, dt_float);
    writer.add_message(2, shape);
  }
  pbf_writer writer(out);
  writer.add_string(1, tag);
  writer.add_message(8, tensor);
  writer.add_message(9, metadata);
  return out;
}

}  // namespace

HParams hparams_of_json(const std::string& json) {
  HParams out;
  flatten(Json::parse(json.empty() ? "{}" : json), "", out);
  return out;
}

std::string experiment_value(const HParams& params, const std::vector<std::string>& metrics) {
  std::string experiment;
  pbf_writer writer(experiment);
  for (const auto& [name, value] : params) {
    std::string info;
    pbf_writer item(info);
    item.add_string(1, name);
    item.add_enum(4, data_type(value));
    writer.add_message(4, info);
  }
  for (const std::string& metric : metrics) {
    std::string name, info;
    pbf_writer(name).add_string(2, metric);
    pbf_writer(info).add_message(1, name);
    writer.add_message(5, info);
  }
  return plugin_value("_hparams_/experiment", 2, experiment);
}

std::string session_start_value(const HParams& params, double wall_time) {
  std::string start;
  pbf_writer writer(start);
  for (const auto& [name, value] : params) {
    std::string entry;
    pbf_writer item(entry);
    item.add_string(1, name);
    item.add_message(2, protobuf_value(value));
    writer.add_message(1, entry);
  }
  writer.add_double(5, wall_time);
  return plugin_value("_hparams_/session_start_info", 3, start);
}

std::string session_end_value(bool success, double wall_time) {
  std::string end;
  pbf_writer writer(end);
  writer.add_enum(1, success ? 1 : 2);
  writer.add_double(2, wall_time);
  return plugin_value("_hparams_/session_end_info", 4, end);
}

}  // namespace levin::tensorboard
