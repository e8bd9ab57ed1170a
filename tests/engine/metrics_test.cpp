// Stateful metrics in a run.
#include <sstream>

#include "host_process/sandbox.hpp"

namespace metrics_test {
namespace {

// The values of a metric that a logger received, in order.
std::vector<double> values_of(const Outcome& outcome, const std::string& metric) {
  std::vector<double> out;
  for (const std::string& line : starting(outcome.trace, "log.metrics")) {
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (word.compare(0, metric.size() + 1, metric + "=") == 0)
        out.push_back(std::stod(word.substr(metric.size() + 1)));
  }
  return out;
}

}  // namespace

TEST_CASE("a metric shows the value of the batch on the step, and that of all rows at the end of the epoch") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit",
                   "--model plain --model.log true --model.metric true --data.train 8 --data.batch_size 3 "
                   "--trainer.max_epochs 2 --trainer.log_every_n_steps 1 --callback model_checkpoint=false "
                   "--logger recording_logger");
  REQUIRE(outcome.code == 0);
  const std::vector<double> losses = values_of(outcome, "training_step_loss"),
                            steps = values_of(outcome, "metric_step"), epochs = values_of(outcome, "metric_epoch");
  REQUIRE(losses.size() == 6);
  REQUIRE(epochs.size() == 2);
  CHECK(steps == losses);
  for (size_t i = 0; i < 2; ++i)
    CHECK(epochs[i] == Approx((3 * losses[3 * i] + 3 * losses[3 * i + 1] + 2 * losses[3 * i + 2]) / 8));
}

}  // namespace metrics_test
