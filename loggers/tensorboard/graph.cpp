// Graphs, PR curves and layouts: the messages of graph.proto, node_def.proto and the plugins pr_curves and
// custom_scalar.
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>
#include <stdexcept>

#include "event.hpp"

namespace levin::tensorboard {
namespace {

using Json = nlohmann::ordered_json;
using protozero::pbf_writer;

std::string metadata_of(const std::string& plugin, const std::string& content) {
  std::string data, out;
  pbf_writer writer(data);
  writer.add_string(1, plugin);
  if (!content.empty()) writer.add_bytes(2, content);
  pbf_writer(out).add_message(1, data);
  return out;
}

std::string value_of(const std::string& tag, const std::string& tensor, const std::string& metadata) {
  std::string out;
  pbf_writer writer(out);
  writer.add_string(1, tag);
  writer.add_message(8, tensor);
  writer.add_message(9, metadata);
  return out;
}

std::string chart_of(const Json& chart) {
  const auto tags = chart.at("tags").get<std::vector<std::string>>();
  std::string content, out;
  pbf_writer writer(out);
  writer.add_string(1, chart.at("title").get<std::string>());
  if (!chart.value("margin", false)) {
    pbf_writer lines(content);
    for (const std::string& tag : tags) lines.add_string(1, tag);
    writer.add_message(2, content);
    return out;
  }
  if (tags.size() != 3) throw std::invalid_argument("a chart with a margin has three tags: value, lower, upper");
  std::string series;
  pbf_writer limits(series);
  for (uint32_t i = 0; i < 3; ++i) limits.add_string(i + 1, tags[i]);
  pbf_writer(content).add_message(1, series);
  writer.add_message(3, content);
  return out;
}

}  // namespace

std::string graph_event(const When& when, const std::string& text) {
  const Json all = Json::parse(text);
  std::string graph, versions, out;
  pbf_writer nodes(graph);
  for (const Json& one : all.at("nodes")) {
    std::string node;
    pbf_writer writer(node);
    writer.add_string(1, one.at("name").get<std::string>());
    writer.add_string(2, one.at("op").get<std::string>());
    for (const Json& input : one.at("inputs")) writer.add_string(3, input.get<std::string>());
    nodes.add_message(1, node);
  }
  pbf_writer(versions).add_int32(1, 22);
  nodes.add_message(4, versions);
  pbf_writer writer(out);
  writer.add_double(1, when.wall_time);
  if (when.step != 0) writer.add_int64(2, when.step);
  writer.add_bytes(4, graph);
  return out;
}

std::string pr_curve_value(const std::string& tag, const std::string& text) {
  const Json curve = Json::parse(text);
  std::vector<float> numbers;
  size_t thresholds = 0;
  for (const char* row :
       {"true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall"}) {
    const auto values = curve.at(row).get<std::vector<float>>();
    if (values.empty() || (thresholds != 0 && values.size() != thresholds))
      throw std::invalid_argument("the rows of a PR curve have to be of equal length");
    thresholds = values.size();
    numbers.insert(numbers.end(), values.begin(), values.end());
  }
  std::string shape, tensor, content;
  pbf_writer dims(shape);
  for (const size_t size : {size_t{6}, thresholds}) {
    std::string dim;
    pbf_writer(dim).add_int64(1, static_cast<int64_t>(size));
    dims.add_message(2, dim);
  }
  pbf_writer writer(tensor);
  writer.add_enum(1, 1);  // DT_FLOAT
  writer.add_message(2, shape);
  writer.add_packed_float(5, numbers.begin(), numbers.end());
  pbf_writer(content).add_uint32(2, static_cast<uint32_t>(thresholds));
  return value_of(tag, tensor, metadata_of("pr_curves", content));
}

std::string layout_value(const std::string& text) {
  const Json all = Json::parse(text);
  std::string layout, tensor;
  pbf_writer categories(layout);
  for (const Json& one : all.at("categories")) {
    std::string category;
    pbf_writer writer(category);
    writer.add_string(1, one.at("title").get<std::string>());
    for (const Json& chart : one.at("charts")) writer.add_message(2, chart_of(chart));
    categories.add_message(2, category);
  }
  pbf_writer writer(tensor);
  writer.add_enum(1, 7);  // DT_STRING
  writer.add_message(2, std::string());
  writer.add_bytes(8, layout);
  return value_of("custom_scalars__config__", tensor, metadata_of("custom_scalars", ""));
}

}  // namespace levin::tensorboard
