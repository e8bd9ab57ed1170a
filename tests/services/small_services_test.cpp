// Services with few calls: devices, processes and the module tree.
#include "tests/services/service_scene.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>

#include <thread>

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "core/checkpoint/generators.hpp"

using namespace levin::core;

TEST_CASE("the run's device and its memory") {
  ToyNet net;
  ServiceScene scene(net);
  levin_device device{9, 9};
  CHECK(devices_service()->current(&scene.run, &device) == LEVIN_OK);
  CHECK(device.type == LEVIN_CPU);
  uint64_t used = 0, total = 0;
  CHECK(devices_service()->memory(&scene.run, &used, &total) == LEVIN_OK);
  CHECK(used > 0);
  CHECK(used < total);
  CHECK(devices_service()->synchronize(&scene.run) == LEVIN_OK);
  levin_tensor* copy = nullptr;
  CHECK(devices_service()->to(nullptr, borrow(net.weight), {LEVIN_CPU, 0}, &copy) == LEVIN_OK);
  CHECK(own(copy).item().toDouble() == 1);
}

TEST_CASE("one process reduces to itself") {
  ToyNet net;
  ServiceScene scene(net);
  CHECK(dist_service()->rank(&scene.run) == 0);
  CHECK(dist_service()->world_size(&scene.run) == 1);
  CHECK(dist_service()->all_reduce(&scene.run, nullptr, borrow(net.weight)) == LEVIN_OK);
  CHECK(dist_service()->broadcast(&scene.run, nullptr, borrow(net.weight)) == LEVIN_OK);
  CHECK(dist_service()->barrier(&scene.run, nullptr) == LEVIN_OK);
  CHECK(scene.w() == 1);
}

TEST_CASE("forward is called in evaluation and without gradients, and what was set before is set again") {
  static std::vector<uint32_t> modes;
  modes.clear();
  ToyNet net;
  net.table.mode = [](void*, uint32_t training) -> levin_status { return modes.push_back(training), LEVIN_OK; };
  ServiceScene plain(net);
  levin_tensor* out = nullptr;
  uint32_t n = 0;
  const at::Tensor x = at::full({1}, 3.0);
  levin_tensor* const in[] = {borrow(x)};
  CHECK(module_tree_service()->forward(&plain.run, in, 1, &out, 1, &n) == LEVIN_E_UNSUPPORTED);
  net.table.forward = [](void* self, levin_run*, levin_tensor* const* inputs, uint32_t count,
                         const levin_step_out* to) -> levin_status {
    if (count != 1) return LEVIN_E_INVALID;
    at::rand({3});
    return to->put(to, "output", borrow(retain(inputs[0]) * ToyNet::of(self).weight));
  };
  ServiceScene scene(net);
  const at::Tensor before = generator_states(at::kCPU).at("cpu");
  REQUIRE(module_tree_service()->forward(&scene.run, in, 1, &out, 1, &n) == LEVIN_OK);
  const at::Tensor y = own(out);
  CHECK(n == 1);
  CHECK(y.item().toDouble() == 3);
  CHECK_FALSE(y.requires_grad());
  CHECK(modes == std::vector<uint32_t>{0, 1});
  CHECK(at::equal(generator_states(at::kCPU).at("cpu"), before));
  CHECK(module_tree_service()->forward(&scene.run, in, 1, &out, 0, &n) == LEVIN_E_INVALID);
  scene.model.mode(false);
  modes.clear();
  REQUIRE(module_tree_service()->forward(&scene.run, in, 1, &out, 1, &n) == LEVIN_OK);
  own(out);
  CHECK(modes.empty());
}

TEST_CASE("a reduction or a rank that is none is refused, by one process too") {
  ToyNet net;
  ServiceScene scene(net);
  const levin_collective given = {sizeof given, 0, nullptr, 9, 1, 0, 0, nullptr};
  CHECK(dist_service()->all_reduce(&scene.run, &given, borrow(net.weight)) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("there is no reduction 9"));
  CHECK(dist_service()->broadcast(&scene.run, &given, borrow(net.weight)) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("there is no rank 1"));
}

TEST_CASE("without a run a process is alone, and has no collectives") {
  levin_run run;
  run.refusal = "nothing runs";
  for (levin_run* one : {&run, static_cast<levin_run*>(nullptr)}) {
    CHECK(dist_service()->rank(one) == 0);
    CHECK(dist_service()->world_size(one) == 1);
    CHECK(dist_service()->num_nodes(one) == 1);
    CHECK(dist_service()->barrier(one, nullptr) == LEVIN_E_INVALID);
  }
  ToyNet net;
  ServiceScene scene(net);
  std::thread([&] {
    CHECK(dist_service()->barrier(&scene.run, nullptr) == LEVIN_E_INVALID);
    CHECK_THAT(service_failure(), ContainsSubstring("levin.dist/1 was called from another thread"));
  }).join();
}

TEST_CASE("services of the training thread are refused on every other, but for a request to stop") {
  ToyNet net;
  ServiceScene scene(net);
  std::thread([&] {
    double value = 0;
    CHECK(trainer_service()->number(&scene.run, "max_epochs", &value) == LEVIN_E_INVALID);
    CHECK_THAT(service_failure(), ContainsSubstring("levin.trainer/1 was called from another thread"));
    uint64_t id = 0;
    CHECK(params_service()->snapshot(&scene.run, &id) == LEVIN_E_INVALID);
    CHECK_THAT(service_failure(), ContainsSubstring("levin.params/1 was called from another thread"));
    CHECK(dist_service()->rank(&scene.run) == 0);
    CHECK(trainer_service()->stop(&scene.run, "enough") == LEVIN_OK);
  }).join();
  CHECK(scene.progress.stop.asked());
}

TEST_CASE("a model that does not describe its modules has no tree") {
  ToyNet net;
  ServiceScene scene(net);
  CHECK(module_tree_service()->visit(&scene.run, nullptr, nullptr) == LEVIN_E_UNSUPPORTED);
  CHECK(module_tree_service()->sizes(&scene.run, nullptr, nullptr) == LEVIN_E_UNSUPPORTED);
}

TEST_CASE("a model's modules are visited, and random numbers are drawn as before") {
  static const levin_modules modules = [] {
    levin_modules m{};
    m.size = sizeof m;
    m.visit = [](void*, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) -> levin_status {
      each(ctx, "", "Toy", 0, 1);
      return LEVIN_OK;
    };
    m.sizes = [](void*, levin_run*, void (*each)(void*, const char*, const char*, const char*),
                 void* ctx) -> levin_status {
      at::rand({3});
      each(ctx, "", "[2]", "[1]");
      return LEVIN_OK;
    };
    return m;
  }();
  ToyNet net;
  net.table.o.extension = [](void*, const char* id) -> const void* {
    return std::string(id) == "levin.modules/1" ? &modules : nullptr;
  };
  ServiceScene scene(net);
  int visited = 0;
  const auto count = [](void* n, const char*, const char*, uint32_t, uint32_t) { ++*static_cast<int*>(n); };
  const auto count_size = [](void* n, const char*, const char*, const char*) { ++*static_cast<int*>(n); };
  CHECK(module_tree_service()->visit(&scene.run, count, &visited) == LEVIN_OK);
  const at::Tensor before = generator_states(at::kCPU).at("cpu");
  CHECK(module_tree_service()->sizes(&scene.run, count_size, &visited) == LEVIN_OK);
  CHECK(visited == 2);
  CHECK(at::equal(generator_states(at::kCPU).at("cpu"), before));
}
