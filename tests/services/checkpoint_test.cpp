#include "tests/services/service_scene.hpp"

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "tests/trainer/temp_dir.hpp"

using namespace levin::core;

namespace {

const levin_checkpoint& checkpoint() { return *checkpoint_service(); }

std::vector<std::string> listed(ServiceScene& scene) {
  std::vector<std::string> out;
  checkpoint().list(
      &scene.run,
      [](void* to, const char* path, uint32_t names, double) {
        const std::string file = std::filesystem::path(path).filename().string();
        static_cast<std::vector<std::string>*>(to)->push_back(file + " " + std::to_string(names));
      },
      &out);
  return out;
}

}  // namespace

TEST_CASE("a checkpoint is saved into the run's folder, announced, listed, loaded and removed") {
  const TempDir temp;
  ToyNet net;
  ServiceScene scene(net);
  RunFolder folder = RunFolder::make(temp.path());
  scene.checkpoint_parts.folder = &folder;
  CHECK(checkpoint().save(&scene.run, "checkpoints/a.ckpt", 0) == LEVIN_OK);
  CHECK(checkpoint().wait(&scene.run) == LEVIN_OK);
  CHECK(std::filesystem::exists(folder.path() / "checkpoints" / "a.ckpt"));
  CHECK(checkpoint().announce(&scene.run, "best", "checkpoints/a.ckpt", 0.5) == LEVIN_OK);
  CHECK(listed(scene) == std::vector<std::string>{"a.ckpt " + std::to_string(LEVIN_CHECKPOINT_BEST)});
  const at::Tensor nine = at::full({1}, 9.0);
  params_service()->assign(&scene.run, "w", borrow(nine));
  CHECK(checkpoint().load_weights(&scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(scene.w() == 1);
  CHECK(checkpoint().remove(&scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(listed(scene).empty());
}

TEST_CASE("weights that are loaded before a resumed fit has begun would undo the resume, so they are not") {
  const TempDir temp;
  ToyNet net;
  ServiceScene scene(net);
  const std::string path = (temp.path() / "pretrained.ckpt").string();
  REQUIRE(checkpoint().save(&scene.run, path.c_str(), LEVIN_SAVE_WEIGHTS_ONLY) == LEVIN_OK);
  const at::Tensor restored = at::full({1}, 9.0);
  params_service()->assign(&scene.run, "w", borrow(restored));
  scene.progress.resumed = true;
  scene.checkpoint_parts.resumed_from = "last.ckpt";
  CHECK(checkpoint().load_weights(&scene.run, path.c_str()) == LEVIN_OK);
  CHECK(scene.w() == 9);
  REQUIRE(scene.warnings.size() == 1);
  CHECK_THAT(scene.warnings[0], ContainsSubstring("pretrained.ckpt') does nothing") && ContainsSubstring("last.ckpt"));
  scene.progress.begun = true;
  CHECK(checkpoint().load_weights(&scene.run, path.c_str()) == LEVIN_OK);
  CHECK(scene.w() == 1);
}

TEST_CASE("the checkpoint that a run goes on from is never removed") {
  const TempDir temp;
  ToyNet net;
  ServiceScene scene(net);
  const std::string path = (temp.path() / "from.ckpt").string();
  CHECK(checkpoint().save(&scene.run, path.c_str(), LEVIN_SAVE_WEIGHTS_ONLY) == LEVIN_OK);
  scene.checkpoint_parts.resumed_from = path;
  CHECK(checkpoint().remove(&scene.run, path.c_str()) == LEVIN_OK);
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("an announcement is of the best or the last, and a path is needed") {
  ToyNet net;
  ServiceScene scene(net);
  CHECK(checkpoint().announce(&scene.run, "worst", "x.ckpt", 0) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("best or last, not as 'worst'"));
  CHECK(checkpoint().save(&scene.run, "", 0) == LEVIN_E_INVALID);
}
