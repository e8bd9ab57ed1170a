// The learning-rate schedules. A "step" of a schedule is an epoch or an optimizer step, depending on its interval.
#include <cmath>

#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

OptionSchema gamma_option() { return float_option("gamma", 0.1, 0, "factor"); }
OptionSchema eta_min() { return float_option("eta_min", 0.0, -HUGE_VAL, "lowest learning rate"); }
OptionSchema cycle_momentum() {
  return bool_option("cycle_momentum", true, "move momentum (Adam: beta1) against the learning rate");
}
OptionSchema parts() {
  return required(json_option("schedulers", nullptr, R"(array of {"name": ..., and its options})"));
}

std::vector<OptionSchema> one_cycle_options() {
  return {nullable(json_option("max_lr", nullptr, "highest learning rate, or one a group; null = the optimizer's lr")),
          nullable(
              int_option("total_steps", nullptr, 1, "steps of the cycle; null = epochs x steps_per_epoch, or the run")),
          nullable(int_option("epochs", nullptr, 1, "epochs of the cycle")),
          nullable(int_option("steps_per_epoch", nullptr, 1, "steps of an epoch")),
          share_option("pct_start", 0.3, "fraction of the steps in which the learning rate rises"),
          choice_option("anneal_strategy", {"cos", "linear"}, "shape of the curve between the learning rates"),
          cycle_momentum(),
          json_option("base_momentum", 0.85, "momentum at max_lr, or one a group"),
          json_option("max_momentum", 0.95, "momentum at the ends, or one a group"),
          float_option("div_factor", 25.0, 0, "max_lr divided by the first learning rate"),
          float_option("final_div_factor", 1e4, 0, "the first learning rate divided by the last"),
          bool_option("three_phase", false, "fall to the first learning rate before the last phase")};
}

std::vector<OptionSchema> cyclic_options() {
  return {required(json_option("base_lr", nullptr, "lowest learning rate, or one a group")),
          required(json_option("max_lr", nullptr, "highest learning rate, or one a group")),
          int_option("step_size_up", 2000, 1, "steps in which the learning rate rises"),
          nullable(int_option("step_size_down", nullptr, 1, "steps in which it falls; null = step_size_up")),
          choice_option("mode", {"triangular", "triangular2", "exp_range"},
                        "height of the cycles: constant, halved each time, or decaying by gamma"),
          float_option("gamma", 1.0, 0, "decay of exp_range in each step"),
          cycle_momentum(),
          json_option("base_momentum", 0.8, "momentum at max_lr, or one a group"),
          json_option("max_momentum", 0.9, "momentum at base_lr, or one a group")};
}

std::vector<OptionSchema> plateau_options() {
  return {choice_option("mode", {"min", "max"}, "whether lower or higher values of the metric are better"),
          float_option("factor", 0.1, 0, "factor, below 1"),
          int_option("patience", 10, 0, "steps without improvement before the learning rate is lowered"),
          float_option("threshold", 1e-4, -HUGE_VAL, "smaller changes of the metric are no improvement"),
          choice_option("threshold_mode", {"rel", "abs"}, "threshold relative to the best value, or absolute"),
          int_option("cooldown", 0, 0, "steps after a reduction in which patience does not count"),
          json_option("min_lr", 0.0, "lowest learning rate, or one a group"),
          float_option("eps", 1e-8, 0, "smaller reductions are not made")};
}

}  // namespace

const std::vector<OptimSpec>& schedule_table() {
  static const std::vector<OptimSpec> table = {
      {"step",
       "StepLR",
       "Multiplies the learning rate by gamma every step_size steps.",
       {required(int_option("step_size", nullptr, 1, "steps between two decays")), gamma_option()}},
      {"multi_step",
       "MultiStepLR",
       "Multiplies the learning rate by gamma at each milestone.",
       {required(ints_option("milestones", nullptr, "step numbers; one given twice counts twice")), gamma_option()}},
      {"exponential",
       "ExponentialLR",
       "Multiplies the learning rate by gamma in every step.",
       {required(float_option("gamma", nullptr, 0, "factor"))}},
      {"polynomial",
       "PolynomialLR",
       "Lowers the learning rate to zero in total_iters steps, by a power of the remaining fraction.",
       {int_option("total_iters", 5, 1, "steps until zero"), float_option("power", 1.0, 0, "exponent")}},
      {"constant",
       "ConstantLR",
       "Multiplies the learning rate by factor for the first total_iters steps.",
       {share_option("factor", 1.0 / 3, "factor, above 0"), int_option("total_iters", 5, 1, "steps with the factor")}},
      {"linear",
       "LinearLR",
       "Multiplies the learning rate by a factor that goes from start_factor to end_factor.",
       {share_option("start_factor", 1.0 / 3, "factor of step 0, above 0"),
        share_option("end_factor", 1.0, "factor after total_iters steps"),
        int_option("total_iters", 5, 1, "steps until end_factor")}},
      {"cosine_annealing",
       "CosineAnnealingLR",
       "Lowers the learning rate to eta_min along half a cosine.",
       {nullable(int_option("T_max", nullptr, 1, "steps until eta_min; null = all steps of the run")), eta_min()}},
      {"cosine_annealing_warm_restarts",
       "CosineAnnealingWarmRestarts",
       "Cosine annealing that starts again from the full learning rate.",
       {required(int_option("T_0", nullptr, 1, "steps until the first restart")),
        int_option("T_mult", 1, 1, "factor by which each cycle is longer than the one before"), eta_min()}},
      {"one_cycle", "OneCycleLR", "Raises the learning rate to max_lr and lowers it to almost zero, once.",
       one_cycle_options()},
      {"cyclic", "CyclicLR", "Moves the learning rate between base_lr and max_lr, again and again.", cyclic_options()},
      {"lambda",
       "LambdaLR",
       "Multiplies the initial learning rate by the value of a function, which only a model can give.",
       {},
       Needs::function},
      {"multiplicative",
       "MultiplicativeLR",
       "Multiplies the learning rate in every step by the value of a function, which only a model can give.",
       {},
       Needs::function},
      {"reduce_on_plateau", "ReduceLROnPlateau",
       "Multiplies the learning rate by factor when a monitored metric has stopped improving.", plateau_options(),
       Needs::metric},
      {"sequential",
       "SequentialLR",
       "Runs several schedules one after another.",
       {parts(), required(ints_option("milestones", nullptr, "steps at which the second and each later one begins"))},
       Needs::schedules},
      {"chained", "ChainedScheduler", "Applies several schedules together.", {parts()}, Needs::schedules},
      {"warmup",
       "LinearWarmup",
       "Raises the learning rate linearly, then runs another schedule from its own step 0.",
       {required(int_option("warmup_steps", nullptr, 1, "steps until the full learning rate")),
        share_option("start_factor", 0.01, "factor of step 0"),
        nullable(json_option("after", nullptr, R"({"name": ..., and its options}; null = constant learning rate)"))}}};
  return table;
}

}  // namespace levin::core
