// Models, each of which breaks one rule of host check.
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <levin/data_module.hpp>
#include <levin/torch.hpp>

#include <limits>
#include <stdexcept>

namespace {

enum class Fault { none, visit, constant, wide, keeps, throws, not_finite };

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
    if (fault == Fault::throws) throw std::runtime_error("this step never works");
    torch::Tensor y = out(batch["x"].flatten(1));
    if (fault == Fault::constant) return torch::zeros({});
    if (fault == Fault::wide) return y;
    const torch::Tensor value = torch::cross_entropy_loss(y, batch["y"]);
    return fault == Fault::not_finite ? value * std::numeric_limits<double>::quiet_NaN() : value;
  }
  torch::Tensor training_step(const levin::Batch& batch) { return loss(batch); }
  void validation_step(const levin::Batch& batch) { log("val_loss", loss(batch).mean()); }
};

// Accepts only the rows of the data module below.
struct Masked : levin::Model {
  torch::nn::Linear out{nullptr};
  Masked() { out = register_module("out", torch::nn::Linear(5, 1)); }
  torch::Tensor training_step(const levin::Batch& batch) {
    return (out(batch["x"] * batch["mask"]) - batch["y"].unsqueeze(1)).square().mean();
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {}); }
};
struct MaskedRows : levin::DataModule {
  std::vector<levin::Field> fields() {
    return {levin::input("x", levin::float32, {5}),
            levin::input("mask", levin::uint8, {5}),
            {"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}}};
  }
  int64_t rows(levin::Split) { return 12; }
  void get(levin::Split, int64_t index, levin::Row& row) {
    for (int64_t i = 0; i < 5; ++i) row.data<float>(0)[i] = static_cast<float>(index + i);
    for (int64_t i = 0; i < 5; ++i) row.data<uint8_t>(1)[i] = static_cast<uint8_t>((index + i) % 2);
    row.data<float>(2)[0] = static_cast<float>(index);
  }
};

// Accepts rows of token numbers with one class each.
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

// Passes a different tensor under the name at each visit.
levin_component changing() {
  using H = levin::detail::Holder<Net<Fault::visit>, levin::detail::ModelExtra>;
  static levin_model table = [] {
    levin_model t = levin::detail::make_model_table<H>();
    t.visit = [](void*, const levin_visitor* v) noexcept -> levin_status {
      const torch::Tensor fresh = torch::zeros({2}, torch::requires_grad());
      return v->tensor(v, "out.weight", levin::to_handle(fresh), LEVIN_PARAMETER);
    };
    return t;
  }();
  levin_component c = net<Fault::visit>("visit");
  c.create = [](const levin_host* host, const levin_create* in, void** self,
                const levin_object** object) -> levin_status {
    const levin_status status = levin::detail::create<H, &levin::detail::model_table<H>>(host, in, self, object);
    *object = &table.o;
    return status;
  };
  return c;
}

}  // namespace

LEVIN_PLUGIN("levin.test.faulty_models", "1.0.0", "Apache-2.0", net<Fault::none>("none"), changing(),
             net<Fault::constant>("constant"), net<Fault::wide>("wide"), net<Fault::keeps>("keeps"),
             levin::model<Tokens>("tokens", "Breaks none"), net<Fault::throws>("throws"),
             net<Fault::not_finite>("not_finite"), levin::model<Masked>("masked", "Breaks none"),
             levin::data_module<MaskedRows>("masked_rows", "Breaks none"))
