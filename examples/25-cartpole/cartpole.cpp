// CartPole by REINFORCE (Williams, 1992) with a loop of the model's own: a training step plays the episodes of its
// batch to their end, then makes one step of the optimizer.
#include <ATen/ops/from_blob.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>
#include <torch/nn/modules/linear.h>

#include <algorithm>
#include <levin/torch.hpp>

#include "cart_pole.hpp"
#include "episodes.hpp"

namespace cartpole {

// Everything that happened in the episodes of a batch; a place in these arrays is a step of one episode.
struct Played {
  std::vector<float> states;  // [steps, 4]
  std::vector<int64_t> actions;
  std::vector<float> returns;  // sum of the rewards from this step on, discounted
  double reward = 0;           // of an episode, the mean: the number of its steps
};

class Reinforce : public levin::Model {
 public:
  static constexpr bool automatic_optimization = false;
  static constexpr levin_option options[] = {
      levin::integer("episodes", "160", "training episodes in an epoch", 1, 1e6),
      levin::integer("batch", "16", "episodes that are played for a step of the optimizer", 1, 1e6),
      levin::integer("hidden", "64", "width of the hidden layer", 1, 65536),
      levin::number("discount", "0.99", "factor of the reward for each step that it lies ahead", 0, 1),
      levin::number("lr", "0.01", "learning rate", 1e-8, 1)};
  levin::OwnData<Episodes> own_data;

  explicit Reinforce(const levin::Args& o) : own_data(o), discount_(o.number("discount")), lr_(o.number("lr")) {
    in_ = register_module("in", torch::nn::Linear(4, o.integer("hidden")));
    out_ = register_module("out", torch::nn::Linear(o.integer("hidden"), 2));
  }

  // states [steps, 4] -> scores of pushing left and right [steps, 2]
  torch::Tensor forward(const torch::Tensor& states) { return out_(at::relu(in_(states))); }

  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", lr_}}); }
  void training_step(const levin::Batch& batch) {
    Played played = play(batch, /*explore=*/true);
    const auto n = static_cast<int64_t>(played.actions.size());
    const torch::Tensor returns = on_device(at::from_blob(played.returns.data(), {n}, at::kFloat));
    const torch::Tensor advantage = (returns - returns.mean()) / (returns.std(/*unbiased=*/false) + 1e-6);
    const torch::Tensor actions = on_device(at::from_blob(played.actions.data(), {n, 1}, at::kLong));
    const torch::Tensor chosen = at::log_softmax(scores_of(played.states), 1).gather(1, actions).squeeze(1);
    const levin::OptimizerHandle optimizer = optimizers(0);
    optimizer.zero_grad();
    manual_backward(-(chosen * advantage).mean());
    optimizer.step();
    log("train_reward", played.reward, levin::prog_bar);
  }
  // The action with the higher score, in 100 episodes that no other split has.
  void validation_step(const levin::Batch& batch) { log("val_reward", play(batch, false).reward, levin::prog_bar); }
  void test_step(const levin::Batch& batch) { log("test_reward", play(batch, false).reward); }

 private:
  struct Episode {
    CartPole pole;
    levin::Random random;
    std::vector<size_t> at;  // the places of its steps
  };

  Played play(const levin::Batch& batch, bool explore) {
    std::vector<Episode> episodes = begin(batch);
    std::vector<Episode*> running;
    for (Episode& episode : episodes) running.push_back(&episode);
    Played out;
    for (int step = 0; step < CartPole::steps && !running.empty(); ++step) {
      std::vector<float> states;
      for (const Episode* e : running) states.insert(states.end(), e->pole.state.begin(), e->pole.state.end());
      const std::vector<float> right = chance_of_right(states);
      out.states.insert(out.states.end(), states.begin(), states.end());
      std::vector<Episode*> standing;
      for (size_t i = 0; i < running.size(); ++i) {
        Episode& episode = *running[i];
        const bool to_right = explore ? episode.random.chance(right[i]) : right[i] > 0.5F;
        episode.at.push_back(out.actions.size());
        out.actions.push_back(to_right ? 1 : 0);
        if (episode.pole.push(to_right)) standing.push_back(&episode);
      }
      running.swap(standing);
    }
    out.returns = returns_of(episodes, out.actions.size());
    out.reward = static_cast<double>(out.actions.size()) / static_cast<double>(episodes.size());
    return out;
  }
  std::vector<float> returns_of(const std::vector<Episode>& episodes, size_t steps) const {
    std::vector<float> out(steps);
    for (const Episode& episode : episodes) {
      double sum = 0;  // a step is worth 1
      for (auto at = episode.at.rbegin(); at != episode.at.rend(); ++at)
        out[*at] = static_cast<float>(sum = 1 + discount_ * sum);
    }
    return out;
  }

  static std::vector<Episode> begin(const levin::Batch& batch) {
    const torch::Tensor starts = batch[0].to(at::kCPU, at::kDouble).contiguous();
    const torch::Tensor seeds = batch[1].to(at::kCPU);
    std::vector<Episode> out;
    for (int64_t i = 0; i < starts.size(0); ++i) {
      out.push_back({{}, levin::Random(seeds[i].item<int64_t>()), {}});
      std::copy_n(starts.data_ptr<double>() + i * 4, 4, out.back().pole.state.begin());
    }
    return out;
  }

  std::vector<float> chance_of_right(std::vector<float>& states) {
    const torch::NoGradGuard no_grad;
    const torch::Tensor chances = at::softmax(scores_of(states), 1).select(1, 1).to(at::kCPU).contiguous();
    return {chances.data_ptr<float>(), chances.data_ptr<float>() + chances.numel()};
  }
  torch::Tensor scores_of(std::vector<float>& states) {
    return forward(on_device(at::from_blob(states.data(), {static_cast<int64_t>(states.size() / 4), 4}, at::kFloat)))
        .to(at::kFloat);
  }
  torch::Tensor on_device(const torch::Tensor& made) const { return made.to(device()); }
  double discount_, lr_;
  torch::nn::Linear in_{nullptr}, out_{nullptr};
};

}  // namespace cartpole

LEVIN_PLUGIN("levin.examples.cartpole", "1.0.0", "Apache-2.0",
             levin::model<cartpole::Reinforce>("cartpole", "Balances a pole on a cart, by REINFORCE"));
