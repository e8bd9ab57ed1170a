// Data parallelism over processes: the same model everywhere, and averaged gradients.
#include "core/strategies/ddp/ddp.hpp"

#include <ATen/ATen.h>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/distributed/forked_ranks.hpp"
#include "tests/strategies/small_net.hpp"

using namespace levin::core;

namespace {

RunPlan plan_of_ddp() {
  RunPlan plan;
  plan.processes.bucket_cap_mb = 25;
  return plan;
}

}  // namespace

TEST_CASE("a fit begins with the weights and buffers of rank 0") {
  CHECK(in_ranks(3, [](Processes& processes) {
          SmallNet net(processes.group().rank());
          Model& model = net.model();
          DdpStrategy ddp(plan_of_ddp(), at::kCPU, processes);
          ddp.place(model, at::kFloat);
          ddp.begin(model);
          require(is_filled(net.weight, 0) && is_filled(net.bias, 0) && is_filled(net.mean, 0), "not those of rank 0");
        }) == all_well(3));
}

TEST_CASE("buffers are those of rank 0 before each forward") {
  CHECK(in_ranks(2, [](Processes& processes) {
          SmallNet net(1);
          Model& model = net.model();
          DdpStrategy ddp(plan_of_ddp(), at::kCPU, processes);
          net.mean.fill_(processes.group().rank() + 5);
          ddp.before_forward(model);
          require(is_filled(net.mean, 5), "not that of rank 0");
        }) == all_well(2));
}

TEST_CASE("processes with different models are refused with the rank and the parameter") {
  CHECK(in_ranks(2, [](Processes& processes) {
          SmallNet net(1, /*outputs=*/processes.group().rank() == 0 ? 3 : 4);
          Model& model = net.model();
          DdpStrategy ddp(plan_of_ddp(), at::kCPU, processes);
          try {
            ddp.begin(model);
          } catch (const Error& e) {
            const std::string error = e.what();
            require(e.kind() == ErrorKind::usage, "another kind of error");
            return require(error.find("rank 1 has the parameter 'weight' [4, 2]") != std::string::npos &&
                               error.find("where rank 0 has the parameter 'weight' [3, 2]") != std::string::npos,
                           error);
          }
          throw std::runtime_error("nothing was refused");
        }) == all_well(2));
}

TEST_CASE("gradients are reduced once: in the backward of the step, or before it, and again after zero_grad") {
  CHECK(in_ranks(2, [](Processes& processes) {
          SmallNet net(1);
          Model& model = net.model();
          DdpStrategy ddp(plan_of_ddp(), at::kCPU, processes);
          ddp.begin(model);
          const auto optimizer = net.optimizer();
          const double own = processes.group().rank() + 1;  // the mean is 1.5
          const auto loss = [&] { return (net.weight.sum() + net.bias.sum()) * own; };
          const at::Tensor bad = at::zeros({});

          ddp.expect_step(*optimizer, bad);
          ddp.backward(loss(), false);
          require(is_filled(net.weight.grad(), 1.5), "the backward of a step does not reduce");
          ddp.reduce_gradients(*optimizer, bad);
          require(is_filled(net.weight.grad(), 1.5), "they were reduced twice");

          ddp.used_gradients(*optimizer);
          optimizer->zero_grad();
          ddp.backward(loss(), false);  // without a step, as within an accumulation window
          require(is_filled(net.weight.grad(), own), "it was reduced before the window's end");
          ddp.reduce_gradients(*optimizer, bad);
          require(is_filled(net.weight.grad(), 1.5), "it was not reduced");
        }) == all_well(2));
}

TEST_CASE("a loss by which an optimizer decides is the mean of the processes") {
  CHECK(in_ranks(4, [](Processes& processes) {
          DdpStrategy ddp(plan_of_ddp(), at::kCPU, processes);
          const at::Tensor loss = at::full({}, static_cast<double>(processes.group().rank()));
          ddp.reduce_loss(loss);
          require(is_filled(loss, 1.5), "not the mean of 0 to 3");
        }) == all_well(4));
}
