#include "bench/hand_loop.hpp"

#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <numeric>

#include "core/optim/optimizers/optimizer.hpp"

namespace levin_bench {
namespace {

class TorchOptimizer {
 public:
  TorchOptimizer(const Workload& w, Net& net) {
    if (w.optimizer == std::string("adam"))
      optimizer_ = std::make_unique<torch::optim::Adam>(net.parameters(), torch::optim::AdamOptions(w.lr));
    else
      optimizer_ =
          std::make_unique<torch::optim::SGD>(net.parameters(), torch::optim::SGDOptions(w.lr).momentum(w.momentum));
  }
  void zero_grad() { optimizer_->zero_grad(); }
  void step() { optimizer_->step(); }

 private:
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

nlohmann::json optimizer_options(const Workload& workload) {
  nlohmann::json options = {{"lr", workload.lr}};
  if (workload.momentum > 0) options["momentum"] = workload.momentum;
  return options;
}

class HostOptimizer {
 public:
  HostOptimizer(const Workload& w, Net& net) {
    levin::core::ParamGroup group;
    for (const auto& p : net.named_parameters()) {
      group.names.push_back(p.key());
      group.params.push_back(p.value());
    }
    optimizer_ = levin::core::make_optimizer(w.optimizer, optimizer_options(w), {group});
  }
  void zero_grad() { optimizer_->zero_grad(); }
  void step() { optimizer_->step(); }

 private:
  std::unique_ptr<levin::core::Optimizer> optimizer_;
};

template <class Optimizer>
class Loop : public HandLoop {
 public:
  Loop(const Workload& w, int64_t rows, int64_t batch)
      : net_(w.make_net()), optimizer_(w, *net_), rows_(rows_of(w, rows)), batch_(batch) {
    std::vector<int64_t> shape = {batch};
    shape.insert(shape.end(), w.shape.begin(), w.shape.end());
    input_ = torch::empty(shape, w.input == Input::characters ? at::kLong : at::kFloat);
    target_ = torch::empty({batch}, w.classes > 0 ? at::kLong : at::kFloat);
    order();
  }
  void epoch() override {
    order();
    for (int64_t batch = 0; batch < rows_->size() / batch_; ++batch) step(batch);
  }
  torch::Tensor step(int64_t batch) override {
    rows_->gather(order_.data() + batch * batch_, batch_, input_.data_ptr(), target_.data_ptr());
    const torch::Tensor loss = net_->loss(input_, target_);
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
    return loss;
  }
  const std::shared_ptr<Net>& net() const override { return net_; }

 private:
  void order() {
    order_.resize(static_cast<size_t>(rows_->size()));
    std::iota(order_.begin(), order_.end(), 0);
  }
  std::shared_ptr<Net> net_;
  Optimizer optimizer_;
  std::shared_ptr<const Rows> rows_;
  int64_t batch_;
  std::vector<int64_t> order_;
  torch::Tensor input_, target_;
};

}  // namespace

std::unique_ptr<HandLoop> make_hand_loop(const Workload& workload, int64_t rows, int64_t batch,
                                         const std::string& optimizer) {
  if (optimizer == "host") return std::make_unique<Loop<HostOptimizer>>(workload, rows, batch);
  return std::make_unique<Loop<TorchOptimizer>>(workload, rows, batch);
}

void copy_state(Net& to, Net& from) {
  const torch::NoGradGuard no_grad;
  const auto copy = [](std::vector<torch::Tensor> a, const std::vector<torch::Tensor>& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i].copy_(b[i]);
  };
  copy(to.parameters(), from.parameters());
  copy(to.buffers(), from.buffers());
}

double largest_difference(Net& a, Net& b) {
  const auto p = a.parameters(), q = b.parameters();
  double largest = 0;
  for (size_t i = 0; i < p.size(); ++i) largest = std::max(largest, (p[i] - q[i]).abs().max().item().toDouble());
  return largest;
}

}  // namespace levin_bench
