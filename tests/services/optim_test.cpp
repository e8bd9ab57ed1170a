#include "tests/services/service_scene.hpp"

#include "catch.hpp"
#include "core/abi/failure.hpp"

using namespace levin::core;

namespace {

const levin_optim& optim() { return *optim_service(); }

}  // namespace

TEST_CASE("optimizers and their groups are described, and their options read and set") {
  ToyNet net;
  ServiceScene scene(net);
  uint32_t optimizers = 0, schedulers = 9, groups = 0;
  const char* name = nullptr;
  CHECK(optim().count(&scene.run, &optimizers, &schedulers) == LEVIN_OK);
  CHECK(optimizers == 1);
  CHECK(schedulers == 0);
  CHECK(optim().describe(&scene.run, 0, &name, &groups) == LEVIN_OK);
  CHECK(std::string(name) == "SGD");
  CHECK(groups == 1);
  double lr = 0;
  CHECK(optim().set(&scene.run, 0, 0, "lr", 0.25) == LEVIN_OK);
  CHECK(optim().get(&scene.run, 0, 0, "lr", &lr) == LEVIN_OK);
  CHECK(lr == 0.25);
  for (const double wrong : {-0.1, std::nan(""), HUGE_VAL})
    CHECK(optim().set(&scene.run, 0, 0, "lr", wrong) == LEVIN_E_INVALID);
  CHECK(optim().get(&scene.run, 0, 0, "lr", &lr) == LEVIN_OK);
  CHECK(lr == 0.25);
  CHECK(optim().get(&scene.run, 0, 1, "lr", &lr) == LEVIN_E_INVALID);
  CHECK(service_failure() == "optimizer 0 has no group 1");
  CHECK(optim().describe(&scene.run, 3, &name, &groups) == LEVIN_E_INVALID);
}

TEST_CASE("a manual step is backward, clipping and step") {
  ToyNet net(LEVIN_F_MANUAL);
  ServiceScene scene(net);
  const at::Tensor loss = (net.weight * 4).sum();
  CHECK(optim().zero_grad(&scene.run, 0) == LEVIN_OK);
  CHECK(optim().backward(&scene.run, borrow(loss), 0) == LEVIN_OK);
  CHECK(optim().clip(&scene.run, 0, 2, nullptr) == LEVIN_OK);
  CHECK(optim().step(&scene.run, 0, nullptr, nullptr) == LEVIN_OK);
  CHECK(scene.w() == Approx(0.8));
  CHECK(scene.progress.global_step() == 1);
  CHECK(optim().clip(&scene.run, 0, 2, "sideways") == LEVIN_E_INVALID);
}

TEST_CASE("schedules are described, stepped and paused") {
  ToyNet net;
  net.scheduler = "exponential";
  ServiceScene scene(net);
  uint32_t optimizer = 9;
  const char *label = nullptr, *interval = nullptr;
  CHECK(optim().scheduler(&scene.run, 0, &optimizer, &label, &interval) == LEVIN_OK);
  CHECK(optimizer == 0);
  CHECK(std::string(interval) == "step");
  CHECK(optim().scheduler_step(&scene.run, 0, 0) == LEVIN_OK);
  CHECK(scene.lr() == Approx(0.05));
  CHECK(optim().pause_scheduler(&scene.run, 0, 1) == LEVIN_OK);
  CHECK(scene.optimizers.schedule(0).paused);
  CHECK(optim().scheduler_step(&scene.run, 1, 0) == LEVIN_E_INVALID);
}

TEST_CASE("while one optimizer is toggled the parameters of the others require no grad") {
  ToyNet net;
  ServiceScene scene(net);
  CHECK(optim().toggle(&scene.run, 0, 1) == LEVIN_OK);
  CHECK(net.weight.requires_grad());
  CHECK(optim().toggle(&scene.run, 0, 0) == LEVIN_OK);
  CHECK(optim().toggle(&scene.run, 5, 1) == LEVIN_E_INVALID);
}
