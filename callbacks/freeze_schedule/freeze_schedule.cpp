// Freezes and unfreezes parameters of the model by epoch. Frozen parameters stay in their optimizer, which does not
// change them, because they have no gradient.
#include "levin/callback.hpp"
#include "levin/parameters.hpp"
#include "schedule.hpp"

namespace levin::freeze_schedule {
namespace {

class FreezeSchedule : public Callback {
 public:
  static constexpr levin_option options[] = {
      json("freeze", "{}", "{\"0\": \"features\", \"5\": [\"*.bias\"]}: parameters to freeze, by epoch"),
      json("unfreeze", "{}", "parameters to unfreeze, by epoch; they are frozen before"),
  };
  explicit FreezeSchedule(const Args& args) : schedule_(parse_schedule(args.text("freeze"), args.text("unfreeze"))) {}

  void on_fit_start(const Event& event) {
    if (schedule_.empty()) warn("freeze and unfreeze are empty: nothing is frozen");
    names_.clear();
    for (const Change& change : schedule_) parameters(event.run(), change.patterns);  // throws for an unknown one
    for (const Parameter& parameter : parameters(event.run()))
      if (frozen_in(schedule_, parameter.name, 0)) names_.push_back(parameter.name);
    for (const std::string& name : names_)
      if (!is_trained(event.run(), name))
        throw Error(LEVIN_E_STATE, "the parameter '" + name +
                                       "' is frozen by the model or another callback, and belongs to no optimizer; "
                                       "leave it out of freeze and unfreeze");
  }
  void on_train_start(const Event& event) { apply(event); }  // for a fit that is resumed within an epoch
  void on_train_epoch_start(const Event& event) { apply(event); }
  void on_fit_end(const Event& event) {
    for (const std::string& name : names_) set_trained(event.run(), name, true);
  }

 private:
  static bool is_trained(const Run& run, const std::string& name) {
    int32_t on = 0;
    detail::check(run.params().get_requires_grad(run.raw(), name.c_str(), &on), name.c_str());
    return on != 0;
  }
  static void set_trained(const Run& run, const std::string& name, bool on) {
    detail::check(run.params().requires_grad(run.raw(), name.c_str(), on), name.c_str());
  }

  void apply(const Event& event) const {
    const Run run = event.run();
    size_t frozen = 0, unfrozen = 0;
    for (const std::string& name : names_) {
      const bool trained = !*frozen_in(schedule_, name, event.epoch());
      if (trained == is_trained(run, name)) continue;
      set_trained(run, name, trained);
      ++(trained ? unfrozen : frozen);
    }
    if (!is_first_process(run)) return;
    const std::string when = "in epoch " + std::to_string(event.epoch()) + ": ";
    if (frozen > 0) info(when + std::to_string(frozen) + " parameters are frozen");
    if (unfrozen > 0) info(when + std::to_string(unfrozen) + " parameters are unfrozen");
  }

  Schedule schedule_;
  std::vector<std::string> names_;  // of the parameters that the schedule names
};

}  // namespace
}  // namespace levin::freeze_schedule

LEVIN_PLUGIN("levin.freeze_schedule", "0.1.0", "Apache-2.0",
             levin::callback<levin::freeze_schedule::FreezeSchedule>(
                 "freeze_schedule", "Freezes and unfreezes parameters by name and epoch"))
