// Optimizer state sharded over processes.
#include "core/strategies/zero1/zero1.hpp"

#include <ATen/ATen.h>

#include <utility>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/distributed/forked_ranks.hpp"
#include "tests/strategies/small_net.hpp"

using namespace levin::core;

namespace {

using Optimizers = std::vector<std::unique_ptr<Optimizer>>;

RunPlan plan_of_zero1() {
  RunPlan plan;
  plan.processes.bucket_cap_mb = 25;
  return plan;
}

Optimizers list_of(std::unique_ptr<Optimizer> optimizer) {
  Optimizers list;
  list.push_back(std::move(optimizer));
  return list;
}

void three_steps(SmallNet& net, Strategy& strategy, Optimizer& optimizer, double factor) {
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    strategy.used_gradients(optimizer);
    strategy.backward((net.weight.square().sum() + net.bias.sum()) * factor, false);
    strategy.reduce_gradients(optimizer, at::zeros({}));
    optimizer.step();
  }
}

size_t state_tensors(Optimizer& optimizer) {
  size_t count = 0;
  optimizer.visit_state([&](const std::string&, at::Tensor&) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("each parameter has one owner, the same in all processes, and the elements are spread") {
  CHECK(in_ranks(2, [](Processes& processes) {
          SmallNet net(1);
          Zero1Strategy zero1(plan_of_zero1(), at::kCPU, processes);
          const Optimizers optimizers = list_of(net.optimizer("adam"));
          zero1.begin_optimizers(optimizers);
          const bool weight = zero1.owns(*optimizers[0], net.weight), bias = zero1.owns(*optimizers[0], net.bias);
          require(weight != bias, "a process owns both or none");
          const at::Tensor owners = at::zeros({2});
          owners[0] = weight ? 1 : 0;
          owners[1] = bias ? 1 : 0;
          processes.group().all_reduce(owners, ReduceOp::sum);
          require(at::equal(owners, at::ones({2})), "a parameter has no owner, or two");
        }) == all_well(2));
}

TEST_CASE("a step gives every process the weights of a run without sharing, and each only its part of the state") {
  CHECK(in_ranks(2, [](Processes& processes) {
          const double factor = processes.group().rank() + 1;
          SmallNet whole(1), shared(1);
          Model &whole_model = whole.model(), &shared_model = shared.model();
          DdpStrategy ddp(plan_of_zero1(), at::kCPU, processes);
          Zero1Strategy zero1(plan_of_zero1(), at::kCPU, processes);
          const Optimizers for_whole = list_of(whole.optimizer("adam")), for_shared = list_of(shared.optimizer("adam"));
          ddp.begin(whole_model);
          zero1.begin(shared_model);
          zero1.begin_optimizers(for_shared);
          three_steps(whole, ddp, *for_whole[0], factor);
          three_steps(shared, zero1, *for_shared[0], factor);
          require(at::equal(whole.weight, shared.weight) && at::equal(whole.bias, shared.bias), "other weights");
          require(2 * state_tensors(*for_shared[0]) == state_tensors(*for_whole[0]), "not half of the state");
        }) == all_well(2));
}

TEST_CASE("an optimizer that looks at all parameters in a step is refused") {
  CHECK(in_ranks(2, [](Processes& processes) {
          SmallNet net(1);
          Zero1Strategy zero1(plan_of_zero1(), at::kCPU, processes);
          try {
            zero1.begin_optimizers(list_of(net.optimizer("lbfgs")));
          } catch (const Error& e) {
            return require(std::string(e.what()).find("'lbfgs', whose step uses all parameters") != std::string::npos,
                           e.what());
          }
          throw std::runtime_error("nothing was refused");
        }) == all_well(2));
}

TEST_CASE("a single process owns everything, and nothing is sent") {
  Processes alone;
  SmallNet net(1);
  Zero1Strategy zero1(plan_of_zero1(), at::kCPU, alone);
  const Optimizers optimizers = list_of(net.optimizer("adam"));
  zero1.begin_optimizers(optimizers);
  CHECK(!zero1.shards_optimizers());
  CHECK(zero1.owns(*optimizers[0], net.weight));
  CHECK(zero1.owns(*optimizers[0], net.bias));
}
