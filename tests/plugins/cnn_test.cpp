#include "plugins/cnn/cnn.hpp"

#include "catch.hpp"

TEST_CASE("the little CNN is the demo's: its layers, and 21,900 numbers to learn") {
  cnn::Net net(1, 28, 28, 10);
  int64_t n = 0;
  for (const torch::Tensor& p : net.parameters()) n += p.numel();
  CHECK(n == 21900);
  CHECK(net.fc1->weight.sizes() == torch::IntArrayRef{50, 320});
  const std::vector<std::string> expected = {"conv1.weight", "conv1.bias", "bn1.weight", "bn1.bias",
                                             "conv2.weight", "conv2.bias", "bn2.weight", "bn2.bias",
                                             "fc1.weight",   "fc1.bias",   "fc2.weight", "fc2.bias"};
  CHECK(net.named_parameters().keys() == expected);
}

TEST_CASE("the little CNN returns log-probabilities, whatever the size of the images") {
  const torch::NoGradGuard no_grad;
  for (const auto& [channels, side] : {std::pair<int64_t, int64_t>{1, 28}, {3, 32}, {2, 16}}) {
    cnn::Net net(channels, side, side, 7);
    const torch::Tensor y = net.forward(torch::randn({4, channels, side, side}));
    CHECK(torch::allclose(y.exp().sum(1), torch::ones(4)));
  }
}

TEST_CASE("the model summary can see every layer of the little CNN") {
  const torch::NoGradGuard no_grad;
  cnn::Net net(1, 28, 28, 10);
  levin::detail::SizeWatch watch;
  net.forward(torch::zeros({1, 1, 28, 28}));
  for (const auto& m : net.named_modules("", /*include_self=*/false)) {
    INFO(m.key());
    CHECK(watch.of(*m.value()) != nullptr);
  }
  CHECK(watch.of(*net.conv2)->in == "[1, 10, 12, 12]");
  CHECK(watch.of(*net.conv2)->out == "[1, 20, 8, 8]");
}
