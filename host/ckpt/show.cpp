#include <algorithm>
#include <cstdio>

#include "core/base/text.hpp"
#include "host/ckpt/ckpt_file.hpp"
#include "host/ckpt/verbs.hpp"

namespace levin::core::ckpt {
namespace {

using nlohmann::json;

// The tensors as a tree by the parts of their names: "state_dict.fc.weight" is in "state_dict", in "fc".
struct Node {
  std::map<std::string, Node> parts;
  TensorView tensor;  // of a leaf
  uint64_t bytes = 0, tensors = 0;

  void add(const std::string& name, const TensorView& view) {
    bytes += view.bytes;
    ++tensors;
    const size_t dot = name.find('.');
    if (name.empty()) {
      tensor = view;
      return;
    }
    parts[name.substr(0, dot)].add(dot == std::string::npos ? "" : name.substr(dot + 1), view);
  }
};

struct Line {
  std::string name, dtype, shape, size;
};

// A part with a single child shares its line.
void collect(const std::string& name, const Node& node, size_t depth, std::vector<Line>& lines) {
  if (node.parts.size() == 1 && node.tensor.dtype.empty() && !name.empty()) {
    const auto& [only, rest] = *node.parts.begin();
    return collect(name + "." + only, rest, depth, lines);
  }
  if (!name.empty()) {
    const bool leaf = !node.tensor.dtype.empty();
    lines.push_back({std::string(2 * depth, ' ') + name, leaf ? node.tensor.dtype : "",
                     leaf ? shape_text(node.tensor.shape) : std::to_string(node.tensors) + " tensors",
                     bytes_text(node.bytes)});
  }
  for (const auto& [part, rest] : node.parts) collect(part, rest, name.empty() ? depth : depth + 1, lines);
}

void print_tensors(const CkptFile& file) {
  Node root;
  for (const std::string& name : file.reader.names()) root.add(name, file.reader.tensor(name));
  std::vector<Line> lines;
  collect("", root, 0, lines);
  size_t name = 4, shape = 5;
  for (const Line& line : lines) {
    name = std::max(name, line.name.size());
    shape = std::max(shape, line.shape.size());
  }
  for (const Line& line : lines)
    std::printf("%-*s  %-5s %-*s  %10s\n", static_cast<int>(name), printable(line.name).c_str(), line.dtype.c_str(),
                static_cast<int>(shape), line.shape.c_str(), line.size.c_str());
  std::printf("%llu tensors, %s\n", static_cast<unsigned long long>(root.tensors), bytes_text(root.bytes).c_str());
}

std::string component_of(const json& config, const char* kind) {
  const auto found = config.find(kind);
  return found != config.end() && found->is_object() ? value_text(*found, "component") : "";
}

void print_line(const char* name, const std::string& value) {
  if (!value.empty()) std::printf("%-12s %s\n", name, printable(value).c_str());
}

void print_provenance(const CkptFile& file) {
  const json& m = file.reader.manifest();
  print_line("file", file.path);
  print_line("format", file.foreign ? "safetensors of another program" : "checkpoint, format 1");
  print_line("Levin", value_text(m, "levin_version"));
  print_line("LibTorch", value_text(m, "torch_version"));
  print_line("epoch", value_text(m, "epoch"));
  print_line("global step", value_text(m, "global_step"));
  print_line("seed", value_text(m, "seed"));
  if (!file.foreign) print_line("holds", file.weights_only() ? "weights" : "weights and the state of the run");
  const json config = m.value("config", json::object());
  print_line("model", component_of(config, "model"));
  print_line("data", component_of(config, "data"));
  for (const auto& plugin : m.value("plugins", json::array()))
    if (plugin.is_object())
      print_line("plugin", trim(value_text(plugin, "id") + " " + value_text(plugin, "version") + " " +
                                value_text(plugin, "file")));
}

json as_json(const CkptFile& file) {
  json tensors = json::object();
  for (const std::string& name : file.reader.names()) {
    const TensorView view = file.reader.tensor(name);
    tensors[name] = {{"dtype", view.dtype}, {"shape", view.shape}, {"bytes", view.bytes}};
  }
  return {{"file", file.path},
          {"foreign", file.foreign},
          {"weights_only", file.weights_only()},
          {"metadata", file.reader.metadata()},
          {"manifest", file.reader.manifest()},
          {"tensors", tensors}};
}

}  // namespace

int show(const Arguments& arguments) {
  const CkptFile file(arguments.names[0]);
  if (arguments.has("json")) {
    std::printf("%s\n", as_json(file).dump(2, ' ', false, json::error_handler_t::replace).c_str());
    return 0;
  }
  print_provenance(file);
  std::printf("\n");
  print_tensors(file);
  return 0;
}

}  // namespace levin::core::ckpt
