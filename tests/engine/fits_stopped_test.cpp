// Fits of two processes in which one requests a stop or receives a signal, in every hook.
#include "fits.hpp"

namespace fits_stopped_test {
namespace {

struct Place {
  std::string hook;
  int epoch, batch;
  std::string last;  // the last batch, after which all processes stop
};

const std::string set_up =
    "--data.train 40 --data.val [8] --trainer.max_epochs 3 --trainer.val_check_interval 5 "
    "--trainer.num_sanity_val_steps 2 ";

Outcome stopped(const Sandbox& box, const Place& place, const std::string& deed) {
  return fit(box, 2,
             set_up + "--model.do " + deed + " --model.at " + place.hook + " --model.epoch " +
                 std::to_string(place.epoch) + " --model.batch " + std::to_string(place.batch));
}

}  // namespace

TEST_CASE("a stop that one process asks for in any hook ends all of them after the same batch") {
  const Place places[] = {
      {"setup", 0, 0, ""},
      {"on_sanity_check_start", 0, 0, ""},
      {"on_train_start", 0, 0, ""},
      {"on_train_epoch_start", 1, 0, "0 9"},
      {"on_train_batch_start", 1, 2, "1 3"},
      {"on_before_optimizer_step", 1, 2, "1 3"},
      {"on_train_batch_end", 1, 4, "1 4"},  // a validation follows
      {"on_train_batch_end", 1, 9, "1 9"},
      {"validation_step", 1, 1, "1 4"},
      {"on_validation_end", 1, 0, "1 4"},
      {"on_train_epoch_end", 1, 0, "1 9"},
      {"on_train_end", 3, 0, "2 9"},
      {"on_fit_end", 3, 0, "2 9"},
  };
  for (const Place& place : places) {
    const Sandbox box;
    const Outcome outcome = stopped(box, place, "stop");
    INFO(place.hook << " " << place.epoch << " " << place.batch << "\n" << outcome.err);
    CHECK(starting(outcome.trace, "1: does stop").size() >= 1);
    CHECK(outcome.code == 0);
    CHECK(last_batch(outcome, 0) == place.last);
    CHECK(last_batch(outcome, 1) == place.last);
  }
}

TEST_CASE("a signal to one process before the batches, or in a validation, ends all of them at the same place") {
  const Place places[] = {
      {"on_fit_start", 0, 0, ""},         {"on_sanity_check_end", 0, 0, ""},
      {"on_train_start", 0, 0, ""},       {"on_train_epoch_start", 1, 0, "0 9"},
      {"on_validation_end", 1, 0, "1 4"}, {"on_train_epoch_end", 1, 0, "1 9"},
  };
  const Sandbox other;
  REQUIRE(fit(other, 2, set_up).code == 0);
  for (const Place& place : places) {
    const Sandbox box;
    const Outcome outcome = stopped(box, place, "terminate");
    INFO(place.hook << "\n" << outcome.err);
    CHECK(outcome.code == 75);
    CHECK(last_batch(outcome, 0) == place.last);
    CHECK(last_batch(outcome, 1) == place.last);
    const Outcome rest = box.host("resume " + box.run(0).string() + " --model.do nothing");
    CHECK(rest.code == 0);
    CHECK(last_batch(rest, 1) == "2 9");
    CHECK(difference(last(box, 0), last(other, 0)) == "");
  }
}

TEST_CASE("a run that has stopped early trains nothing when it is asked to go on") {
  const Sandbox box;
  const Outcome first = box.host(
      "fit --plugins " LEVIN_TEST_PLUGINS
      " --model shared --data rows --data.batch_size 2 --data.train 12 --data.val [4] --callback model_summary=false "
      "--callback progress_bar=false --callback results_table=false --logger false --trainer.max_epochs 5 "
      "--callback.early_stopping.monitor val --callback.early_stopping.stopping_threshold 1e9 "
      "--callback.model_checkpoint.save_last true --trainer.accelerator cpu" +
      devices + "2");
  REQUIRE(first.code == 0);
  REQUIRE(last_batch(first, 0) == "0 2");
  const std::string before = trained(last(box, 0));
  const Outcome second = box.host("resume " + box.run(0).string());
  CHECK(second.code == 0);
  CHECK(last_batch(second, 0).empty());
  CHECK(last_batch(second, 1).empty());
  CHECK(trained(last(box, 0)) == before);
}

}  // namespace fits_stopped_test
