#include "tests/progress/saved_progress.hpp"
#include "tests/services/service_scene.hpp"

#include "catch.hpp"
#include "core/abi/failure.hpp"

using namespace levin::core;

namespace {

const levin_trial& trial() { return *trial_service(); }

}  // namespace

TEST_CASE("a trial trains, and its end puts everything back") {
  ToyNet net;
  net.scheduler = "exponential";
  ServiceScene scene(net);
  put_progress(scene.progress, 0, 5);
  double loss = 0;
  CHECK(trial().begin(&scene.run) == LEVIN_OK);
  CHECK(trial().step(&scene.run, 4, &loss) == LEVIN_OK);
  CHECK(net.steps.size() == 4);
  CHECK(net.steps[3].global_step == 8);
  CHECK(scene.w() != 1);
  CHECK(std::isfinite(loss));
  CHECK(trial().end(&scene.run) == LEVIN_OK);
  CHECK(scene.w() == 1);
  CHECK(scene.lr() == 0.1);
  CHECK_FALSE(scene.optimizers.schedule(0).paused);
  CHECK(scene.progress.global_step() == 5);
  CHECK(scene.progress.of(Counted::batch).total.ready == 0);
}

TEST_CASE("what the model says in a step of a trial is meant for the trial") {
  ToyNet net;
  ServiceScene scene(net);
  double step = 0;
  net.in_step = [&](const levin_step_in& in) {
    trainer_service()->stop(in.run, "the trial is over");
    trainer_service()->number(in.run, "global_step", &step);
  };
  double loss = 0;
  trial().begin(&scene.run);
  CHECK(trial().step(&scene.run, 2, &loss) == LEVIN_OK);
  CHECK(net.steps.size() == 1);  // a stop ends only these steps
  CHECK(trial().step(&scene.run, 2, &loss) == LEVIN_OK);
  CHECK(net.steps.size() == 2);
  CHECK(step == 1);
  CHECK(scene.run.trainer == &scene.trainer_parts);
  trial().end(&scene.run);
  CHECK_FALSE(scene.progress.stop.asked());
}

TEST_CASE("a step of a trial sees the run's numbers, and what it sets ends with the trial") {
  ToyNet net;
  ServiceScene scene(net);
  scene.plan.duration.max_epochs = 7;
  scene.trainer_parts.verbosity = 2;
  scene.trainer_parts.num_loggers = 3;
  const auto number = [](levin_run* run, const char* name) {
    double value = std::nan("");
    trainer_service()->number(run, name, &value);
    return value;
  };
  std::vector<double> seen;
  net.in_step = [&](const levin_step_in& in) {
    for (const char* name : {"max_epochs", "verbosity", "num_loggers"}) seen.push_back(number(in.run, name));
    CHECK(trainer_service()->set_number(in.run, "max_epochs", 9) == LEVIN_OK);
  };
  double loss = 0;
  trial().begin(&scene.run);
  CHECK(trial().step(&scene.run, 2, &loss) == LEVIN_OK);
  CHECK(seen == std::vector<double>{7, 2, 3, 9, 2, 3});
  trial().end(&scene.run);
  CHECK(scene.plan.duration.max_epochs == 7);
  CHECK(number(&scene.run, "max_epochs") == 7);
}

TEST_CASE("a stop from another thread is the run's, also while a trial steps") {
  ToyNet net;
  ServiceScene scene(net);
  net.in_step = [&](const levin_step_in& in) {
    std::thread([&] { trainer_service()->stop(in.run, "a watchdog barked"); }).join();
  };
  double loss = 0;
  trial().begin(&scene.run);
  CHECK(trial().step(&scene.run, 2, &loss) == LEVIN_OK);
  CHECK(net.steps.size() == 2);
  trial().end(&scene.run);
  CHECK(scene.progress.stop.reason() == "a watchdog barked");
}

TEST_CASE("manual steps of a trial are not the run's") {
  ToyNet net(LEVIN_F_MANUAL);
  ServiceScene scene(net);
  net.in_step = [&](const levin_step_in& in) {
    const at::Tensor loss = net.weight.sum();
    optim_service()->zero_grad(in.run, 0);
    optim_service()->backward(in.run, borrow(loss), 0);
    optim_service()->step(in.run, 0, nullptr, nullptr);
  };
  double loss = 0;
  trial().begin(&scene.run);
  CHECK(trial().step(&scene.run, 3, &loss) == LEVIN_OK);
  CHECK(net.steps.size() == 3);
  trial().end(&scene.run);
  CHECK(scene.progress.global_step() == 0);
  CHECK(scene.w() == 1);
}

TEST_CASE("memory that runs out is a status, other failures are errors") {
  for (const char* text : {"CUDA out of memory", "the model broke"}) {
    ToyNet net;
    ServiceScene scene(net);
    net.in_step = [&](const levin_step_in&) { throw std::runtime_error(text); };
    double loss = 0;
    trial().begin(&scene.run);
    CHECK((trial().step(&scene.run, 1, &loss) == LEVIN_E_MEMORY) == (std::string(text) == "CUDA out of memory"));
    trial().end(&scene.run);
  }
}

TEST_CASE("batch sizes change for a trial or for good, but not within an epoch") {
  ToyNet net;
  ServiceScene scene(net);
  trial().begin(&scene.run);
  CHECK(trial().set_batch_size(&scene.run, 3) == LEVIN_OK);
  CHECK(scene.loaders.batch_size() == 3);
  trial().end(&scene.run);
  CHECK(scene.loaders.batch_size() == 2);
  CHECK(trial().set_batch_size(&scene.run, 6) == LEVIN_OK);
  CHECK(scene.loaders.batch_size() == 6);
  scene.progress.start_clock();
  CHECK(trial().set_batch_size(&scene.run, 2) == LEVIN_E_INVALID);
  CHECK(trial().begin(&scene.run) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("not while an epoch runs"));
}

TEST_CASE("there is one trial at a time, and steps only within it") {
  ToyNet net;
  ServiceScene scene(net);
  double loss = 0;
  CHECK(trial().step(&scene.run, 1, &loss) == LEVIN_E_INVALID);
  CHECK(trial().end(&scene.run) == LEVIN_E_INVALID);
  CHECK(trial().begin(&scene.run) == LEVIN_OK);
  CHECK(trial().begin(&scene.run) == LEVIN_E_INVALID);
  CHECK(trial().end(&scene.run) == LEVIN_OK);
}

TEST_CASE("a batch that no machine could hold does not fit, and the trial goes on") {
  ToyNet net;
  ServiceScene scene(net, int64_t{1} << 44);
  double loss = 0;
  REQUIRE(trial().begin(&scene.run) == LEVIN_OK);
  CHECK(trial().set_batch_size(&scene.run, int64_t{1} << 43) == LEVIN_OK);
  CHECK(trial().step(&scene.run, 1, &loss) == LEVIN_E_MEMORY);
  CHECK(trial().end(&scene.run) == LEVIN_OK);
}

TEST_CASE("settings of speed that a trial changes end with it, and outside of a trial they stay") {
  ToyNet net;
  ServiceScene scene(net);
  const auto number = [&](const char* name) {
    double value = -1;
    CHECK(trainer_service()->number(&scene.run, name, &value) == LEVIN_OK);
    return value;
  };
  const auto set = [&](const char* name, double value) {
    return trainer_service()->set_number(&scene.run, name, value);
  };
  const double threads = number("num_threads");
  double loss = 0;
  trial().begin(&scene.run);
  CHECK(set("num_workers", 2) == LEVIN_OK);
  CHECK(set("num_threads", threads + 1) == LEVIN_OK);
  CHECK(trial().step(&scene.run, 2, &loss) == LEVIN_OK);
  CHECK(scene.loaders.num_workers() == 2);
  CHECK(number("num_threads") == threads + 1);
  trial().end(&scene.run);
  CHECK(number("num_workers") == 0);
  CHECK(number("num_threads") == threads);
  CHECK(set("channels_last", 1) == LEVIN_OK);
  CHECK(scene.plan.machine.channels_last);
  CHECK(set("num_workers", 1) == LEVIN_OK);
  CHECK(scene.loaders.num_workers() == 1);
}

TEST_CASE("a setting of speed has its limits, and does not change in a step or while an epoch runs") {
  ToyNet net;
  ServiceScene scene(net);
  const auto set = [&](const char* name, double value) {
    return trainer_service()->set_number(&scene.run, name, value);
  };
  CHECK(set("num_threads", 0) == LEVIN_E_INVALID);
  CHECK(set("num_workers", 5000) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("num_workers is at most 1024, not 5000"));
  CHECK(set("channels_last", 0.5) == LEVIN_E_INVALID);
  std::vector<levin_status> in_step;
  net.in_step = [&](const levin_step_in& in) {
    in_step.push_back(trainer_service()->set_number(in.run, "num_workers", 1));
  };
  double loss = 0;
  trial().begin(&scene.run);
  CHECK(trial().step(&scene.run, 2, &loss) == LEVIN_OK);
  trial().end(&scene.run);
  CHECK(in_step == std::vector<levin_status>{LEVIN_E_INVALID, LEVIN_E_INVALID});
  scene.progress.start_clock();
  CHECK(set("num_threads", 1) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("not while an epoch runs"));
}
