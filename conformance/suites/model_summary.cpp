// The model summary's numbers, by the plugin's own rule. Where layers are shown Lightning has their sizes too.
#include "callbacks/model_summary/summary.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

namespace summary = levin::model_summary;

// A case's model as the plugin is shown one: modules and parameters by their full names.
struct SummarizedModel {
  std::vector<summary::Module> modules;
  std::vector<summary::Parameter> parameters;
  std::string unknown;  // a type of layer

  void add_parameter(const std::string& name, int64_t elements, bool trainable) {
    parameters.push_back({name, elements, elements * 4, trainable});
  }
  void add(const json& list, const std::string& prefix, uint32_t depth) {
    for (const json& m : list) {
      const std::string type = m.at("type"), name = prefix + m.at("name").get<std::string>();
      const bool trainable = !m.value("frozen", false);
      modules.push_back({name, type, depth});
      if (type == "Linear") {
        add_parameter(name + ".weight", m.at("in").get<int64_t>() * m.at("out").get<int64_t>(), trainable);
        add_parameter(name + ".bias", m.at("out"), trainable);
      } else if (type == "BatchNorm1d") {
        for (const char* one : {".weight", ".bias"}) add_parameter(name + one, m.at("features"), trainable);
      } else if (type == "Sequential") {
        add(m.at("modules"), name + ".", depth + 1);
      } else if (type != "ReLU") {
        unknown = type;
      }
    }
  }
};

SummarizedModel model_of(const json& inputs) {
  SummarizedModel model;
  model.modules.push_back({"", "model", 0});
  for (const json& p : inputs.at("root_parameters")) {
    int64_t elements = 1;
    for (const json& size : p.at("shape")) elements *= size.get<int64_t>();
    model.add_parameter(p.at("name"), elements, true);
  }
  model.add(inputs.at("modules"), "", 1);
  return model;
}

Outcome run_model_summary(const Case& c) {
  Outcome out;
  if (!c.expected.at("in_sizes").empty()) {
    out.not_applicable =
        "the summary has no sizes of inputs and outputs: layers of a compiled network have no forward hooks";
    return out;
  }
  const SummarizedModel model = model_of(c.inputs);
  if (!model.unknown.empty()) {
    out.not_applicable = "the runner makes no layer of type " + model.unknown;
    return out;
  }
  const summary::Summary s = summary::summarize(model.modules, model.parameters, c.inputs.at("max_depth"));
  const json none = json::array();
  out.seen = {
      {"layer_names", none}, {"layer_types", none}, {"param_nums", none}, {"in_sizes", none}, {"out_sizes", none}};
  int64_t shown = 0;
  for (const summary::Module& layer : s.layers) {
    out.seen["layer_names"].push_back(layer.name);
    out.seen["layer_types"].push_back(layer.type);
    out.seen["param_nums"].push_back(layer.parameters);
    shown += layer.parameters;
  }
  out.seen["total_parameters"] = s.total;
  out.seen["trainable_parameters"] = s.trainable;
  out.seen["total_layer_params"] = shown;
  out.seen["model_size_MB"] = static_cast<double>(s.bytes) / 1e6;
  return out;
}

const SuiteEntry model_summary("model_summary", &run_model_summary);

}  // namespace
}  // namespace conformance
