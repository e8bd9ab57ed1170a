// Schedules gradient accumulation: sets the number of batches per optimizer step by epoch.
#include "levin/callback.hpp"
#include "schedule.hpp"

namespace levin::gradient_accumulation_scheduler {
namespace {

class GradientAccumulationScheduler : public Callback {
 public:
  static constexpr levin_option options[] = {
      required(json("scheduling", nullptr, "{\"4\": 2, \"8\": 4}: two batches a step from epoch 4 on, four from 8 on")),
  };
  explicit GradientAccumulationScheduler(const Args& args) : schedule_(parse_schedule(args.text("scheduling"))) {}

  void on_fit_start(const Event& event) {
    const Run run = event.run();
    if (!run.automatic_optimization())
      throw Error(LEVIN_E_UNSUPPORTED,
                  "works with automatic optimization; with manual optimization the model accumulates");
    if (run.accumulate_grad_batches() != 1)
      throw Error(
          LEVIN_E_INVALID,
          "trainer.accumulate_grad_batches is given too; leave it at 1, and say in scheduling what epoch 0 has");
    if (changes(schedule_) && run.has_schedule_by_step())
      warn(
          "a learning rate schedule by step was made for trainer.accumulate_grad_batches = 1, and scheduling changes "
          "how many steps there are: it does not reach its end. Take one number for "
          "trainer.accumulate_grad_batches instead, or a schedule by epoch");
  }
  void on_train_start(const Event& event) { apply(event); }  // for a fit that is resumed within an epoch
  void on_train_epoch_start(const Event& event) { apply(event); }

 private:
  void apply(const Event& event) const {
    event.run().set("accumulate_grad_batches", static_cast<double>(factor_of(schedule_, event.epoch())));
  }

  Schedule schedule_;
};

}  // namespace
}  // namespace levin::gradient_accumulation_scheduler

LEVIN_PLUGIN("levin.gradient_accumulation_scheduler", "0.1.0", "Apache-2.0",
             levin::callback<levin::gradient_accumulation_scheduler::GradientAccumulationScheduler>(
                 "gradient_accumulation_scheduler", "Accumulates gradients over N batches, set by epoch"))
