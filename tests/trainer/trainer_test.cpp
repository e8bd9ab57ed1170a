// Runs of the Trainer within the test.
#include "core/trainer/trainer.hpp"

#include <ATen/ops/equal.h>

#include "core/base/json.hpp"
#include "tests/trainer/run_scene.hpp"

using namespace levin::core;
using Calls = std::vector<std::string>;

namespace {

std::vector<at::Tensor> weights_of(Trainer& trainer) {
  std::vector<at::Tensor> out;
  for (const NamedTensor& p : trainer.assembly().components.model->parameters())
    out.push_back(p.tensor.detach().clone());
  return out;
}

bool same(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return at::equal(x, y); });
}

Ended fit(RunScene& scene, const RunConfig& config, std::vector<at::Tensor>* weights = nullptr) {
  return ended([&] {
    Trainer trainer(config, scene.console);
    const int code = trainer.run();
    if (weights) *weights = weights_of(trainer);
    return code;
  });
}

RunConfig saved_config(const RunScene& scene) {
  RunConfig config = run_config_from_json(parse_json(bytes_of(scene.run() / "config.json"), "config"), "config");
  config.resume = scene.run().string();
  return config;
}

}  // namespace

TEST_CASE("a fit trains its epochs and changes the weights, and the same seed gives the same weights") {
  RunScene scene;
  std::vector<at::Tensor> first, again, longer;
  CHECK(fit(scene, scene.config(), &first).code == 0);
  CHECK(RunScene::calls("lm.training_step") ==
        Calls{"lm.training_step 0 0", "lm.training_step 0 1", "lm.training_step 1 2", "lm.training_step 1 3"});
  CHECK(RunScene::calls("lm.validation_step").size() == 2);
  CHECK(fit(scene, scene.config(), &again).code == 0);
  CHECK(fit(scene, scene.config({}, {}, {{"max_epochs", 3}}), &longer).code == 0);
  CHECK(same(first, again));
  CHECK_FALSE(same(first, longer));
}

TEST_CASE("a Trainer runs several commands, and makes the model once") {
  RunScene scene;
  RunConfig config = scene.config();
  config.model.component = config.model.name = "scripted";
  Trainer trainer(config, scene.console);
  CHECK(trainer.run() == 0);
  const auto trained = weights_of(trainer);
  CHECK(trainer.run(Command::test, "") == 0);
  CHECK(same(trained, weights_of(trainer)));
  CHECK(RunScene::calls("lm.test_step").size() == 1);
  CHECK(RunScene::calls("lm.configure_model").size() == 1);
  CHECK(RunScene::calls("lm.setup").size() == 2);
  CHECK(RunScene::calls("lm.teardown").size() == 2);
  CHECK(trainer.run(Command::fit, "") == 0);
  CHECK(RunScene::calls("near.begin").size() == 1);
}

TEST_CASE("predictions come by loader and batch, and can be switched off") {
  RunScene scene;
  RunConfig config = scene.config({}, {{"predict", {5, 2}}});
  config.command = Command::predict;
  Trainer trainer(config, scene.console);
  CHECK(trainer.run() == 0);
  const auto& predictions = trainer.predictions();
  REQUIRE(predictions.size() == 2);
  REQUIRE(predictions[0].size() == 3);
  CHECK(predictions[1].size() == 1);
  CHECK(predictions[0][0].sizes() == at::IntArrayRef({2, 1}));
  CHECK(predictions[0][2].sizes() == at::IntArrayRef({1, 1}));
  trainer.return_predictions(false);
  CHECK(trainer.run(Command::predict, "") == 0);
  CHECK(trainer.predictions().empty());
}

TEST_CASE("a step that fails names its place, and the fit goes on from what it leaves as if nothing had happened") {
  RunScene scene, other;
  std::vector<at::Tensor> whole, resumed;
  CHECK(fit(other, other.config(), &whole).code == 0);
  const nlohmann::json fails = {{"at", "training_step"}, {"epoch", 1}, {"batch", 1}, {"do", "throw"}};
  const Ended end = fit(scene, scene.config(fails));
  CHECK(end.kind == ErrorKind::run);
  CHECK_THAT(end.error, ContainsSubstring("scripted failure") && ContainsSubstring("(epoch 1, batch 1, step 3)"));
  CHECK(std::filesystem::exists(scene.run() / "checkpoints/interrupted.ckpt"));
  RunConfig config = saved_config(scene);
  config.model.options["do"] = "nothing";
  config.model.options["at"] = "";
  CHECK(fit(scene, config, &resumed).code == 0);
  CHECK(scene.said("resumes from " + (scene.run() / "checkpoints/interrupted.ckpt").string()));
  CHECK(same(whole, resumed));
}

TEST_CASE("a mistake in the options leaves no folder") {
  RunScene scene;
  RunConfig config = scene.config();
  config.command = Command::test;
  config.ckpt_path = scene.folder.file("none.ckpt");
  const Ended end = fit(scene, config);
  CHECK(end.error.find("none.ckpt") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(scene.run()));
}

TEST_CASE("a stop that a plugin asks for ends the fit with its reason") {
  RunScene scene;
  RunConfig config = scene.config({{"at", "on_train_batch_end"}, {"batch", 0}, {"do", "stop"}});
  config.model.component = config.model.name = "scripted";
  CHECK(fit(scene, config).code == 0);
  CHECK(RunScene::calls("lm.training_step").size() == 1);
  CHECK(scene.said("stopped: the script"));
}
