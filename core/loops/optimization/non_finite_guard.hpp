// Prevents optimizer steps if a loss or a gradient is not finite, and then acts according to trainer.non_finite.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/components/model.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/loops/optimization/non_finite_watch.hpp"
#include "core/progress/run_progress.hpp"

namespace levin::core {

// The optimizer steps that trainer.non_finite=skip skipped, over all sessions of a fit.
struct SkippedSteps {
  int64_t total = 0, in_a_row = 0;
  int64_t last = -2;  // global step of the last skipped step

  void add(int64_t step) {
    ++total;
    in_a_row = step == last + 1 ? in_a_row + 1 : 1;
    last = step;
  }
  nlohmann::json state_dict() const { return {{"total", total}, {"in_a_row", in_a_row}, {"last", last}}; }
  // state: the result of state_dict(), or null.
  static SkippedSteps from(const nlohmann::json& state) {
    if (state.is_null()) return {};
    return {state.at("total").get<int64_t>(), state.at("in_a_row").get<int64_t>(), state.at("last").get<int64_t>()};
  }
};

class NonFiniteGuard {
 public:
  // Restores weights and optimizers from the last good checkpoint and returns a line that says so. Throws Error if
  // there is none. why: description of the non-finite step.
  using RollBack = std::function<std::string(const std::string& why)>;

  NonFiniteGuard(const RunPlan& plan, const Model& model, const RunProgress& progress, Warn warn)
      : plan_(plan), model_(model), progress_(progress), warn_(std::move(warn)) {}
  void on_roll_back(RollBack roll_back) { roll_back_ = std::move(roll_back); }
  // Returns a description of the fields of the current batch that are not finite. nullptr while there is no batch.
  using LookAtBatch = std::function<std::string()>;
  LookAtBatch on_look(LookAtBatch look) { return std::exchange(look_at_batch_, std::move(look)); }  // returns the last

  void begin_window();  // call it before the first forward pass whose gradients the next step uses
  void forget_losses() { watch_.forget_losses(); }  // call it when gradients are set to zero
  void see_loss(const at::Tensor& loss);            // loss: the one of a backward pass

  // Bad losses are exchanged between processes, so that a step is skipped by all of them or by none.
  at::Tensor bad_loss(at::Device device) const { return watch_.bad_loss(device); }
  void share(const at::Tensor& bad_loss) {
    if (is_on()) watch_.share(bad_loss);
  }

  // Call it before gradients are clipped to finite values.
  void look_ahead(const Optimizer& optimizer) {
    if (is_on()) watch_.look_ahead(optimizer);
  }
  // The decision about the next step.
  struct Verdict {
    bool steps = true;
    at::Tensor skip;  // bool on a device that decides instead, to avoid a synchronization; undefined on the CPU
  };
  // Call it right before a step. If a loss or a gradient is not finite, the step must be skipped, and the model's
  // buffers are restored (buffers on a device only with trainer.non_finite=skip). known: true if the gradients are
  // known to be finite.
  Verdict verdict(const Optimizer& optimizer, bool known);
  // The decision about a step whose closure was evaluated for the first time. Synchronizes with the device. Returns
  // false if the step must be skipped; then the model's buffers are restored.
  bool allows_step(const Optimizer& optimizer);
  // Call it if a step was undone because its parameters were not finite.
  void undone(const Optimizer& optimizer);
  // Call it if a step was skipped because the loss scale was too large: only the losses are checked.
  void overflowed(const Optimizer& optimizer);

  // Call it after a batch. If steps were skipped, stops, counts them or rolls back. Throws Error{non_finite}. wait:
  // true synchronizes with devices too.
  void settle(bool wait);
  // Returns the steps skipped so far, including those not reported yet; synchronizes with devices. Counted with
  // trainer.non_finite=skip; with stop, only the steps that end the run.
  SkippedSteps skipped();
  void set_skipped(const SkippedSteps& before) { skipped_ = before; }
  // Call it after a fit. Warns how many steps were skipped. Throws Error{non_finite} if the weights are not finite.
  void end_fit();

  bool is_on() const { return plan_.numerics.non_finite != NonFinite::ignore; }

 private:
  bool restores(const at::Tensor& buffer) const {
    return plan_.numerics.non_finite == NonFinite::skip || buffer.device().is_cpu();
  }
  StepPlace place() const;
  std::string text_of(const NonFiniteStep& step) const;
  void put_buffers_back(const at::Tensor& where);
  void handle(const NonFiniteStep& step);
  void count(const NonFiniteStep& step, const std::string& text);
  [[noreturn]] void stop(const std::string& text) const;

  const RunPlan& plan_;
  const Model& model_;
  const RunProgress& progress_;
  Warn warn_;
  RollBack roll_back_;
  LookAtBatch look_at_batch_;
  NonFiniteWatch watch_;
  std::vector<at::Tensor> buffers_;  // values from the start of the window; undefined unless restores()
  SkippedSteps skipped_;
};

}  // namespace levin::core
