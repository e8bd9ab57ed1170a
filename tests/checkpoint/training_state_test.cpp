// Saves of a run, made of the toy parts of the loop tests, and what another run loads from them.
#include "core/checkpoint/state/training_state.hpp"

#include <ATen/ops/equal.h>

#include <cmath>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "temp_folder.hpp"
#include "tests/services/service_scene.hpp"

using namespace levin::core;

namespace {

struct Fit {
  explicit Fit(const std::vector<uint32_t>& hooks = {}) : net(0, hooks) { net.optimizer = "adagrad"; }
  void step() { scene().optimization->run({OnesBatch(scene()).in, 0, {true, true, 1, 1.0}}, outputs); }
  ServiceScene& scene() {
    if (!made) made = std::make_unique<ServiceScene>(net);
    return *made;
  }
  TrainingState& state() { return scene().state; }

  ToyNet net;
  StepOutputs outputs;
  std::unique_ptr<ServiceScene> made;
};

nlohmann::json manifest_of(const std::string& path) { return CheckpointReader(path).manifest(); }

}  // namespace

TEST_CASE("a fit that loads a checkpoint goes on as the one that saved it") {
  const TempFolder folder;
  const std::string path = folder.file("a.ckpt");
  Fit saved, loaded;
  for (int i = 0; i < 3; ++i) saved.step();
  saved.state().save(path);
  const CheckpointReader file(path);
  loaded.state().load_model(file, /*callbacks=*/true);
  CHECK(loaded.scene().w() == saved.scene().w());
  loaded.state().load_training(file, loaded.state().load_position(file));
  CHECK(loaded.scene().progress.global_step() == saved.scene().progress.global_step());
  for (int i = 0; i < 3; ++i) {
    saved.step();
    loaded.step();
    CHECK(loaded.scene().w() == saved.scene().w());  // the sums of Adagrad are there
  }
  CHECK(loaded.scene().progress.global_step() == 6);
}

TEST_CASE("what was learned is loaded into a running fit without its position and its learning rates") {
  const TempFolder folder;
  const std::string path = folder.file("a.ckpt");
  Fit saved, running;
  for (int i = 0; i < 3; ++i) saved.step();
  saved.state().save(path);
  running.step();
  running.scene().optimizers.optimizer(0).set(0, "lr", 0.5);
  running.state().load_learned(CheckpointReader(path));
  CHECK(running.scene().w() == saved.scene().w());
  CHECK(running.scene().lr() == 0.5);
  CHECK(running.scene().progress.global_step() == 1);
}

TEST_CASE("each save has the run and the number of the save, and weights alone have no state of a fit") {
  const TempFolder folder;
  Fit fit;
  fit.state().set_lineage({"0123456789abcdef0123456789abcdef", 4});
  fit.state().save(folder.file("a.ckpt"));
  fit.state().save(folder.file("b.ckpt"), LEVIN_SAVE_WEIGHTS_ONLY);
  const nlohmann::json a = manifest_of(folder.file("a.ckpt")), b = manifest_of(folder.file("b.ckpt"));
  CHECK(run_of(a) == "0123456789abcdef0123456789abcdef");
  CHECK(saves_of(a) == 5);
  CHECK(saves_of(b) == 6);
  CHECK(a.contains("optimizer_states"));
  CHECK_FALSE(b.contains("optimizer_states"));
  CHECK(b.at("weights_only") == true);
}

TEST_CASE("a save within a save is refused, and the next one is not") {
  const TempFolder folder;
  Fit fit({LEVIN_HOOK_SAVE_CHECKPOINT});
  std::string said;
  fit.net.in_hook = [&](const levin_event&) {
    try {
      fit.state().save(folder.file("within.ckpt"));
    } catch (const Error& e) {
      CHECK(e.kind() == ErrorKind::usage);
      said = e.what();
    }
  };
  fit.state().save(folder.file("a.ckpt"));
  CHECK_THAT(said, ContainsSubstring("cannot be called while a checkpoint is saved"));
  CHECK_FALSE(std::filesystem::exists(folder / "within.ckpt"));
  fit.net.in_hook = nullptr;
  fit.state().save(folder.file("b.ckpt"));
  CHECK(folder.entries() == 2);
}

TEST_CASE("weights that are not finite are not saved, unless the plan ignores them") {
  const TempFolder folder;
  Fit fit;
  fit.scene();
  fit.net.weight.detach().fill_(std::nan(""));
  try {
    fit.state().save(folder.file("a.ckpt"));
    FAIL("it was saved");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::non_finite);
    CHECK_THAT(e.what(), ContainsSubstring("a.ckpt is not saved: the parameter 'w' is NaN or infinite"));
  }
  CHECK(folder.entries() == 0);
  fit.scene().plan.numerics.non_finite = NonFinite::ignore;
  fit.state().save(folder.file("a.ckpt"));
  CHECK(folder.entries() == 1);
}

TEST_CASE(
    "a file that is written during training has the state of the call, and hooks hear of it when it is delivered") {
  const TempFolder folder;
  const std::string path = folder.file("a.ckpt");
  Fit saved({LEVIN_HOOK_CHECKPOINT_DURABLE}), loaded;
  saved.step();
  const double w = saved.scene().w();
  saved.net.calls.clear();
  saved.state().save(path, LEVIN_SAVE_ASYNC);
  saved.net.weight.detach().fill_(100);
  CHECK(saved.net.calls.empty());
  saved.state().wait();
  CHECK(saved.net.calls.empty());
  saved.state().deliver();
  CHECK(saved.net.calls == std::vector<std::string>{"on_checkpoint_durable"});
  saved.state().finish();
  CHECK(saved.net.calls.size() == 1);
  loaded.state().load_weights(CheckpointReader(path));
  CHECK(loaded.scene().w() == w);
}

TEST_CASE("a failed file is thrown once, and what was to follow it is left out") {
  const TempFolder folder;
  const std::string path = folder.write("file", "") + "/a.ckpt";  // its folder is a file
  Fit fit;
  bool followed = false;
  fit.state().save(path, LEVIN_SAVE_ASYNC);
  CHECK_THROWS_AS(fit.state().wait(), Error);
  CHECK_THROWS_AS(fit.state().finish(), Error);
  CHECK_NOTHROW(fit.state().finish());
  fit.state().in_order([&] { followed = true; });
  CHECK(followed);
}

TEST_CASE("the same state under another name is a link to the last file, and another state is not") {
  const TempFolder folder;
  const std::string a = folder.file("a.ckpt"), b = folder.file("b.ckpt"), c = folder.file("c.ckpt");
  Fit fit;
  fit.step();
  fit.state().save(a);
  fit.state().save(b, LEVIN_SAVE_SAME);
  CHECK(std::filesystem::equivalent(a, b));
  fit.state().save(c, LEVIN_SAVE_SAME | LEVIN_SAVE_WEIGHTS_ONLY);
  CHECK_FALSE(std::filesystem::equivalent(a, c));
  fit.state().save(a);
  fit.step();
  fit.state().save(b, LEVIN_SAVE_SAME);
  CHECK_FALSE(std::filesystem::equivalent(a, b));
}
