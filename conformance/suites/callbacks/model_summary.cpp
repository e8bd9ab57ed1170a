// The summary of a model that is built and run, computed with the SDK's tables and the plugin's rule.
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>

#include <functional>

#include "callbacks/model_summary/summary.hpp"
#include "conformance/registry.hpp"
#include "levin/model.hpp"
#include "levin/testing.hpp"

namespace conformance {
namespace {

namespace summary = levin::model_summary;

// Returns the first layer type that cannot be built, or "".
std::string unknown_layer(const json& layers) {
  for (const json& layer : layers) {
    const std::string type = layer.at("type");
    const std::string inside = type == "Sequential" ? unknown_layer(layer.at("modules")) : "";
    if (!inside.empty()) return inside;
    if (type != "Sequential" && type != "Linear" && type != "BatchNorm1d" && type != "ReLU") return type;
  }
  return "";
}

bool is_frozen(const json& layer) { return layer.value("frozen", false); }

// Calls take(layer) with a layer of any type other than Sequential.
template <class F>
void make_layer(const json& description, const F& take) {
  const auto ready = [&](auto layer) {
    for (const torch::Tensor& p : layer->parameters()) p.set_requires_grad(!is_frozen(description));
    take(layer);
  };
  const std::string type = description.at("type");
  if (type == "Linear") return ready(torch::nn::Linear(description.at("in"), description.at("out")));
  if (type == "BatchNorm1d") return ready(torch::nn::BatchNorm1d(description.at("features").get<int64_t>()));
  ready(torch::nn::ReLU());
}

// LibTorch's Sequential cannot hold another Sequential, because its forward is a template. The summary identifies
// classes by their name.
class SequentialImpl : public torch::nn::SequentialImpl {
 public:
  torch::Tensor forward(torch::Tensor x) { return levin::watch(static_cast<torch::nn::SequentialImpl&>(*this), x); }
};

void fill(torch::nn::SequentialImpl& out, const json& description) {
  for (json layer : description.at("modules")) {
    const std::string name = layer.at("name");
    layer["frozen"] = is_frozen(description) || is_frozen(layer);
    if (layer.at("type") == "Sequential") {
      const auto inner = std::make_shared<SequentialImpl>();
      fill(*inner, layer);
      out.push_back(std::string(name), inner);
    } else {
      make_layer(layer, [&](auto made) { out.push_back(std::string(name), made); });
    }
  }
}

torch::nn::Sequential made_sequential(const json& description) {
  torch::nn::Sequential out;
  fill(*out, description);
  return out;
}

// The model of a case: its layers in order, each called through levin::watch.
class Layered : public levin::Model {
 public:
  static constexpr levin_option options[] = {levin::text("inputs", "\"{}\"", "of the case, as JSON")};

  explicit Layered(const levin::Args& o) {
    const json inputs = json::parse(o.text("inputs"));
    example_ = inputs.at("example_input").get<std::vector<int64_t>>();
    for (const json& p : inputs.at("root_parameters"))
      register_parameter(p.at("name"), torch::zeros(p.at("shape").get<std::vector<int64_t>>()));
    for (const json& layer : inputs.at("modules")) {
      if (layer.at("type") == "Sequential")
        add(layer.at("name"), made_sequential(layer));
      else
        make_layer(layer, [&](auto made) { add(layer.at("name"), made); });
    }
  }
  torch::Tensor example_input() const { return torch::zeros(example_); }
  torch::Tensor forward(torch::Tensor x) {
    for (const auto& layer : layers_) x = layer(x);
    return x;
  }

 private:
  template <class Layer>
  void add(const std::string& name, Layer layer) {
    register_module(name, layer);
    layers_.push_back([layer](const torch::Tensor& x) mutable { return levin::watch(layer, x); });
  }
  std::vector<int64_t> example_;
  std::vector<std::function<torch::Tensor(const torch::Tensor&)>> layers_;
};

// Collects the modules as the callback does.
std::vector<summary::Module> modules_of(const levin::testing::Component& model) {
  std::vector<summary::Module> out;
  const auto& tree = *static_cast<const levin_modules*>(model.extension("levin.modules/1"));
  const auto each = [](void* ctx, const char* name, const char* type, uint32_t depth, uint32_t training) {
    static_cast<std::vector<summary::Module>*>(ctx)->push_back({name, type, depth, training != 0});
  };
  const auto sizes = [](void* ctx, const char* name, const char* in, const char* result) {
    for (summary::Module& m : *static_cast<std::vector<summary::Module>*>(ctx))
      if (m.name == name) m.in_sizes = in, m.out_sizes = result;
  };
  levin::detail::check(tree.visit(model.self(), each, &out), "visit");
  levin::detail::check(tree.sizes(model.self(), nullptr, sizes, &out), "sizes");
  return out;
}

std::vector<summary::Parameter> parameters_of(const levin::testing::Component& model) {
  std::vector<summary::Parameter> out;
  const Layered& object = levin::detail::Holder<Layered, levin::detail::ModelExtra>::of(model.self()).object;
  for (const auto& p : object.named_parameters())
    out.push_back({p.key(), p->numel(), p->numel() * static_cast<int64_t>(p->element_size()), p->requires_grad()});
  return out;
}

// "[4, 32]" as a list, "?" as text.
json sizes_from(const std::string& text) {
  const json list = json::parse(text, nullptr, /*allow_exceptions=*/false);
  return list.is_discarded() ? json(text) : list;
}

Outcome run_model_summary(const Case& c) {
  Outcome out;
  const std::string unknown = unknown_layer(c.inputs.at("modules"));
  if (!unknown.empty()) {
    out.not_applicable = "the runner makes no layer of type " + unknown;
    return out;
  }
  levin::testing::FakeHost host;
  const levin_component layered = levin::model<Layered>("model", "layers of a case");
  const levin::testing::Component model(host, layered, {{"inputs", c.inputs.dump()}});
  const summary::Summary s = summary::summarize(modules_of(model), parameters_of(model), c.inputs.at("max_depth"));
  const json none = json::array();
  out.seen = {
      {"layer_names", none}, {"layer_types", none}, {"param_nums", none}, {"in_sizes", none}, {"out_sizes", none}};
  int64_t shown = 0;
  for (const summary::Module& layer : s.layers) {
    out.seen["layer_names"].push_back(layer.name);
    out.seen["layer_types"].push_back(layer.type);
    out.seen["param_nums"].push_back(layer.parameters);
    out.seen["in_sizes"].push_back(sizes_from(layer.in_sizes));
    out.seen["out_sizes"].push_back(sizes_from(layer.out_sizes));
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
