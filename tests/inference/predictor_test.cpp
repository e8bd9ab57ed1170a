// Trained models in a program that uses LibTorch itself.
#include <torch/nn/modules/linear.h>
#include <levin/inference.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "catch.hpp"
#include "core/weights/state_dict_file.hpp"
#include "trained.hpp"

namespace fs = std::filesystem;
using levin::Predictor;
using levin::PredictorOptions;

namespace {

torch::Tensor weight(const levin::core::StateDictFile& file, const std::string& name) {
  const levin::core::StoredTensor stored = file.tensor(name);
  torch::Tensor out = torch::empty(std::vector<int64_t>(stored.shape.begin(), stored.shape.end()));
  levin::core::copy_dense(stored, out.data_ptr());
  return out;
}

// Returns a gradient of a small network of the program.
torch::Tensor own_gradient(const torch::Tensor& x) {
  torch::nn::Linear net(64, 2);
  net(x.flatten(1)).pow(2).sum().backward();
  return net->weight.grad();
}

}  // namespace

TEST_CASE("a checkpoint predicts what its network gives, from several threads too, and without its data") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox, "--model mlp --model.hidden 5 --data synthetic");
  const std::string copy = (sandbox.folder() / "copy.ckpt").string();
  fs::rename(file, copy);
  fs::remove_all(sandbox.run(0));
  torch::manual_seed(7);
  const torch::Tensor before = torch::rand({1});
  torch::manual_seed(7);
  const Predictor model(copy);
  CHECK(torch::equal(torch::rand({1}), before));  // the program's random numbers are not affected

  const levin::core::StateDictFile weights(copy);
  const torch::Tensor in = weight(weights, "in.weight"), out = weight(weights, "out.weight");
  const torch::Tensor x = torch::rand({6, in.size(1)});
  const torch::Tensor expected =
      torch::linear(torch::linear(x, in, weight(weights, "in.bias")).relu(), out, weight(weights, "out.bias"));
  const torch::Tensor y = model.predict(x);
  CHECK(torch::equal(y, expected));
  CHECK_FALSE(y.requires_grad());
  CHECK(torch::allclose(model.predict(x.slice(0, 2, 3)), y.slice(0, 2, 3)));

  std::vector<std::thread> threads;
  std::atomic<int> equal{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) equal += torch::equal(model.predict(x), y) ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(equal == 40);
}

TEST_CASE("a network with buffers is in evaluation mode, and keeps them") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox, "--model resnet --data synthetic --data.size 12 --data.batch_size 4");
  Predictor model(file);
  const torch::Tensor x = torch::rand({3, 1, 12, 12});
  const torch::Tensor y = model.predict(x);
  CHECK(torch::allclose(model.predict(x.slice(0, 0, 1)), y.slice(0, 0, 1), 1e-4, 1e-5));
  Predictor moved = std::move(model);
  CHECK(torch::equal(moved.predict(x), y));
  CHECK_THAT(refusal([&] { moved.predict(torch::rand({2, 3})); }), ContainsSubstring("libresnet.so"));
  CHECK_THAT(refusal([&] { moved.predict({x, x}); }), ContainsSubstring("forward does not take 2 tensors"));
  CHECK_THAT(refusal([&] { moved.predict(torch::Tensor()); }), ContainsSubstring("undefined tensor"));
  CHECK(torch::equal(moved.predict(x), y));
}

TEST_CASE("two models of one plugin serve side by side, beside the program's own LibTorch") {
  const Sandbox a, b;
  const Predictor small(trained(a, "--model mlp --model.hidden 3 --data synthetic --seed_everything 1"));
  const Predictor large(trained(b, "--model mlp --model.hidden 9 --data synthetic --seed_everything 2"));
  const torch::Tensor x = torch::rand({64, 1, 8, 8});
  const torch::Tensor one = small.predict(x), two = large.predict(x);
  CHECK_FALSE(torch::equal(one, two));
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        right += own_gradient(x).defined() ? 1 : 0;  // gradients are still recorded on this thread
        const c10::InferenceMode inference(i == 0);
        right += torch::equal(small.predict(x), one) ? 1 : 0;
        right += torch::equal(large.predict(x), two) ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 90);
  CHECK(torch::GradMode::is_enabled());
}

TEST_CASE("a plugin that has gone is found in the folders of plugins, and one that has changed is said") {
  const Sandbox sandbox;
  const fs::path folder = sandbox.folder() / "mine";
  fs::create_directory(folder);
  fs::copy_file(LEVIN_TEST_NETWORKS "/libtest_networks.so", folder / "libtest_networks.so");
  const std::string file = trained(sandbox, "--plugins " + folder.string() + " --model sized --data synthetic");
  const torch::Tensor x = torch::rand({3, 1, 8, 8});
  std::string warnings;
  PredictorOptions options;
  options.warn = [&](const std::string& line) { warnings += line; };
  const torch::Tensor y = Predictor(file, options).predict(x);
  CHECK(warnings.empty());
  fs::remove_all(folder);
  CHECK_THAT(refusal([&] { const Predictor model(file); }), ContainsSubstring("libtest_networks.so"));
  setenv("LEVIN_PLUGIN_PATH", LEVIN_TEST_NETWORKS, 1);
  CHECK(torch::equal(Predictor(file, options).predict(x), y));
  unsetenv("LEVIN_PLUGIN_PATH");
  CHECK(warnings.empty());
  options.plugin = LEVIN_TEST_NEWER "/libtest_networks.so";
  CHECK(torch::equal(Predictor(file, options).predict(x), y));
  CHECK_THAT(warnings,
             ContainsSubstring(options.plugin + " is not the plugin file that trained the model of " + file) &&
                 ContainsSubstring("its version is 2.0.0 and was 1.0.0"));
}
