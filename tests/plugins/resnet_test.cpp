#include "plugins/resnet/resnet.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "catch.hpp"
#include "levin/watch.hpp"

using resnet::ResNetImpl;
using resnet::Stem;

namespace {

std::map<std::string, std::string> tensors_of(const torch::nn::Module& module) {
  std::map<std::string, std::string> out;
  const auto add = [&](const auto& tensors) {
    for (const auto& t : tensors) {
      std::string shape;
      for (int64_t size : t.value().sizes()) shape += (shape.empty() ? "" : "x") + std::to_string(size);
      out[t.key()] = shape.empty() ? "-" : shape;
    }
  };
  add(module.named_parameters());
  add(module.named_buffers());
  return out;
}

// The parameters in torchvision's order, and all tensors.
struct Golden {
  std::vector<std::string> parameters;
  std::map<std::string, std::string> tensors;
};
Golden golden(int64_t depth) {
  std::ifstream file(std::string(LEVIN_GOLDEN) + "/torchvision_resnet.txt");
  Golden out;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string of, name, shape;
    words >> of >> name >> shape;
    if (of != std::to_string(depth)) continue;
    out.tensors[name] = shape;
    if (name.find("running_") == std::string::npos && name.find("num_batches") == std::string::npos)
      out.parameters.push_back(name);
  }
  return out;
}

int64_t parameter_count(const torch::nn::Module& module) {
  int64_t n = 0;
  for (const torch::Tensor& p : module.parameters()) n += p.numel();
  return n;
}

}  // namespace

TEST_CASE("the deep networks have torchvision's tensors, by name, shape and order") {
  const int64_t depth = GENERATE(18, 50);
  const ResNetImpl net(resnet::torchvision_shape(depth, Stem::imagenet), 3, 1000);
  const Golden expected = golden(depth);
  REQUIRE(expected.tensors.size() == (depth == 18 ? 122u : 320u));
  CHECK(tensors_of(net) == expected.tensors);
  CHECK(net.named_parameters().keys() == expected.parameters);
}

TEST_CASE("every depth has torchvision's number of parameters") {
  const std::map<int64_t, int64_t> expected = {
      {18, 11689512}, {34, 21797672}, {50, 25557032}, {101, 44549160}, {152, 60192808}};
  for (const auto& [depth, n] : expected)
    CHECK(parameter_count(ResNetImpl(resnet::torchvision_shape(depth, Stem::imagenet), 3, 1000)) == n);
}

TEST_CASE("convolutions start with torchvision's spread, and nothing else moves") {
  torch::manual_seed(1);
  const ResNetImpl net(resnet::torchvision_shape(18, Stem::imagenet), 3, 10);
  const auto parameters = net.named_parameters();
  CHECK(parameters["conv1.weight"].std().item<double>() == Approx(std::sqrt(2.0 / (64 * 7 * 7))).epsilon(0.05));
  CHECK(parameters["layer4.1.conv2.weight"].std().item<double>() == Approx(std::sqrt(2.0 / (512 * 9))).epsilon(0.01));
  CHECK(parameters["layer2.0.bn2.weight"].eq(1).all().item<bool>());
  CHECK(parameters["fc.weight"].abs().max().item<double>() <= 1 / std::sqrt(512.0));
}

TEST_CASE("a network takes images of any size and gives a number a class") {
  const Stem stem = GENERATE(Stem::imagenet, Stem::cifar, Stem::small);
  const torch::NoGradGuard no_grad;
  ResNetImpl net({{1, 1}, 8, false, stem}, 2, 5);
  net.eval();
  for (int64_t side : {9, 28, 64})
    CHECK(net.forward(torch::randn({3, 2, side, side})).sizes() == torch::IntArrayRef{3, 5});
}

TEST_CASE("every parameter gets a gradient") {
  ResNetImpl net({{1, 2, 1}, 8, true, Stem::small}, 1, 3);
  net.forward(torch::randn({2, 1, 16, 16})).sum().backward();
  for (const auto& p : net.named_parameters()) {
    INFO(p.key());
    CHECK(p.value().grad().defined());
  }
}

TEST_CASE("the model summary can see every module of a residual network, and the result is the same") {
  const bool bottleneck = GENERATE(false, true);
  const torch::NoGradGuard no_grad;
  ResNetImpl net({{1, 2}, 8, bottleneck, Stem::imagenet}, 3, 5);
  net.eval();
  const torch::Tensor x = torch::randn({1, 3, 64, 64}), expected = net.forward(x);
  levin::detail::SizeWatch watch;
  CHECK(net.forward(x).equal(expected));
  const auto modules = net.named_modules("", /*include_self=*/false);
  for (const auto& m : modules) {
    INFO(m.key());
    CHECK(watch.of(*m.value()) != nullptr);
  }
  const auto sizes = [&](const char* name) { return watch.of(*modules[name])->out; };
  CHECK(sizes("conv1") == "[1, 8, 32, 32]");
  CHECK(sizes("layer2.0.downsample.0") == (bottleneck ? "[1, 64, 8, 8]" : "[1, 16, 8, 8]"));
}
