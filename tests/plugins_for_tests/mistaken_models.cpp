// A model with one mistake or one message, selected by an option.
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <levin/torch.hpp>

namespace {

const char* const mistakes[] = {"none",       "unregistered", "frozen",  "left_out", "no_match", "name", "not_utf8",
                                "torch_warn", "debug",        "complex", "viewed",   "sparse",   "tied", nullptr};

struct Mistaken : levin::Model {
  static constexpr levin_option options[] = {levin::choice("mistake", "\"none\"", "what is wrong", mistakes)};
  const std::string mistake;
  torch::nn::Linear used{nullptr}, other{nullptr};
  torch::nn::Embedding table{nullptr};

  explicit Mistaken(const levin::Args& o) : mistake(o.text("mistake")) {
    used = torch::nn::Linear(data().input_size(), 1);
    other = torch::nn::Linear(1, 1);
    if (mistake != "unregistered") register_module("used", used), register_module("other", other);
    if (mistake == "complex") register_buffer("phase", torch::zeros({1}, torch::kComplexFloat));
    if (mistake == "sparse")
      table = register_module("table", torch::nn::Embedding(torch::nn::EmbeddingOptions(3, 2).sparse(true)));
    if (mistake == "tied") register_parameter("tied", used->weight);
    if (mistake == "frozen")
      for (auto& p : parameters()) p.set_requires_grad(false);
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    if (mistake == "not_utf8") throw std::runtime_error("caf\xe9 closed");
    if (mistake == "torch_warn") TORCH_WARN("the widget is loose");
    if (mistake == "debug") debug("a line for debugging");
    if (mistake == "viewed") {
      levin_view view;
      const torch::Tensor phase = torch::zeros({1}, torch::kComplexFloat);
      levin::detail::check(host()->tensor_view(host(), levin::to_handle(phase), &view), "tensor_view");
    }
    torch::Tensor loss = torch::mse_loss(other(used(batch.input())), batch.target());
    if (table) loss = loss + table(torch::zeros({1}, torch::kLong)).sum();
    log(mistake == "name" ? "train\nloss" : "loss", loss);
    return loss;
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    std::vector<levin::ParameterGroup> groups;
    if (mistake == "left_out") groups = {{"", {"used.*"}, {}}};
    if (mistake == "tied") groups = {{"", {"used.*", "other.*"}, {}}};
    if (mistake == "no_match") groups = {{"head", {"head.*"}, {}}};
    plan.optimizer("sgd", {{"lr", 0.01}}, groups);
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.mistaken_models", "1.0.0", "Apache-2.0", levin::model<Mistaken>("mistaken", "One mistake"))
