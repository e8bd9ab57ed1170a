#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <levin/load_weights.hpp>

#include <functional>

#include "catch.hpp"

namespace {

const std::string file = LEVIN_TEST_WEIGHTS "/state_dict-1.13.pt";

struct NetImpl : torch::nn::Module {
  torch::nn::Conv2d conv = register_module("conv", torch::nn::Conv2d(1, 2, 2));
  torch::nn::BatchNorm2d norm = register_module("norm", torch::nn::BatchNorm2d(2));
  torch::nn::Sequential head = register_module("head", torch::nn::Sequential(torch::nn::Linear(2, 3)));
};
TORCH_MODULE(Net);

std::string problem_of(const std::function<void()>& f) {
  try {
    f();
    return "";
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("weights of Python are those of a plain module, of any element type") {
  Net net;
  CHECK_THAT(levin::load_weights(net, file), ContainsSubstring("gives 9 of the model's 9 tensors"));
  CHECK(net->conv->weight.flatten()[7].item<float>() == 7);
  CHECK(net->named_parameters()["head.0.weight"].flatten()[5].item<float>() == 405);
  CHECK(net->conv->weight.requires_grad());
  net->to(torch::kDouble);
  levin::load_weights(*net, file);
  CHECK(net->conv->weight.scalar_type() == torch::kDouble);
}

TEST_CASE("what does not fit is said, and the module stays as it was") {
  torch::nn::Linear other(2, 2);
  const torch::Tensor before = other->weight.detach().clone();
  CHECK_THAT(problem_of([&] { levin::load_weights(other, file); }),
             ContainsSubstring(file) && ContainsSubstring("not in the file: weight, bias") && !ContainsSubstring("--"));
  CHECK_THAT(problem_of([&] { levin::load_weights(other, file, levin::Match::fitting); }),
             ContainsSubstring("gives 0 of the model's 2 tensors"));
  CHECK_THAT(problem_of([&] { levin::load_weights(other, "/no/such.pt"); }), ContainsSubstring("/no/such.pt"));
  CHECK(torch::equal(other->weight, before));

  struct Part : torch::nn::Module {
    torch::nn::Conv2d conv = register_module("conv", torch::nn::Conv2d(1, 2, 2));
    torch::nn::Linear head = register_module("head", torch::nn::Linear(2, 3));
  } part;
  CHECK_THAT(levin::load_weights(part, file, levin::Match::fitting),
             ContainsSubstring("gives 2 of the model's 4 tensors"));
  CHECK(part.conv->weight.flatten()[7].item<float>() == 7);
}
