// Stops the training as soon as a metric is good enough.
#include <levin/callback.hpp>

struct TargetReached : levin::Callback {
  static constexpr levin_option options[] = {levin::text("monitor", "\"val_loss\"", "metric to watch"),
                                             levin::required(levin::number("target", nullptr, "value that is enough")),
                                             levin::flag("higher", "false", "more is better, as for an accuracy")};
  std::string monitor;
  double target;
  bool higher;

  explicit TargetReached(const levin::Args& o)
      : monitor(o.text("monitor")), target(o.number("target")), higher(o.flag("higher")) {}

  void on_validation_end(const levin::Event& event) {
    const std::optional<double> now = event.run().metric(monitor);
    if (event.stage() != levin::Stage::fit || !now) return;
    if (higher ? *now >= target : *now <= target)
      event.run().stop(monitor + " reached " + std::to_string(*now) + " in epoch " + std::to_string(event.epoch()));
  }
};

LEVIN_PLUGIN("com.example.target_reached", "1.0.0", "Apache-2.0",
             levin::callback<TargetReached>("target_reached", "Stops when a metric is good enough"))
