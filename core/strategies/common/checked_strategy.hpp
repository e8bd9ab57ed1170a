// A wrapper that checks that the loops call a strategy in the required order. Builds with LEVIN_CHECKED (the presets
// dev, asan and tsan) wrap every strategy in it; release builds do not contain it.
#pragma once
#include <memory>

#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// Methods called too early throw Error{internal} that names the call and the missing call before it.
class CheckedStrategy : public Strategy {
 public:
  explicit CheckedStrategy(std::unique_ptr<Strategy> checked);
  const char* name() const override { return checked_->name(); }
  at::Device device() const override { return checked_->device(); }
  std::vector<at::Device> devices() const override { return checked_->devices(); }
  ProcessGroup& processes() const override { return checked_->processes(); }
  at::Tensor to_device(const at::Tensor& tensor) const override { return checked_->to_device(tensor); }
  std::unique_ptr<Model> make_model(const MakeModel& make) override { return checked_->make_model(make); }
  std::map<std::string, at::Generator> further_generators() const override { return checked_->further_generators(); }
  void place(Model& model, at::ScalarType dtype) override;
  void begin(const Model& model) override;
  void begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>& optimizers) override;
  bool shards_optimizers() const override { return checked_->shards_optimizers(); }
  bool owns(const Optimizer& optimizer, const at::Tensor& param) override { return checked_->owns(optimizer, param); }
  void step_alone(bool on) override { checked_->step_alone(on); }
  void step(const ModelStep& step) override;
  void forward(const std::function<void()>& step) override;
  void before_forward(const Model& model) override;
  void backward(const at::Tensor& loss, bool retain_graph) override;
  void expect_step(const Optimizer& optimizer, const at::Tensor& bad_loss) override;
  void after_backward() override;
  void reduce_gradients(const Optimizer& optimizer, const at::Tensor& bad_loss) override;
  void used_gradients(const Optimizer& optimizer) override;
  void reduce_loss(const at::Tensor& loss) override { checked_->reduce_loss(loss); }

 private:
  enum class Setup { made, placed, begun, ready };  // the last call of place, begin, begin_optimizers
  void require(bool holds, const char* call, const char* needs) const;

  const std::unique_ptr<Strategy> checked_;
  Setup setup_ = Setup::made;
  bool before_forward_ = false;      // before_forward() was called for the next training step
  bool expects_step_ = false;        // expect_step() was called for the next backward()
  bool after_backward_due_ = false;  // backward() was called, and after_backward() was not yet
};

}  // namespace levin::core
