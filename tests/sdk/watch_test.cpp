#include "levin/watch.hpp"

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>

#include "catch.hpp"

using levin::detail::SizeWatch;

namespace {

std::string seen_of(const SizeWatch& watch, const torch::nn::Module& module) {
  const levin::detail::Sizes* sizes = watch.of(module);
  return sizes ? sizes->in + " -> " + sizes->out : "not seen";
}

// A module with a Sequential, used as an element of another one.
struct InnerImpl : torch::nn::Module {
  torch::nn::Sequential body;
  InnerImpl() : body(register_module("body", torch::nn::Sequential(torch::nn::Linear(4, 5), torch::nn::ReLU()))) {}
  torch::Tensor forward(torch::Tensor x) { return levin::watch(body, x); }
};
TORCH_MODULE(Inner);

// A Sequential with its own forward.
struct ShortcutImpl : torch::nn::SequentialImpl {
  using SequentialImpl::SequentialImpl;
  torch::Tensor forward(torch::Tensor x) { return x + SequentialImpl::forward(x); }
};

struct Sum : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor& a, const torch::Tensor& b, double factor) { return a + b * factor; }
};

}  // namespace

TEST_CASE("watch is forward, of a holder, a pointer or a module, and notes sizes while it is asked for them") {
  torch::nn::Linear holder(3, 2);
  const auto pointer = std::make_shared<torch::nn::LinearImpl>(2, 4);
  torch::nn::LinearImpl module(4, 1);
  const auto run = [&](const torch::Tensor& x) {
    return levin::watch(module, levin::watch(pointer, levin::watch(holder, x)));
  };
  const torch::Tensor x = torch::randn({5, 3}), expected = module.forward(pointer->forward(holder(x)));
  CHECK(run(x).equal(expected));
  SizeWatch watch;
  CHECK(watch.of(*holder) == nullptr);
  CHECK(run(x).equal(expected));
  CHECK(seen_of(watch, *holder) == "[5, 3] -> [5, 2]");
  CHECK(seen_of(watch, *pointer) == "[5, 2] -> [5, 4]");
  CHECK(seen_of(watch, module) == "[5, 4] -> [5, 1]");
}

TEST_CASE("the first call of a module counts, and a watch ends with its scope") {
  torch::nn::Linear linear(3, 2);
  {
    SizeWatch outer;
    levin::watch(linear, torch::zeros({1, 3}));
    levin::watch(linear, torch::zeros({9, 3}));
    CHECK(seen_of(outer, *linear) == "[1, 3] -> [1, 2]");
    SizeWatch inner;
    levin::watch(linear, torch::zeros({7, 3}));
    CHECK(seen_of(inner, *linear) == "[7, 3] -> [7, 2]");
  }
  CHECK(SizeWatch::current() == nullptr);
}

TEST_CASE("each element of a Sequential is seen, with the same result") {
  torch::nn::Sequential net(torch::nn::Linear(3, 4), torch::nn::ReLU(torch::nn::ReLUOptions(/*inplace=*/true)),
                            torch::nn::Linear(4, 2));
  const torch::Tensor x = torch::randn({6, 3}), expected = net->forward(x);
  SizeWatch watch;
  CHECK(levin::watch(net, x).equal(expected));
  CHECK(seen_of(watch, *net) == "[6, 3] -> [6, 2]");
  CHECK(seen_of(watch, *net[0]) == "[6, 3] -> [6, 4]");
  CHECK(seen_of(watch, *net[1]) == "[6, 4] -> [6, 4]");
  CHECK(seen_of(watch, *net[2]) == "[6, 4] -> [6, 2]");
  torch::nn::Sequential empty;
  CHECK_THROWS_WITH(levin::watch(empty, x), ContainsSubstring("empty Sequential"));
}

TEST_CASE("a Sequential within a Sequential is seen where its module watches it") {
  torch::nn::Sequential net(torch::nn::Linear(3, 4), Inner());
  InnerImpl& inner = *net[1]->as<InnerImpl>();
  SizeWatch watch;
  levin::watch(net, torch::zeros({2, 3}));
  CHECK(seen_of(watch, inner) == "[2, 4] -> [2, 5]");
  CHECK(seen_of(watch, *inner.body) == "[2, 4] -> [2, 5]");
  CHECK(seen_of(watch, *inner.body[0]) == "[2, 4] -> [2, 5]");
  CHECK(seen_of(watch, *inner.body[1]) == "[2, 5] -> [2, 5]");
}

TEST_CASE("a class of its own that derives from Sequential keeps its forward") {
  ShortcutImpl net(torch::nn::Linear(3, 3));
  const torch::Tensor x = torch::randn({2, 3}), expected = net.forward(x);
  SizeWatch watch;
  CHECK(levin::watch(net, x).equal(expected));
  CHECK(seen_of(watch, net) == "[2, 3] -> [2, 3]");
}

TEST_CASE("several tensors are a list, and what is no tensor is a question mark") {
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(3, 4).num_layers(2));
  Sum sum;
  SizeWatch watch;
  const auto [y, state] = levin::watch(lstm, torch::zeros({5, 1, 3}));
  CHECK(y.sizes() == torch::IntArrayRef{5, 1, 4});
  CHECK(std::get<0>(state).sizes() == torch::IntArrayRef{2, 1, 4});
  CHECK(seen_of(watch, *lstm) == "[5, 1, 3] -> [[5, 1, 4], [[2, 1, 4], [2, 1, 4]]]");
  levin::watch(sum, torch::zeros({3}), torch::zeros({}), 2.0);
  CHECK(seen_of(watch, sum) == "[[3], [], ?] -> [3]");
  torch::nn::LSTM again(3, 4);
  levin::watch(again, torch::zeros({5, 1, 3}), std::make_tuple(torch::zeros({1, 1, 4}), torch::zeros({1, 1, 4})));
  CHECK(seen_of(watch, *again) == "[[5, 1, 3], [[1, 1, 4], [1, 1, 4]]] -> [[5, 1, 4], [[1, 1, 4], [1, 1, 4]]]");
}
