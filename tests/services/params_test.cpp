#include "tests/services/service_scene.hpp"

#include "catch.hpp"

using namespace levin::core;

namespace {

const levin_params& params() { return *params_service(); }

}  // namespace

TEST_CASE("parameters are frozen by their names") {
  ToyNet net;
  ServiceScene scene(net);
  int32_t on = 1;
  CHECK(params().requires_grad(&scene.run, "w*", 0) == LEVIN_OK);
  CHECK(params().get_requires_grad(&scene.run, "w", &on) == LEVIN_OK);
  CHECK(on == 0);
  CHECK_FALSE(net.weight.requires_grad());
  CHECK(params().requires_grad(&scene.run, "b*", 0) == LEVIN_E_NOT_FOUND);
  CHECK(params().get_requires_grad(&scene.run, "b", &on) == LEVIN_E_NOT_FOUND);
}

TEST_CASE("tensors are visited and assigned by name") {
  ToyNet net;
  ServiceScene scene(net);
  std::string seen;
  levin_visitor visitor{};
  visitor.size = sizeof visitor;
  visitor.ctx = &seen;
  visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor*, uint32_t kind) -> levin_status {
    *static_cast<std::string*>(v->ctx) += std::string(name) + (kind == LEVIN_PARAMETER ? " parameter" : " buffer");
    return LEVIN_OK;
  };
  CHECK(params().visit(&scene.run, &visitor) == LEVIN_OK);
  CHECK(seen == "w parameter");
  const at::Tensor value = at::full({1}, 5.0);
  CHECK(params().assign(&scene.run, "w", borrow(value)) == LEVIN_OK);
  CHECK(scene.w() == 5);
  CHECK(params().assign(&scene.run, "x", borrow(value)) == LEVIN_E_NOT_FOUND);
}

TEST_CASE("a snapshot is swapped in and out, averaged and dropped") {
  ToyNet net;
  ServiceScene scene(net);
  uint64_t id = 0;
  CHECK(params().snapshot(&scene.run, &id) == LEVIN_OK);
  const at::Tensor three = at::full({1}, 3.0);
  params().assign(&scene.run, "w", borrow(three));
  CHECK(params().swap(&scene.run, id) == LEVIN_OK);
  CHECK(scene.w() == 1);
  CHECK(params().lerp(&scene.run, id, 0.5, LEVIN_BUFFERS_KEEP) == LEVIN_OK);  // 3 + 0.5 * (1 - 3)
  CHECK(params().swap(&scene.run, id) == LEVIN_OK);
  CHECK(scene.w() == 2);
  CHECK(params().drop(&scene.run, id) == LEVIN_OK);
  CHECK(params().swap(&scene.run, id) == LEVIN_E_INVALID);
}
