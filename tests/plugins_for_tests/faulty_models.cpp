// Models that break one rule of host check each.
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

enum class Fault { none, visit, constant, wide, keeps };

template <Fault fault>
struct Net : levin::Model {
  torch::nn::Linear out{nullptr};
  std::vector<torch::Tensor>& kept() {
    static auto* tensors = new std::vector<torch::Tensor>();
    return *tensors;
  }
  Net() { out = register_module("out", torch::nn::Linear(data().input_size(), data().classes())); }
  torch::Tensor loss(const levin::Batch& batch) {
    if (fault == Fault::keeps) kept().push_back(batch["x"]);
    torch::Tensor y = out(batch["x"].flatten(1));
    if (fault == Fault::constant) return torch::zeros({});
    if (fault == Fault::wide) return y;
    return torch::cross_entropy_loss(y, batch["y"]);
  }
  torch::Tensor training_step(const levin::Batch& batch) { return loss(batch); }
  void validation_step(const levin::Batch& batch) { log("val_loss", loss(batch).mean()); }
};

// Takes rows of token numbers, with a class for each.
struct Tokens : levin::Model {
  torch::nn::Embedding embedding{nullptr};
  torch::nn::Linear out{nullptr};
  Tokens() {
    embedding = register_module("embedding", torch::nn::Embedding(data().classes(), 4));
    out = register_module("out", torch::nn::Linear(4, data().classes()));
  }
  torch::Tensor loss(const levin::Batch& batch) {
    return torch::cross_entropy_loss(out(embedding(batch.input())).flatten(0, 1), batch.target().flatten());
  }
  torch::Tensor training_step(const levin::Batch& batch) { return loss(batch); }
  void validation_step(const levin::Batch& batch) { log("val_loss", loss(batch)); }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {}); }
};

template <Fault fault>
levin_component net(const char* id) {
  return levin::model<Net<fault>>(id, "Breaks one rule");
}

// Another tensor under the name at each visit.
levin_component changing() {
  static levin_model table = [] {
    levin_model t = levin::detail::make_model_table<Net<Fault::visit>>();
    t.visit = [](void*, const levin_visitor* v) noexcept -> levin_status {
      const torch::Tensor fresh = torch::zeros({2}, torch::requires_grad());
      return v->tensor(v, "out.weight", levin::to_handle(fresh), LEVIN_PARAMETER);
    };
    return t;
  }();
  levin_component c = net<Fault::visit>("visit");
  c.create = [](const levin_host* host, const levin_create* in, void** self,
                const levin_object** object) -> levin_status {
    using H = levin::detail::Holder<Net<Fault::visit>, levin::detail::ModelExtra>;
    const levin_status status =
        levin::detail::create<H, &levin::detail::model_table<Net<Fault::visit>>>(host, in, self, object);
    *object = &table.o;
    return status;
  };
  return c;
}

}  // namespace

LEVIN_PLUGIN("levin.test.faulty_models", "1.0.0", "Apache-2.0", net<Fault::none>("none"), changing(),
             net<Fault::constant>("constant"), net<Fault::wide>("wide"), net<Fault::keeps>("keeps"),
             levin::model<Tokens>("tokens", "Breaks none"))
