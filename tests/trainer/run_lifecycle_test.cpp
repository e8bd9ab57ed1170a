// How a run ends: with a real assembly of scripted plugins, and a body that the test chooses.
#include "core/trainer/run_lifecycle.hpp"

#include <csignal>

#include "core/trainer/assembly.hpp"
#include "core/trainer/rendezvous.hpp"
#include "tests/trainer/run_scene.hpp"

using namespace levin::core;
using Calls = std::vector<std::string>;

namespace {

struct LifecycleScene : RunScene {
  explicit LifecycleScene(const nlohmann::json& data = {}, const nlohmann::json& trainer = {})
      : assembly(RunSettings(config({}, data, trainer)), signals, processes, LEVIN_STAGE_FIT, console) {}

  Ended run(const std::function<void()>& body) {
    return ended([&] { return lifecycle.run(body); });
  }
  // As at the beginning of a fit, until there is something to save.
  void begin_fit() {
    lifecycle.begin_stage(LEVIN_STAGE_FIT);
    assembly.device.strategy->place(*assembly.components.model, at::kFloat);
    assembly.loops.optimizers.configure(*assembly.components.model, &assembly.run, StepTotal(0), StepTotal(0));
  }
  std::filesystem::path interruption() const { return RunScene::run() / "checkpoints/interrupted.ckpt"; }

  Signals signals;
  Processes processes;
  Assembly assembly;
  RunLifecycle lifecycle{{assembly.settings, assembly.output, assembly.processes, assembly.job, assembly.hooks,
                          *assembly.components.data, assembly.loggers, assembly.loops, assembly.state,
                          assembly.services.texts(), nullptr}};
};

}  // namespace

TEST_CASE("a run that ends well finalizes its loggers once and says where it is") {
  LifecycleScene scene;
  const Ended end = scene.run([&] {
    scene.lifecycle.begin_stage(LEVIN_STAGE_FIT);
    for (int time = 0; time < 2; ++time) scene.lifecycle.begin_loggers();
    scene.lifecycle.end_stage();
  });
  CHECK(end.code == 0);
  CHECK(RunScene::calls("near.begin").size() == 1);
  CHECK(RunScene::calls("near.finalize") == Calls{"near.finalize success"});
  CHECK(RunScene::calls("dm.teardown").size() == 1);
  CHECK(RunScene::calls("dm.on_exception").empty());
  CHECK(scene.said("everything about this run is in " + scene.RunScene::run().string()));
}

TEST_CASE("loggers that have not begun are not finalized, and a stage that has not begun is not torn down") {
  LifecycleScene scene;
  CHECK(scene.run([] {}).code == 0);
  CHECK(RunScene::calls("near.finalize").empty());
  CHECK(RunScene::calls("dm.teardown").empty());
}

TEST_CASE("a failure tells the plugins, ends the loggers, tears down and keeps its kind") {
  LifecycleScene scene;
  const Ended end = scene.run([&] {
    scene.lifecycle.begin_stage(LEVIN_STAGE_FIT);
    scene.lifecycle.begin_loggers();
    throw Error(ErrorCode::data_damaged, "the rows are gone");
  });
  CHECK(end.kind == ErrorKind::data);
  CHECK(end.error == "the rows are gone");
  const Calls calls = RunScene::calls("");
  const auto at = [&](const char* call) { return std::find(calls.begin(), calls.end(), call) - calls.begin(); };
  CHECK(at("dm.on_exception") < at("near.finalize failed"));
  CHECK(at("near.finalize failed") < at("dm.teardown"));
  CHECK(at("dm.teardown") < static_cast<std::ptrdiff_t>(calls.size()));
}

TEST_CASE("an error within the loops says where they are, unless it is a mistake of the user or has a place") {
  const auto end_of = [](const std::function<void()>& fails) {
    LifecycleScene scene;
    return scene.run([&] {
      scene.lifecycle.begin_stage(LEVIN_STAGE_FIT);
      scene.lifecycle.begin_loops();
      fails();
    });
  };
  CHECK(end_of([] { throw Error(ErrorCode::operation_failed, "it broke"); }).error == "it broke (epoch 0, step 0)");
  CHECK(end_of([] { throw Error(ErrorCode::call_invalid, "it is wrong"); }).error == "it is wrong");
  CHECK(end_of([] { throw PlacedError(ErrorCode::operation_failed, "it broke there"); }).error == "it broke there");
  const Ended other = end_of([] { throw std::runtime_error("it broke"); });
  CHECK(other.kind == ErrorKind::run);
  CHECK(other.error == "it broke (epoch 0, step 0)");
}

TEST_CASE("an error behind the loops has no place") {
  LifecycleScene scene;
  const Ended end = scene.run([&] {
    scene.lifecycle.begin_stage(LEVIN_STAGE_FIT);
    scene.lifecycle.begin_loops();
    scene.lifecycle.end_stage();
    throw Error(ErrorCode::operation_failed, "it broke");
  });
  CHECK(end.error == "it broke");
  CHECK(RunScene::calls("dm.teardown").size() == 1);
}

TEST_CASE("a teardown that fails is the error of a run that went well, and a warning of one that failed") {
  const nlohmann::json fails = {{"at", "teardown"}, {"do", "throw"}};
  LifecycleScene well(fails);
  const Ended end = well.run([&] {
    well.lifecycle.begin_stage(LEVIN_STAGE_FIT);
    well.lifecycle.end_stage();
  });
  CHECK(end.kind == ErrorKind::run);
  CHECK_THAT(end.error, ContainsSubstring("scripted failure"));
  LifecycleScene failed(fails);
  const Ended first = failed.run([&] {
    failed.lifecycle.begin_stage(LEVIN_STAGE_FIT);
    throw Error(ErrorCode::data_damaged, "the rows are gone");
  });
  CHECK(first.error == "the rows are gone");
  CHECK(failed.said("in teardown: "));
}

TEST_CASE("an interrupt before the fit saves nothing and says so; Ctrl-C has a code of its own") {
  for (const int signal : {SIGTERM, SIGINT}) {
    LifecycleScene scene;
    const Ended end = scene.run([&] {
      scene.lifecycle.begin_loggers();
      throw Interrupt{signal};
    });
    CHECK(end.code == (signal == SIGINT ? 130 : exit_saved));
    CHECK(scene.said("nothing was saved: the fit had not begun"));
    CHECK(RunScene::calls("near.finalize") == Calls{"near.finalize interrupted"});
    CHECK_FALSE(std::filesystem::exists(scene.interruption()));
  }
}

TEST_CASE("an interrupt within a fit saves it, tells the plugins and tears down") {
  LifecycleScene scene;
  const Ended end = scene.run([&] {
    scene.begin_fit();
    throw Interrupt{SIGTERM};
  });
  CHECK(end.code == exit_saved);
  CHECK(std::filesystem::exists(scene.interruption()));
  CHECK(scene.said("saved " + scene.interruption().string() + "; resume with: host resume "));
  CHECK(RunScene::calls("dm.on_exception").size() == 1);
  CHECK(RunScene::calls("dm.teardown").size() == 1);
}

TEST_CASE("an interrupt that cannot save ends with the code of the signal") {
  LifecycleScene scene;
  const Ended end = scene.run([&] {
    scene.begin_fit();
    std::filesystem::remove_all(scene.interruption().parent_path());
    scene.folder.write("levin_logs/version_0/checkpoints", "");  // a file where the folder should be
    throw Interrupt{SIGTERM};
  });
  CHECK(end.code == 128 + SIGTERM);
  CHECK(scene.said("nothing was saved: "));
}

TEST_CASE("an interrupt after the fit says that the fit is complete") {
  LifecycleScene scene;
  const Ended end = scene.run([&] {
    scene.begin_fit();
    scene.lifecycle.end_stage();
    scene.lifecycle.begin_stage(LEVIN_STAGE_TEST);
    throw Interrupt{SIGTERM};
  });
  CHECK(end.code == exit_saved);
  CHECK(scene.said("the fit is complete, in " + scene.RunScene::run().string()));
  CHECK_FALSE(std::filesystem::exists(scene.interruption()));
  CHECK(RunScene::calls("dm.teardown").size() == 2);
}

TEST_CASE("fast_dev_run leaves no folder, also when it is interrupted") {
  LifecycleScene scene({}, {{"fast_dev_run", true}});
  const Ended end = scene.run([&] {
    scene.begin_fit();
    throw Interrupt{SIGTERM};
  });
  CHECK(end.code == exit_saved);
  CHECK(scene.said("nothing was saved: fast_dev_run saves no checkpoints"));
  CHECK(scene.folder.entries() == 0);
}
