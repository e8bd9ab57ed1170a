#include "tests/progress/saved_progress.hpp"
#include "tests/services/service_scene.hpp"

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "core/services/dist_parts.hpp"
#include "tests/logging/log_call.hpp"

using namespace levin::core;

namespace {

const levin_trainer& trainer() { return *trainer_service(); }

double number(ServiceScene& scene, const char* name) {
  double out = -77;
  CHECK(trainer().number(&scene.run, name, &out) == LEVIN_OK);
  return out;
}

}  // namespace

TEST_CASE("what is logged within a step is a metric, under the rules of the step") {
  ToyNet net;
  ServiceScene scene(net, 6, 2);
  net.in_step = [&](const levin_step_in&) {
    const levin_log call = log_call("val", 3);
    CHECK(trainer().log(&scene.run, &call) == LEVIN_OK);
  };
  scene.validation.run(LEVIN_STAGE_VALIDATE, -1);
  double value = 0;
  CHECK(trainer().metric(&scene.run, LEVIN_METRIC_CALLBACK, "val", &value) == LEVIN_OK);
  CHECK(value == 3);
  CHECK(trainer().metric(&scene.run, LEVIN_METRIC_CALLBACK, "nobody", &value) == LEVIN_E_NOT_FOUND);
  std::vector<std::string> names;
  trainer().metrics(
      &scene.run, LEVIN_METRIC_RESULTS,
      [](void* to, const char* name, double) { static_cast<std::vector<std::string>*>(to)->push_back(name); }, &names);
  CHECK(names == std::vector<std::string>{"val"});
}

TEST_CASE("a log call in the wrong place is refused with the reason") {
  ToyNet net(0, {LEVIN_HOOK_FIT_START});
  ServiceScene scene(net);
  levin_status status = LEVIN_OK;
  net.in_hook = [&](const levin_event&) {
    const levin_log call = log_call("m", 1);
    status = trainer().log(&scene.run, &call);
  };
  scene.hooks.fire(LEVIN_HOOK_FIT_START, scene.progress);
  CHECK(status == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("log cannot be called inside on_fit_start"));
}

TEST_CASE("what follows the arguments of log that a plugin was built with is not read") {
  ToyNet net;
  ServiceScene scene(net, 6, 2);
  std::vector<levin_status> got;
  net.in_step = [&](const levin_step_in&) {
    levin_log call = log_call("val", 3);
    levin_group group{std::make_shared<PluginGroup>()};
    group.group->ranks = {0};
    call.sync_dist_group = &group;
    got.push_back(trainer().log(&scene.run, &call));
    call.sync_dist_group = reinterpret_cast<levin_group*>(&call);
    call.size = offsetof(levin_log, sync_dist_group);
    got.push_back(trainer().log(&scene.run, &call));
  };
  scene.validation.run(LEVIN_STAGE_VALIDATE, -1);
  CHECK(got == std::vector<levin_status>{LEVIN_OK, LEVIN_OK});
}

TEST_CASE("numbers say where the run is and what it was asked") {
  ToyNet net;
  ServiceScene scene(net, 6, 2);
  scene.plan.duration.max_epochs = 4;
  put_progress(scene.progress, 3, 9);
  CHECK(number(scene, "current_epoch") == 3);
  CHECK(number(scene, "global_step") == 9);
  CHECK(number(scene, "num_training_batches") == 3);
  CHECK(number(scene, "num_val_batches") == 1);
  CHECK(number(scene, "validates") == 1);
  CHECK(number(scene, "num_loggers") == 0);
  CHECK(number(scene, "estimated_stepping_batches") == 12);
  CHECK(number(scene, "epoch_loop.batch_progress.total.ready") == 0);
  double out = 0;
  CHECK(trainer().number(&scene.run, "no_such_number", &out) == LEVIN_E_NOT_FOUND);
  CHECK_THAT(service_failure(), ContainsSubstring("no number 'no_such_number'"));
}

TEST_CASE("texts, and those that there are not") {
  ToyNet net;
  ServiceScene scene(net);
  const char* text = nullptr;
  CHECK(trainer().text(&scene.run, "model", &text) == LEVIN_OK);
  CHECK(std::string(text) == "toy");
  scene.progress.place.stage = LEVIN_STAGE_SANITY;
  CHECK(trainer().text(&scene.run, "stage", &text) == LEVIN_OK);
  CHECK(std::string(text) == "sanity_check");
  CHECK(trainer().text(&scene.run, "colour", &text) == LEVIN_E_NOT_FOUND);
}

TEST_CASE("requests reach the run") {
  ToyNet net;
  ServiceScene scene(net);
  trainer().stop(&scene.run, "enough");
  trainer().skip_epoch(&scene.run);
  trainer().print(&scene.run, "a table");
  CHECK(scene.progress.stop.reason() == "enough");
  CHECK(scene.agreement.skips_epoch());
  CHECK(scene.lines == std::vector<std::string>{"a table"});
  CHECK(trainer().set_number(&scene.run, "max_epochs", 7) == LEVIN_OK);
  CHECK(trainer().set_number(&scene.run, "accumulate_grad_batches", 2) == LEVIN_OK);
  CHECK(trainer().set_number(&scene.run, "accumulate_grad_batches", 0) == LEVIN_E_INVALID);
  for (const double wrong : {std::nan(""), -7.0, 1.5, 1e300})
    CHECK(trainer().set_number(&scene.run, "max_epochs", wrong) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("max_epochs has to be a whole number of at least -1"));
  CHECK(trainer().set_number(&scene.run, "lr_factor", 0.5) == LEVIN_OK);
  for (const double wrong : {std::nan(""), -0.1, static_cast<double>(INFINITY)})
    CHECK(trainer().set_number(&scene.run, "lr_factor", wrong) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("lr_factor has to be a number from 0 up"));
  CHECK(trainer().set_number(&scene.run, "global_step", 1) == LEVIN_E_NOT_FOUND);
  CHECK(scene.plan.duration.max_epochs == 7);
  CHECK(scene.accumulation.batches() == 2);
  CHECK(trainer().set_option(&scene.run, "callback.x", "1") == LEVIN_E_INVALID);
}

TEST_CASE("a call without a run, as in a constructor, is refused") {
  const levin_log call = log_call("m", 1);
  CHECK(trainer().log(nullptr, &call) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("there is no run yet"));
  CHECK(trainer().stop(nullptr, "x") == LEVIN_E_INVALID);
}

TEST_CASE("a run without a service refuses its calls") {
  levin_run run;
  run.refusal = "nothing runs";
  CHECK(trainer().stop(&run, "x") == LEVIN_E_INVALID);
  CHECK(service_failure() == "nothing runs");
  uint64_t id = 0;
  CHECK(params_service()->snapshot(&run, &id) == LEVIN_E_INVALID);
  CHECK(optim_service()->zero_grad(&run, 0) == LEVIN_E_INVALID);
  CHECK(checkpoint_service()->wait(&run) == LEVIN_E_INVALID);
  CHECK(trial_service()->begin(&run) == LEVIN_E_INVALID);
  levin_device device{};
  CHECK(devices_service()->current(&run, &device) == LEVIN_E_INVALID);
  CHECK(module_tree_service()->visit(&run, nullptr, nullptr) == LEVIN_E_INVALID);
}
