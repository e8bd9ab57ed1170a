// Recorded: ScalarModel with every override; each does what the host would do.
#pragma once
#include "conformance/plugins/scalar.hpp"

namespace scripted {

struct Recorded : Scalar {
  using Scalar::Scalar;
  void entered(const char* hook, const levin::OptimCall& call, json args, json kwargs = nullptr) {
    this->set_run(call.run().raw());
    script.enter(place(hook, call.batch_idx(), -1, nullptr), std::move(args), std::move(kwargs));
  }
  void optimizer_step(const levin::OptimCall& call) {
    json args = {call.epoch(), call.batch_idx(), "optimizer", "closure"};
    entered("optimizer_step", call, args);
    const Depth deeper;
    call.step();
    if (script.all().contains("watch") && script.all().at("watch").contains("optimizer_stepped"))
      entered("optimizer_stepped", call, json::array());
  }
  void optimizer_zero_grad(const levin::OptimCall& call) {
    entered("optimizer_zero_grad", call, {call.epoch(), call.batch_idx(), "optimizer"});
    optimizers(call.optimizer_idx()).zero_grad();
  }
  void backward(const levin::OptimCall& call) {
    entered("backward", call, {"tensor"});
    call.loss().backward();
  }
  void lr_scheduler_step(const levin::OptimCall& call) {
    const double metric = call.metric();
    entered("lr_scheduler_step", call, {"scheduler", metric != metric ? json() : json("tensor")});
    levin::detail::check(run().optim().scheduler_step(run().raw(), call.scheduler_idx(), call.metric()), "step");
  }
  void configure_gradient_clipping(const levin::OptimCall& call) {
    const std::string algorithm = call.clip_algorithm();  // empty = not set
    const json how = {{"gradient_clip_val", std::isnan(call.clip_val()) ? json() : json(call.clip_val())},
                      {"gradient_clip_algorithm", algorithm.empty() ? json() : json(algorithm)}};
    entered("configure_gradient_clipping", call, {"optimizer"}, how);
    const Depth deeper;
    entered("clip_gradients", call, {"optimizer"}, how);
    if (call.clip_val() > 0)
      levin::detail::check(run().optim().clip(run().raw(), call.optimizer_idx(), call.clip_val(),
                                              algorithm.empty() ? "norm" : algorithm.c_str()),
                           "clip");
  }
  void transfer(const char* hook, const levin::Batch& batch, const char* device) {
    const int64_t loader = run().dataloader_idx();
    json args = {batch_text(host(), batch.raw())};
    if (device) args.push_back(device);
    args.push_back(std::max<int64_t>(loader, 0));
    script.enter(place(hook, -1, loader, batch.raw()), args);
  }
  std::vector<torch::Tensor> all(const levin::Batch& batch) {
    std::vector<torch::Tensor> out;
    for (size_t i = 0; i < batch.size(); ++i) out.push_back(batch[i]);
    return out;
  }
  std::vector<torch::Tensor> on_before_batch_transfer(const levin::Batch& b) {
    return transfer("on_before_batch_transfer", b, nullptr), all(b);
  }
  std::vector<torch::Tensor> transfer_batch_to_device(const levin::Batch& b, torch::Device) {
    return transfer("transfer_batch_to_device", b, "cpu"), all(b);
  }
  std::vector<torch::Tensor> on_after_batch_transfer(const levin::Batch& b) {
    return transfer("on_after_batch_transfer", b, nullptr), all(b);
  }
  void on_validation_model_zero_grad(const levin::Event& e) {
    this->hook("on_validation_model_zero_grad", e);
    for (uint32_t i = 0; i < n_optimizers(); ++i) optimizers(i).zero_grad();
  }
  uint32_t n_optimizers() { return run().n_optimizers(); }
};

// Manual optimization: zero_grad, backward and step for each optimizer in each batch.
struct Manual : Recorded {
  static constexpr bool automatic_optimization = false;
  using Recorded::Recorded;
  levin::Outputs training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    step("training_step", batch, info);
    const Depth deeper;
    torch::Tensor loss;
    for (uint32_t i = 0; i < n_optimizers(); ++i) {
      loss = (w * batch[0]).mean();
      optimizers(i).zero_grad();
      {
        const Depth backward;
        manual_backward(loss);
      }
      optimizers(i).step();
    }
    return {n_optimizers() == 1 ? loss.detach() : torch::Tensor()};
  }
};

}  // namespace scripted
