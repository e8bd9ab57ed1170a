// Evaluations that name only a checkpoint.
#include <functional>

#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "host_process/sandbox.hpp"

namespace checkpoint_alone_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {

const std::string set_up = "--model plain --model.log true --trainer.enable_progress_bar false --data.test [3] ";

std::string trained_checkpoint(const Sandbox& sandbox) {
  REQUIRE(sandbox.bare("fit", set_up + "--max_epochs 1 --model.lr 0.125").code == 0);
  for (const auto& entry : fs::directory_iterator(sandbox.run(0) / "checkpoints"))
    if (entry.path().extension() == ".ckpt") return entry.path().string();
  FAIL("no checkpoint");
  return "";
}

std::string results(const Outcome& outcome) {
  const size_t at = outcome.err.find("tested in "), comma = outcome.err.find(", ", at);
  INFO(outcome.err);
  REQUIRE(at != std::string::npos);
  return outcome.err.substr(comma, outcome.err.find('\n', comma) - comma);
}

// Writes a copy of the checkpoint with a changed configuration and valid checksums.
std::string forged(const Sandbox& sandbox, const std::string& path,
                   const std::function<void(nlohmann::json&)>& change) {
  const SafetensorsReader file(path);
  SafetensorsContent content;
  for (const std::string& name : file.names()) {
    const TensorView t = file.tensor(name);
    content.tensors.push_back({name, t.dtype, t.shape, t.data, t.bytes});
  }
  content.manifest = file.manifest();
  content.manifest.erase("tensors");
  change(content.manifest["config"]);
  const std::string out = (sandbox.folder() / "forged.ckpt").string();
  write_safetensors(out, content);
  return out;
}

}  // namespace

TEST_CASE("a checkpoint is enough to evaluate its model on its data, wherever it lies") {
  const Sandbox sandbox;
  const std::string file = trained_checkpoint(sandbox), copy = (sandbox.folder() / "copy.ckpt").string();
  const Outcome usual = sandbox.bare("test", set_up + "--model.lr 0.125 --ckpt_path " + file);
  fs::rename(file, copy);
  fs::remove_all(sandbox.run(0));
  const Outcome alone = sandbox.host("test --ckpt_path copy.ckpt");
  CHECK(alone.code == 0);
  CHECK(results(alone) == results(usual));
  CHECK_THAT(alone.err, ContainsSubstring("host: model plain") && ContainsSubstring("libtest_models.so") &&
                            ContainsSubstring("host: data rows") && ContainsSubstring("libtest_rows.so"));
  CHECK(sandbox.host("validate --ckpt_path=copy.ckpt --quiet").code == 0);
  CHECK(sandbox.host("predict --ckpt_path copy.ckpt").code == 0);
  const Outcome shown = sandbox.host("test --ckpt_path copy.ckpt --print_config");
  CHECK_THAT(shown.out, ContainsSubstring("0.125"));
}

TEST_CASE("--run names the run whose checkpoint is evaluated, and best without it says which run it is") {
  const Sandbox sandbox;
  const std::string fit = set_up + "--max_epochs 1 --callback.model_checkpoint.monitor validation_step_loss ";
  REQUIRE(sandbox.bare("fit", fit + "--model.lr 0.125").code == 0);
  REQUIRE(sandbox.bare("fit", fit + "--model.lr 0.25").code == 0);
  const std::string first = sandbox.run(0).string(), second = sandbox.run(1).string();
  const Outcome newest = sandbox.bare("test", set_up + "--ckpt_path best");
  REQUIRE(newest.code == 0);
  CHECK_THAT(newest.err, ContainsSubstring("info: --ckpt_path best is " + second + "/checkpoints/") &&
                             ContainsSubstring(".ckpt (epoch 0, step 4) of the newest run of model 'plain'") &&
                             ContainsSubstring("--run FOLDER names another run"));
  for (const char* which : {"", " --ckpt_path best", " --ckpt_path last"}) {
    const Outcome chosen = sandbox.host("test --run " + first + which);
    REQUIRE(chosen.code == 0);
    CHECK(starts_with(chosen.err, "host: --run " + first + ": its "));
    CHECK_THAT(chosen.err, ContainsSubstring("loaded the weights of " + first) && !ContainsSubstring(second));
  }
  const struct {
    std::string words, says;
    int code;
  } mistakes[] = {{"test --run /no/such", "--run /no/such: there is no such folder", 2},
                  {"test --run " + sandbox.folder().string(), "is not a run folder", 2},
                  {"test --run " + first + " --ckpt_path x.ckpt", "name two files", 2},
                  {"fit --run " + first, "add --ckpt_path best or last", 2},
                  {"resume " + first + " --run " + second, "host resume RUN_DIR", 2}};
  for (const auto& mistake : mistakes) {
    const Outcome outcome = sandbox.host(mistake.words);
    CHECK(outcome.code == mistake.code);
    CHECK_THAT(outcome.error(), ContainsSubstring(mistake.says));
  }
}

TEST_CASE("options, a data module and files override the checkpoint's") {
  const Sandbox sandbox;
  const std::string file = trained_checkpoint(sandbox);
  const auto printed = [&](const std::string& words) {
    const Outcome out = sandbox.host("test --print_config --ckpt_path " + file + " " + words);
    CHECK(out.code == 0);
    return out.out;
  };
  CHECK_THAT(printed("--data.test [2]"), ContainsSubstring("[2]"));
  CHECK_THAT(printed("--data synthetic"), ContainsSubstring("libsynthetic.so") && !ContainsSubstring("librows.so"));
  std::ofstream(sandbox.folder() / "more.json") << R"({"data": {"component": "rows", "test": "[1]"}})";
  CHECK_THAT(printed("--config more.json --plugins " LEVIN_TEST_PLUGINS), ContainsSubstring("[1]"));
  const Outcome other = sandbox.host("test --model mlp --ckpt_path " + file);
  CHECK(other.code == 2);  // the data in the file does not fit the model
  CHECK_THAT(other.error(), ContainsSubstring("--data"));
}

TEST_CASE("what a forged checkpoint names is looked at, and its callbacks and folders are not used") {
  const Sandbox sandbox;
  const std::string file = trained_checkpoint(sandbox), ran = (sandbox.folder() / "ran").string();
  const std::string plugins = (sandbox.folder() / "plugins").string();
  fs::create_directory(plugins);
  fs::copy_file(LEVIN_TEST_PLUGINS "/libtest_models.so", plugins + "/libmine.so");
  fs::permissions(plugins, fs::perms::all);
  const std::string quiet = forged(sandbox, file, [&](nlohmann::json& config) {
    const std::string shell = std::string(LEVIN_TEST_INSTALLED) + "/libshell_command.so";
    config["callbacks"].push_back({{"name", "shell_command"},
                                   {"file", shell},
                                   {"component", "shell_command"},
                                   {"options", {{"on_setup", "touch " + ran}, {"command", "touch " + ran}}}});
    config["trainer"]["default_root_dir"] = sandbox.folder() / "elsewhere";
    config["trust"] = true;
    config["plugin_dirs"] = {plugins};
  });
  const Outcome outcome = sandbox.host("test --ckpt_path " + quiet);
  CHECK(outcome.code == 0);
  CHECK_FALSE(fs::exists(ran));
  CHECK_FALSE(fs::exists(sandbox.folder() / "elsewhere"));

  struct Case {
    std::function<void(nlohmann::json&)> change;
    int code;
    std::string message;
  };
  const Case cases[] = {
      {[&](nlohmann::json& c) { c["model"]["file"] = plugins + "/libmine.so", c["trust"] = true; }, 3,
       "anyone may put another file in its place"},
      {[&](nlohmann::json& c) { c["model"]["file"] = "/etc/passwd"; }, 3, "/etc/passwd"},
      {[&](nlohmann::json& c) { c["model"]["file"] = "/no/libgone.so"; }, 3, "libgone.so"},
      {[&](nlohmann::json& c) { c["model"] = 3; }, 5, "forged.ckpt: config"},
      {[&](nlohmann::json& c) { c["model"]["options"]["lr"] = "x"; }, 2, "lr"},
      {[&](nlohmann::json& c) { c["model"]["options"]["nonesuch"] = 1; }, 2, "nonesuch"},
      {[&](nlohmann::json& c) { c["trainer"] = nlohmann::json::array(); }, 5, "forged.ckpt: config"},
      {[&](nlohmann::json& c) { c["model"]["options"] = 3; }, 5, "forged.ckpt: config: 'model': 'options' is 3"},
      {[&](nlohmann::json& c) { c["loader"] = "x"; }, 5, "forged.ckpt: config"},
      {[&](nlohmann::json& c) { c["data"]["component"] = "nonesuch"; }, 3, "nonesuch"},
  };
  for (const Case& c : cases) {
    const Outcome refused = sandbox.host("test --ckpt_path " + forged(sandbox, file, c.change));
    CHECK(refused.code == c.code);
    CHECK_THAT(refused.error(), ContainsSubstring(c.message));
  }
}

TEST_CASE("files without a run of their own still need a model") {
  const Sandbox sandbox;
  const std::string file = trained_checkpoint(sandbox);
  for (const std::string& words : {std::string("test --ckpt_path best"), "fit --ckpt_path " + file,
                                   std::string("test --ckpt_path " LEVIN_TEST_WEIGHTS "/state_dict-1.13.pt")}) {
    const Outcome outcome = sandbox.host(words);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.error(), ContainsSubstring("no --model is named"));
  }
  const Outcome missing = sandbox.host("test --ckpt_path no_such.ckpt");
  CHECK(missing.code == 5);
  CHECK_THAT(missing.error(), ContainsSubstring("--ckpt_path no_such.ckpt: there is no such file"));
  const Outcome folder = sandbox.host("predict --ckpt_path " + fs::path(file).parent_path().string());
  CHECK(folder.code == 5);
  CHECK_THAT(folder.error(), ContainsSubstring("it is a folder; give a checkpoint file"));
  const auto size = fs::file_size(file);
  fs::resize_file(file, size - 1);
  const Outcome damaged = sandbox.host("test --ckpt_path " + file);
  CHECK(damaged.code == 5);
  CHECK_THAT(damaged.error(), ContainsSubstring(file));
}

}  // namespace checkpoint_alone_test
