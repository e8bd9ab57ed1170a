#include "core/strategies/common/checked_strategy.hpp"

#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace levin::core {

CheckedStrategy::CheckedStrategy(std::unique_ptr<Strategy> checked) : checked_(std::move(checked)) {}

void CheckedStrategy::require(bool holds, const char* call, const char* needs) const {
  if (!holds)
    throw Error(ErrorCode::internal_error,
                std::string("the strategy ") + name() + ": " + call + " was called without " + needs + " before it");
}

void CheckedStrategy::place(Model& model, at::ScalarType dtype) {
  checked_->place(model, dtype);
  setup_ = Setup::placed;
}

void CheckedStrategy::begin(const Model& model) {
  require(setup_ >= Setup::placed, "begin()", "place()");
  checked_->begin(model);
  setup_ = Setup::begun;
}

void CheckedStrategy::begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>& optimizers) {
  require(setup_ >= Setup::begun, "begin_optimizers()", "begin()");
  checked_->begin_optimizers(optimizers);
  setup_ = Setup::ready;
}

void CheckedStrategy::before_forward(const Model& model) {
  require(setup_ >= Setup::placed, "before_forward()", "place()");
  checked_->before_forward(model);
  before_forward_ = true;
}

void CheckedStrategy::forward(const std::function<void()>& step) {
  require(before_forward_, "forward()", "before_forward()");
  checked_->forward(step);
}

void CheckedStrategy::step(const ModelStep& step) {
  require(setup_ >= Setup::placed, "step()", "place()");
  const bool trains = step.in.stage == LEVIN_STAGE_FIT;
  if (trains) require(std::exchange(before_forward_, false) || !several(), "step()", "before_forward()");
  checked_->step(step);
}

void CheckedStrategy::expect_step(const Optimizer& optimizer, const at::Tensor& bad_loss) {
  require(setup_ == Setup::ready, "expect_step()", "begin_optimizers()");
  checked_->expect_step(optimizer, bad_loss);
  expects_step_ = true;
}

void CheckedStrategy::backward(const at::Tensor& loss, bool retain_graph) {
  expects_step_ = false;
  checked_->backward(loss, retain_graph);
  after_backward_due_ = true;
}

void CheckedStrategy::after_backward() {
  require(!expects_step_, "after_backward()", "the backward() that expect_step() announced");
  checked_->after_backward();
  after_backward_due_ = false;
}

void CheckedStrategy::reduce_gradients(const Optimizer& optimizer, const at::Tensor& bad_loss) {
  require(setup_ == Setup::ready, "reduce_gradients()", "begin_optimizers()");
  require(!expects_step_, "reduce_gradients()", "the backward() that expect_step() announced");
  require(!after_backward_due_, "reduce_gradients()", "after_backward()");
  checked_->reduce_gradients(optimizer, bad_loss);
}

void CheckedStrategy::used_gradients(const Optimizer& optimizer) {
  require(setup_ == Setup::ready, "used_gradients()", "begin_optimizers()");
  checked_->used_gradients(optimizer);
}

}  // namespace levin::core
