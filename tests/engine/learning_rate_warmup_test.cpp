// The callback learning_rate_warmup with several schedules, optimizers and strategies.
#include "core/base/text.hpp"
#include "fits.hpp"

namespace learning_rate_warmup_test {
namespace {

// 16 steps.
const std::string fit_cnn =
    "fit --model cnn --data synthetic --data.size 16 --data.val_rows 8 --batch_size 8 "
    "--trainer.log_every_n_steps 1 --accelerator cpu --callback.model_checkpoint.save_last true ";
const std::string set_up = fit_cnn + "--data.rows 32 --max_epochs 4 ";
const std::string warm_up =
    "--callback learning_rate_warmup --callback.learning_rate_warmup.num_warmup_steps 10 "
    "--callback.learning_rate_warmup.start_factor 0.1 ";

Weights weights_of(const Sandbox& box, int version) { return weights_in(last(box, version)); }

// Returns the logged values of a metric, without the rows that do not have it.
std::vector<std::string> logged(const Sandbox& box, int version, const std::string& metric) {
  const auto rows = levin::core::split(levin::core::trim(box.read(box.run(version) / "metrics.csv")), '\n');
  const auto names = levin::core::split(rows.at(0), ',');
  const auto column = static_cast<size_t>(std::find(names.begin(), names.end(), metric) - names.begin());
  INFO(rows.at(0));
  REQUIRE(column < names.size());
  std::vector<std::string> out;
  for (size_t i = 1; i < rows.size(); ++i)
    if (const auto values = levin::core::split(rows[i], ','); !values.at(column).empty()) out.push_back(values[column]);
  return out;
}

}  // namespace

TEST_CASE("the steps are those of the schedule `warmup`, whose rates the optimizer itself has") {
  const Sandbox box;
  const std::string by_step = fit_cnn + "--data.rows 8 --max_epochs 16 ";  // the schedule goes by epochs
  REQUIRE(box.host(by_step + warm_up).code == 0);
  REQUIRE(box.host(by_step + "--model.scheduler warmup --model.scheduler_options "
                             "'{\"warmup_steps\": 10, \"start_factor\": 0.1}'")
              .code == 0);
  REQUIRE(box.host(by_step).code == 0);
  CHECK(apart(weights_of(box, 0), weights_of(box, 1)) < 1e-6);
  CHECK(apart(weights_of(box, 0), weights_of(box, 2)) > 1e-4);
  const auto factors = logged(box, 0, "lr_factor");
  REQUIRE(factors.size() == 11);
  CHECK(factors.front() == "0.1");
  CHECK(factors.back() == "1.0");
}

TEST_CASE("schedules by step, by epoch and by a metric give the rates that they give without a warm-up") {
  const char* const schedules[] = {
      "one_cycle", "step --model.scheduler_options '{\"step_size\": 1, \"gamma\": 0.7}'",
      // Nothing improves by 100 %, so the rate falls in every epoch.
      "reduce_on_plateau --model.scheduler_options '{\"patience\": 0, \"threshold\": 1, \"factor\": 0.3}'"};
  for (const std::string schedule : schedules) {
    const Sandbox box;
    const std::string words =
        set_up + "--callback learning_rate_monitor --callback.learning_rate_monitor.logging_interval step " +
        "--model.scheduler " + schedule + " ";
    const Outcome with = box.host(words + warm_up);
    INFO(schedule << "\n" << with.err);
    REQUIRE(with.code == 0);
    REQUIRE(box.host(words).code == 0);
    const auto rates = logged(box, 0, "lr-SGD");
    CHECK(rates.size() == 16);
    CHECK(rates.front() != rates.back());
    CHECK(rates == logged(box, 1, "lr-SGD"));
    CHECK(apart(weights_of(box, 0), weights_of(box, 1)) > 1e-4);
  }
}

TEST_CASE("a factor of nothing moves no weight, and one of 1 changes no bit") {
  const Sandbox box;
  REQUIRE(box.host(set_up).code == 0);
  REQUIRE(box.host(set_up + warm_up).code == 0);
  CHECK(difference(last(box, 0), last(box, 1)) != "");
  const std::string own = "--callback learning_rate_warmup --callback.learning_rate_warmup.";
  REQUIRE(box.host(set_up + own + "start_factor 1").code == 0);
  CHECK(apart(weights_of(box, 0), weights_of(box, 2)) == 0);
  REQUIRE(box.host(set_up + own + "start_factor 0 --callback.learning_rate_warmup.num_warmup_steps 1000000000000000")
              .code == 0);
  REQUIRE(box.host(set_up + "--model.lr 0").code == 0);
  CHECK(apart(weights_of(box, 3), weights_of(box, 4)) < 1e-6);
}

}  // namespace learning_rate_warmup_test
