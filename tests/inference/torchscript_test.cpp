// host export --format torchscript: the network for programs without Levin.
#include <torch/script.h>
#include <levin/inference.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "catch.hpp"
#include "trained.hpp"

namespace {

torch::Tensor called(torch::jit::Module& module, const torch::Tensor& input) {
  const torch::NoGradGuard no_grad;
  return module.forward({input}).toTensor();
}

}  // namespace

TEST_CASE("what is exported as TorchScript gives what the model gives, for batches of any size") {
  for (const std::string& words :
       {std::string("--model mlp"), std::string("--model cnn"), std::string("--model resnet --data.batch_size 4")}) {
    const Sandbox sandbox;
    const std::string file = trained(sandbox, words + " --data synthetic --data.size 16");
    const Outcome exported = sandbox.host("export levin_logs/version_0 -o net.ts --ckpt_path last");
    INFO(words << "\n" << exported.err);
    REQUIRE(exported.code == 0);
    CHECK_THAT(exported.err, ContainsSubstring("host: model ") && ContainsSubstring(".so"));
    torch::jit::Module module = torch::jit::load((sandbox.folder() / "net.ts").string());
    const levin::Predictor model(file);
    for (const int64_t rows : {1, 2, 7}) {
      const torch::Tensor x = torch::rand({rows, 1, 16, 16});
      CHECK(torch::allclose(called(module, x), model.predict(x), 1e-4, 1e-5));
    }
    std::set<std::string> names;
    for (const auto& parameter : module.named_parameters()) names.insert(parameter.name);
    for (const auto& buffer : module.named_buffers()) names.insert(buffer.name);
    CHECK(names.count(words.find("mlp") != std::string::npos ? "in_.weight" : "bn1.running_mean") == 1);
    module.eval();
    module.to(torch::kDouble);
    CHECK(called(module, torch::rand({3, 1, 16, 16}, torch::kDouble)).scalar_type() == torch::kDouble);
  }
}

TEST_CASE("a forward that asks for the number of rows takes any, and what training alone does is not exported") {
  for (const std::string name : {"sized", "careful"}) {
    const Sandbox sandbox;
    const std::string file =
        trained(sandbox, "--plugins " LEVIN_TEST_NETWORKS " --data synthetic --data.size 12 --model " + name);
    const Outcome exported = sandbox.host("export levin_logs/version_0 -o net.ts");
    REQUIRE(exported.code == 0);
    torch::jit::Module module = torch::jit::load((sandbox.folder() / "net.ts").string());
    const levin::Predictor model(file);
    const torch::Tensor x = torch::randn({11, 1, 12, 12});
    CHECK(torch::allclose(called(module, x), model.predict(x), 1e-4, 1e-5));
    CHECK((exported.err.find("the file works on a CPU only") != std::string::npos) == (name == "careful"));
  }
}

TEST_CASE("the numbers of the checkpoint are exported, although the trace calls a forward that changes them") {
  const Sandbox sandbox;
  const std::string file =
      trained(sandbox, "--plugins " LEVIN_TEST_NETWORKS " --data synthetic --data.size 12 --model counting");
  REQUIRE(sandbox.host("export levin_logs/version_0 -o net.ts").code == 0);
  REQUIRE(sandbox.host("export levin_logs/version_0 -o net.safetensors").code == 0);
  torch::jit::Module module = torch::jit::load((sandbox.folder() / "net.ts").string());
  std::ifstream in(sandbox.folder() / "net.safetensors", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto entries = nlohmann::json::parse(bytes.substr(8, header));
  int64_t calls = 0;
  std::memcpy(&calls, bytes.data() + 8 + header + entries.at("calls").at("data_offsets")[0].get<size_t>(),
              sizeof calls);
  CHECK(calls > 0);
  CHECK(module.attr("calls").toTensor().item<int64_t>() == calls);
}

TEST_CASE("a forward that decides by its input is refused with the reason, and no file is left") {
  const std::pair<const char*, const char*> cases[] = {
      {"deciding", "the trace returns other numbers for a batch of"},
      {"peeking", "forward reads numbers from its input"},
      {"latent", "its forward does not accept a batch of the inputs that its data has: "},
      {"hidden", "the trace returns other numbers for a batch of"}};
  for (const auto& [name, reason] : cases) {
    const Sandbox sandbox;
    trained(sandbox, "--plugins " LEVIN_TEST_NETWORKS " --data synthetic --data.size 12 --model " + std::string(name));
    const Outcome refused = sandbox.host("export levin_logs/version_0 -o net.ts");
    CHECK(refused.code == 1);
    CHECK(refused.error_code() == "E0119");
    CHECK_THAT(refused.error(),
               ContainsSubstring("model '" + std::string(name) + "' cannot be exported as TorchScript: " + reason));
    CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "net.ts"));
  }
}

TEST_CASE("what cannot be traced is refused with the reason, and no file is left") {
  const Sandbox sandbox;
  trained(sandbox, "--plugins " LEVIN_TEST_PLUGINS " --model plain --data rows --data.batch_size 1");
  const Outcome refused = sandbox.host("export levin_logs/version_0 --format torchscript");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.error(), ContainsSubstring("model 'plain' has no forward"));
  CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "version_0.ts"));
  const Outcome python = sandbox.host("export " LEVIN_TEST_WEIGHTS "/odd-2.pt -o x.ts");
  CHECK(python.code == 5);
  CHECK_THAT(python.error(), ContainsSubstring("it does not name its model"));
}
