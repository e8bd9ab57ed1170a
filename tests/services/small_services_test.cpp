// The services of a few calls: devices, processes and the tree of modules.
#include "tests/services/service_scene.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>

#include "catch.hpp"
#include "core/checkpoint/generators.hpp"

using namespace levin::core;

TEST_CASE("the run's device and its memory") {
  ToyNet net;
  ServiceScene scene(net);
  levin_device device{9, 9};
  CHECK(device_service()->current(&scene.run, &device) == LEVIN_OK);
  CHECK(device.type == LEVIN_CPU);
  uint64_t used = 0, total = 0;
  CHECK(device_service()->memory(&scene.run, &used, &total) == LEVIN_OK);
  CHECK(used > 0);
  CHECK(used < total);
  levin_tensor* copy = nullptr;
  CHECK(device_service()->to(nullptr, borrow(net.weight), {LEVIN_CPU, 0}, &copy) == LEVIN_OK);
  CHECK(own(copy).item().toDouble() == 1);
}

TEST_CASE("one process reduces to itself") {
  ToyNet net;
  ServiceScene scene(net);
  CHECK(dist_service()->rank(&scene.run) == 0);
  CHECK(dist_service()->world_size(&scene.run) == 1);
  CHECK(dist_service()->all_reduce(&scene.run, borrow(net.weight), 0) == LEVIN_OK);
  CHECK(dist_service()->broadcast(&scene.run, borrow(net.weight), 0) == LEVIN_OK);
  CHECK(dist_service()->barrier(&scene.run) == LEVIN_OK);
  CHECK(scene.w() == 1);
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
