// The order of calls on which strategies rely.
#include "core/strategies/common/checked_strategy.hpp"

#include <ATen/ATen.h>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/distributed/process_group.hpp"
#include "core/strategies/single_device/single_device.hpp"
#include "tests/strategies/small_net.hpp"

using namespace levin::core;

namespace {

struct Scene {
  SmallNet net{1};
  Model& model = net.model();
  std::vector<std::unique_ptr<Optimizer>> optimizers;
  ProcessGroup alone;
  CheckedStrategy strategy{std::make_unique<SingleDeviceStrategy>(at::kCPU, alone)};

  Scene() { optimizers.push_back(net.optimizer()); }
  void begin_fit() {
    strategy.place(model, at::kFloat);
    strategy.begin(model);
    strategy.begin_optimizers(optimizers);
  }
  at::Tensor loss() const { return net.weight.sum(); }
  const at::Tensor good = at::zeros({});
};

}  // namespace

TEST_CASE("the calls of a fit in their order pass, step after step") {
  Scene s;
  s.begin_fit();
  for (int step = 0; step < 2; ++step) {
    s.strategy.used_gradients(*s.optimizers[0]);
    s.strategy.expect_step(*s.optimizers[0], s.good);
    s.strategy.backward(s.loss(), false);
    s.strategy.after_backward();
    s.strategy.reduce_gradients(*s.optimizers[0], s.good);
  }
  CHECK(at::equal(s.net.weight.grad(), at::full({3, 2}, 2.0)));
}

TEST_CASE("a call that comes too early is named with what it needs") {
  const auto refuses = [](const std::string& call, const std::string& needs) {
    return Catch::Contains(call + " was called without " + needs);
  };
  {
    Scene s;
    CHECK_THROWS_WITH(s.strategy.begin(s.model), refuses("begin()", "place()"));
    CHECK_THROWS_WITH(s.strategy.before_forward(s.model), refuses("before_forward()", "place()"));
    s.strategy.place(s.model, at::kFloat);
    CHECK_THROWS_WITH(s.strategy.begin_optimizers(s.optimizers), refuses("begin_optimizers()", "begin()"));
    CHECK_THROWS_WITH(s.strategy.forward([] {}), refuses("forward()", "before_forward()"));
    s.strategy.begin(s.model);
    CHECK_THROWS_WITH(s.strategy.reduce_gradients(*s.optimizers[0], s.good),
                      refuses("reduce_gradients()", "begin_optimizers()"));
    CHECK_THROWS_WITH(s.strategy.used_gradients(*s.optimizers[0]), refuses("used_gradients()", "begin_optimizers()"));
  }
  {
    Scene s;
    s.begin_fit();
    s.strategy.expect_step(*s.optimizers[0], s.good);
    CHECK_THROWS_WITH(s.strategy.reduce_gradients(*s.optimizers[0], s.good),
                      refuses("reduce_gradients()", "the backward() that expect_step() announced"));
    s.strategy.backward(s.loss(), false);
    CHECK_THROWS_WITH(s.strategy.reduce_gradients(*s.optimizers[0], s.good),
                      refuses("reduce_gradients()", "after_backward()"));
  }
}
