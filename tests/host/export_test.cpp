// host export: exports the weights of runs and files for other programs.

#include "core/checkpoint/container/safetensors_writer.hpp"
#include "core/weights/state_dict_file.hpp"
#include "installation.hpp"

using namespace levin::core;

namespace {

void checkpoint(const Installation& installation, const std::string& file, float value, int step) {
  installation.write(file, "");
  SafetensorsContent content;
  content.tensors.push_back({"state_dict.net.w", "F32", {}, &value, 4});
  content.tensors.push_back({"state_dict.head.w", "F32", {}, &value, 4});
  content.tensors.push_back({"optimizer_states.0.x", "F32", {}, &value, 4});
  content.manifest["global_step"] = step;
  write_safetensors((installation.folder() / file).string(), content);
}

// Creates a run with a best and a newer checkpoint, in the folder "run".
void run_of(const Installation& installation) {
  checkpoint(installation, "run/checkpoints/a.ckpt", 1, 10);
  checkpoint(installation, "run/checkpoints/b.ckpt", 2, 20);
  installation.write("run/checkpoints/index.json", R"({"best": {"path": "checkpoints/a.ckpt"}})");
  installation.write("run/config.json", "{}");
}

float value(const Installation& installation, const std::string& file, const std::string& name) {
  float out = 0;
  const StateDictFile weights((installation.folder() / file).string());
  copy_dense(weights.tensor(name), &out);
  return out;
}

}  // namespace

TEST_CASE("a tensor that is not a plain one is refused by name, unless --names leaves it out") {
  const Installation installation;
  for (const char* kind : {"sparse", "quantized", "listed"}) {
    const std::string file = std::string(LEVIN_TEST_WEIGHTS) + "/" + kind + "-1.13.pt";
    const Answer refused = installation.host("export " + file + " -o " + kind + ".safetensors");
    CHECK(refused.code == 5);
    CHECK_THAT(refused.err, ContainsSubstring(file + ": tensor 'other': it is "));
    CHECK_FALSE(std::filesystem::exists(installation.folder() / (std::string(kind) + ".safetensors")));
    const Answer rest =
        installation.host("export " + file + " -o " + kind + ".safetensors --names '{\"other\": null}'");
    CHECK(rest.code == 0);
    CHECK_THAT(rest.out, ContainsSubstring(": 1 tensors, 16 bytes"));
  }
}

TEST_CASE("the best checkpoint of a run is exported, or the last one, or a file") {
  const Installation installation;
  run_of(installation);
  const Answer best = installation.host("export run --format safetensors");
  CHECK(best.code == 0);
  CHECK_THAT(best.out, ContainsSubstring("/run.safetensors: 2 tensors, 8 bytes, of ") &&
                           ContainsSubstring("/run/checkpoints/a.ckpt (best)"));
  CHECK(value(installation, "run.safetensors", "net.w") == 1);
  CHECK(installation.host("export run --ckpt_path last -o last.pt").code == 0);
  CHECK(value(installation, "last.pt", "net.w") == 2);
  CHECK(StateDictFile((installation.folder() / "last.pt").string()).format() == "a state_dict of PyTorch");
  CHECK(installation.host("export run/checkpoints/b.ckpt --format=pt").code == 0);
  CHECK(value(installation, "b.pt", "head.w") == 2);
  CHECK(installation.host("export b.pt -o c.safetensors").code == 0);
  CHECK(value(installation, "c.safetensors", "head.w") == 2);
}

TEST_CASE("the help of export names every format with its endings") {
  const Installation installation;
  const std::string help = installation.host("export --help").out;
  CHECK_THAT(help, ContainsSubstring("[--format safetensors|pt|torchscript|lightning] [-o FILE]") &&
                       ContainsSubstring("\n  pt (.pt, .pth): the weights as a state_dict, for torch.load\n"));
  CHECK_THAT(installation.host("--help").out, ContainsSubstring("(--format safetensors|pt|torchscript|lightning)"));
}

TEST_CASE("a damaged index or checkpoint does not keep a run from being exported") {
  const Installation installation;
  run_of(installation);
  installation.write("run/checkpoints/index.json", R"({"best": {"path": "../../secret.ckpt"}})");
  installation.write("run/checkpoints/c.ckpt", "damaged");
  const Answer answer = installation.host("export run/ --format pt");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("/b.ckpt (last)"));
  CHECK(installation.host("export run -o x.pt --ckpt_path best").code == 5);
}

TEST_CASE("names are changed and tensors left out") {
  const Installation installation;
  run_of(installation);
  CHECK(installation.host(R"(export run -o x.pt --names '{"net.": "backbone.", "head.": null}')").code == 0);
  CHECK(StateDictFile((installation.folder() / "x.pt").string()).names() == std::vector<std::string>{"backbone.w"});
}

TEST_CASE("what cannot be exported is said, and nothing is written") {
  const Installation installation;
  run_of(installation);
  installation.write("there.pt", "as it was");
  installation.write("text.txt", "no weights");
  struct Case {
    std::string words;
    int code;
    std::string message;
  };
  const Case cases[] = {
      {"", 2, "no run folder and no checkpoint is named"},
      {"run", 2, "use --format safetensors, --format pt"},
      {"run -o x.bin", 2, "x.bin has none of their endings"},
      {"run --format onnx", 2, "--format onnx is refused"},
      {"run -o x.onnx", 2, "--format onnx is refused"},
      {"run --format torchscript --names {}", 2, "--names is for weights"},
      {"run -o x.ts", 5, "it does not name its model"},
      {"run --format safetensor", 2, "did you mean 'safetensors'?"},
      {"run --outptu x.pt", 2, "did you mean --output?"},
      {"run --format pt -o", 2, "--output: a value is missing"},
      {"run run2 --format pt", 2, "unexpected argument 'run2'"},
      {"run -o there.pt", 2, "already exists; --force replaces it"},
      {"run -o run --format pt", 2, "is a folder; name a file"},
      {"run -o no/x.pt", 2, "there is no folder"},
      {"run -o x.pt --ckpt_path a.ckpt", 2, "--ckpt_path is best or last here"},
      {"run/checkpoints/a.ckpt -o x.pt --ckpt_path last", 2, "is of a run folder"},
      {"lib -o x.pt", 2, "is not a run folder"},
      {"gone -o x.pt", 5, "there is no run folder and no file"},
      {"text.txt -o x.pt", 5, "text.txt"},
      {R"(run -o x.pt --names '{"net.": "", "head.": ""}')", 2, "as another tensor is"},
      {R"(run -o x.pt --names '{"": null}')", 2, "--names leaves no tensor"},
      {"run -o x.pt --names net.", 2, "--names"},
  };
  for (const Case& c : cases) {
    const Answer answer = installation.host("export " + c.words);
    INFO(c.words << "\n" << answer.err);
    CHECK(answer.code == c.code);
    CHECK_THAT(answer.error(), ContainsSubstring(c.message));
    CHECK_FALSE(std::filesystem::exists(installation.folder() / "x.pt"));
  }
  CHECK(installation.host("export run -o there.pt --force").code == 0);
  CHECK(value(installation, "there.pt", "net.w") == 1);
}
