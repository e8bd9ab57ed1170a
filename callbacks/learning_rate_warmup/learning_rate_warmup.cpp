// Raises the learning rates linearly in the first optimizer steps, whatever the schedule. The factor depends on the
// number of steps alone, so a resumed fit needs no state.
#include "levin/callback.hpp"

namespace levin::learning_rate_warmup {
namespace {

class LearningRateWarmup : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("num_warmup_steps", "100", "optimizer steps until the full learning rates", 1, 1e15),
      number("start_factor", "0.01", "factor of the learning rates in the first step", 0, 1),
  };

  explicit LearningRateWarmup(const Args& args)
      : steps_(args.integer("num_warmup_steps")), start_factor_(args.number("start_factor")) {}

  void on_train_batch_start(const Event& event) {
    const int64_t step = event.global_step();
    if (step > steps_ && factor_ == 1) return;
    const Run run = event.run();
    const double factor = factor_in(step);
    if (factor != factor_) run.set("lr_factor", factor);
    factor_ = factor;
    if (step <= steps_ && run.should_update_logs()) run.log_now(run.batches_that_stepped(), {{"lr_factor", factor}});
  }

 private:
  double factor_in(int64_t step) const {
    if (step >= steps_) return 1;
    return start_factor_ + (1 - start_factor_) * static_cast<double>(step) / static_cast<double>(steps_);
  }

  int64_t steps_;
  double start_factor_, factor_ = 1;  // factor_: the one that the run has
};

}  // namespace
}  // namespace levin::learning_rate_warmup

LEVIN_PLUGIN("levin.learning_rate_warmup", "0.1.0", "Apache-2.0",
             levin::callback<levin::learning_rate_warmup::LearningRateWarmup>(
                 "learning_rate_warmup", "Raises the learning rates in the first steps of a fit"))
