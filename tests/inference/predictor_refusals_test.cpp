// Files that a Predictor rejects.
#include <levin/inference.hpp>

#include <filesystem>
#include <functional>

#include "catch.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "trained.hpp"

namespace fs = std::filesystem;
using levin::Predictor;
using levin::PredictorOptions;

TEST_CASE("what cannot be loaded is said with the file") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox, "--model mlp --data synthetic"), python = LEVIN_TEST_WEIGHTS "/odd-2.pt";
  const auto load = [](const std::string& path, const PredictorOptions& options = {}) {
    return refusal([&] { const Predictor model(path, options); });
  };
  CHECK_THAT(load("/no/such.ckpt"), ContainsSubstring("/no/such.ckpt"));
  CHECK_THAT(load(python), ContainsSubstring(python + ": the file has weights alone and does not name their model"));
  PredictorOptions options;
  options.plugin = "/no/libmlp.so";
  CHECK_THAT(load(file, options), ContainsSubstring("/no/libmlp.so"));
  options.plugin = LEVIN_TEST_INSTALLED "/libsynthetic.so";
  CHECK_THAT(load(file, options), ContainsSubstring("has no model 'mlp'"));
  fs::create_directory(sandbox.folder() / "open");
  fs::copy_file(LEVIN_TEST_INSTALLED "/libmlp.so", sandbox.folder() / "open" / "libmlp.so");
  fs::permissions(sandbox.folder() / "open", fs::perms::all);
  options.plugin = (sandbox.folder() / "open" / "libmlp.so").string();
  CHECK_THAT(load(file, options), ContainsSubstring("anyone may put another file in its place"));
  options.trust = true;
  CHECK(load(file, options).empty());
  fs::resize_file(file, fs::file_size(file) - 1);
  CHECK_THAT(load(file), ContainsSubstring(file));
}

TEST_CASE("a forged description of the data is refused with the file") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox, "--model mlp --data synthetic");
  const levin::core::SafetensorsReader reader(file);
  const std::string path = (sandbox.folder() / "forged.ckpt").string();
  const auto load = [&](const std::function<void(nlohmann::json&)>& change) {
    levin::core::SafetensorsContent content;
    for (const std::string& name : reader.names()) {
      const levin::core::TensorView t = reader.tensor(name);
      content.tensors.push_back({name, t.dtype, t.shape, t.data, t.bytes});
    }
    content.manifest = reader.manifest();
    content.manifest.erase("tensors");
    change(content.manifest);
    levin::core::write_safetensors(path, content);
    return refusal([&] { const Predictor model(path); });
  };
  CHECK(load([](nlohmann::json&) {}).empty());
  using Json = nlohmann::json;
  const std::function<void(Json&)> changes[] = {
      [](Json& m) { m["data"] = 3; },
      [](Json& m) { m["data"]["rows"] = {1}; },
      [](Json& m) { m["data"]["fields"] = "x"; },
      [](Json& m) { m["data"]["fields"][0]["shape"] = {1, 1, 1, 1, 1, 1, 1}; },
      [](Json& m) { m["data"]["fields"][0]["shape"] = {-5}; },
      [](Json& m) { m["data"]["fields"][0]["shape"] = {int64_t{1} << 50}; },
      [](Json& m) {
        m["data"]["fields"][0]["dtype"] = {9, 9, 9};
      },
      [](Json& m) { m["data"]["fields"][0]["dtype"] = {0}; },
      [](Json& m) { m["data"]["fields"][1]["classes"] = -1; },
      [](Json& m) { m["data"]["fields"][1]["class_names"] = {"only one"}; }};
  for (const auto& change : changes)
    CHECK_THAT(load(change), ContainsSubstring("forged.ckpt: ") && ContainsSubstring("data"));
  CHECK_THAT(load([](Json& m) { m.erase("data"); }), ContainsSubstring("does not describe its data"));
  CHECK_THAT(load([](Json& m) { m.erase("config"); }),
             ContainsSubstring("forged.ckpt: the checkpoint does not name its model"));
  CHECK_THAT(load([](Json& m) { m["config"]["model"]["file"] = "libmlp.so"; }), ContainsSubstring("absolute path"));
  CHECK_THAT(load([](Json& m) { m["config"]["model"]["options"]["hidden"] = "x"; }), ContainsSubstring("hidden"));
  CHECK_THAT(load([](Json& m) { m["config"]["model"]["options"]["hidden"] = 6; }), ContainsSubstring("has the shape"));
  CHECK_THAT(load([](Json& m) { m["config"]["trainer"]["precision"] = "x"; }), ContainsSubstring("trainer.precision"));
  CHECK_THAT(load([](Json& m) { m["config"]["model"] = 3; }), ContainsSubstring("forged.ckpt: config"));
}

TEST_CASE("a model without a forward of tensors says so") {
  const Sandbox sandbox;
  const std::string file =
      trained(sandbox, "--plugins " LEVIN_TEST_PLUGINS " --model plain --data rows --data.batch_size 1");
  const Predictor model(file);
  CHECK_THAT(refusal([&] { model.predict(torch::rand({1, 2})); }), ContainsSubstring("model 'plain' has no forward"));
}

TEST_CASE("a device that is not there, and a Predictor whose model has moved on, are refused in one line") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox, "--model mlp --data synthetic");
  PredictorOptions options;
  options.device = torch::Device(torch::kCUDA, 77);
  const std::string said = refusal([&] { const Predictor model(file, options); });
  CHECK_THAT(said, ContainsSubstring("device cuda:77 is not available: LibTorch finds ") && !ContainsSubstring("\n"));
  Predictor first(file);
  const Predictor second = std::move(first);
  CHECK_THAT(refusal([&] { first.predict(torch::rand({1, 64})); }), ContainsSubstring("moved from"));
  CHECK(second.predict(torch::rand({1, 64})).size(0) == 1);
}

TEST_CASE(
    "a batch that does not fit, and a forward that throws, are told with the plugin, and the next batch is served") {
  const Sandbox sandbox;
  const std::string file = trained(sandbox, "--plugins " LEVIN_TEST_NETWORKS " --model throwing --data synthetic");
  const Predictor model(file);
  const torch::Tensor x = torch::rand({2, 1, 8, 8});
  const torch::Tensor y = model.predict(x);
  const auto says = [&](const torch::Tensor& input) {
    const std::string said = refusal([&] { model.predict(input); });
    CHECK_THAT(said, ContainsSubstring("libtest_networks.so") && !ContainsSubstring("\n"));
    return said;
  };
  CHECK_THAT(says(torch::rand({13, 1, 8, 8})), ContainsSubstring("thirteen rows"));
  CHECK_FALSE(says(torch::rand({14, 1, 8, 8})).empty());
  CHECK_FALSE(says(torch::rand({2, 3})).empty());
  CHECK_FALSE(says(torch::rand({})).empty());
  CHECK_FALSE(says(torch::ones({2, 1, 8, 8}, torch::kLong)).empty());
  CHECK_THAT(says(x.to(torch::kDouble)), ContainsSubstring("dtype"));
  CHECK(torch::equal(model.predict(x.clone().requires_grad_()), y));
  CHECK(torch::equal(model.predict(x), y));
}
