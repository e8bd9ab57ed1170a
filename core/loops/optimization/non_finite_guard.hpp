// Keeps optimizers from stepping when a loss or a gradient is not finite, and does then what trainer.non_finite says.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/components/model.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/loops/optimization/non_finite_watch.hpp"
#include "core/progress/run_progress.hpp"
#include "core/progress/skipped_steps.hpp"

namespace levin::core {

class NonFiniteGuard {
 public:
  using Warn = std::function<void(const std::string&)>;
  // Puts weights and optimizers back to those of the last good checkpoint and returns the line that says so. Throws
  // Error where there is none; `why` is what happened.
  using RollBack = std::function<std::string(const std::string& why)>;

  NonFiniteGuard(const RunPlan& plan, const Model& model, const RunProgress& progress, Warn warn)
      : plan_(plan), model_(model), progress_(progress), warn_(std::move(warn)) {}
  void on_roll_back(RollBack roll_back) { roll_back_ = std::move(roll_back); }
  // Describes which fields of the batch in hand are not finite; nullptr while there is no batch.
  using LookAtBatch = std::function<std::string()>;
  LookAtBatch on_look(LookAtBatch look) { return std::exchange(look_at_batch_, std::move(look)); }  // returns the last

  void begin_window();                              // before the first forward whose gradients the next step uses
  void forget_losses() { watch_.forget_losses(); }  // gradients were set to zero
  void see_loss(const at::Tensor& loss);            // of a backward

  // What other processes have to know of the losses, and what they know: a step is left out by all of them or by none.
  at::Tensor bad_loss(at::Device device) const { return watch_.bad_loss(device); }
  void share(const at::Tensor& bad_loss) {
    if (is_on()) watch_.share(bad_loss);
  }

  // Before gradients are cut to finite values.
  void look_ahead(const Optimizer& optimizer) {
    if (is_on()) watch_.look_ahead(optimizer);
  }
  // Whether the coming step may be taken.
  struct Verdict {
    bool steps = true;
    at::Tensor skip;  // on a device: a bool there that decides instead, so that nobody waits; else undefined
  };
  // Call it right before a step. A step is not to be taken if a loss or a gradient is not finite; then the model's
  // buffers are put back to what they were (buffers on a device only if the run goes on). known: the gradients are
  // finite.
  Verdict verdict(const Optimizer& optimizer, bool known);
  // Steps an optimizer by its closure, unless the first evaluation finds a loss or gradient that is not finite. The
  // step is also undone if it ends at parameters that are not finite.
  void step(Optimizer& optimizer, const Optimizer::Closure& closure);
  // The loss scale was too large, and left a step out: only the losses are looked at.
  void overflowed(const Optimizer& optimizer);

  // After a batch: stops, counts or goes back if steps were left out. Throws Error{non_finite}. With `wait`, devices
  // are asked too.
  void settle(bool wait);
  // So far, with those that nobody was told of yet, which devices are asked for. trainer.non_finite=skip counts them,
  // and stop those that end the run.
  SkippedSteps left_out();
  void set_left_out(const SkippedSteps& before) { left_out_ = before; }
  // After a fit: says how many steps were left out. Throws Error{non_finite} if the weights are not finite.
  void end_fit();

 private:
  bool is_on() const { return plan_.non_finite != NonFinite::ignore; }
  bool restores(const at::Tensor& buffer) const {
    return plan_.non_finite == NonFinite::skip || buffer.device().is_cpu();
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
  std::vector<at::Tensor> buffers_;  // as they were when the window began; undefined unless restores()
  SkippedSteps left_out_;
};

}  // namespace levin::core
