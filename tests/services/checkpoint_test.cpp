#include "tests/services/service_scene.hpp"

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

namespace {

const levin_checkpoint& checkpoint() { return *checkpoint_service(); }

std::vector<std::string> listed(ServiceScene& scene) {
  std::vector<std::string> out;
  checkpoint().list(
      &scene.run,
      [](void* to, const levin_saved* found) {
        const std::string file = std::filesystem::path(found->path).filename().string();
        static_cast<std::vector<std::string>*>(to)->push_back(file + " " + std::to_string(found->flags));
      },
      &out);
  return out;
}

levin_saved saved(const char* path, uint32_t flags = 0) {
  levin_saved what{};
  what.size = sizeof what;
  what.path = path;
  what.flags = flags;
  return what;
}
levin_status save(ServiceScene& scene, const char* path, uint32_t flags = 0) {
  const levin_saved what = saved(path);
  return checkpoint().save(&scene.run, &what, flags);
}
levin_status announce(ServiceScene& scene, const levin_saved& what) { return checkpoint().announce(&scene.run, &what); }

// An optimizer of a plugin, without a learning rate.
class Rateless : public Optimizer {
 public:
  explicit Rateless(std::vector<ParamGroup> groups) : Optimizer("rateless", "Rateless") {
    for (ParamGroup& group : groups) add_group(std::move(group));
  }
  bool has(const std::string&) const override { return false; }
  double get(size_t, const std::string& option) const override { throw Error(ErrorCode::call_invalid, "no " + option); }
  void set(size_t, const std::string& option, double) override { throw Error(ErrorCode::call_invalid, "no " + option); }
  void visit_state(const StateVisitor&) override {}

 protected:
  void on_group_added() override {}
  void do_step() override {}
  nlohmann::json group_values(size_t) const override { return nlohmann::json::object(); }
  void load_group_values(size_t, const nlohmann::json&) override {}
  bool load_tensor(size_t, size_t, const std::string&, const at::Tensor&) override { return false; }
};

}  // namespace

TEST_CASE("a checkpoint is saved into the run's folder, announced, listed, loaded and removed") {
  const TempFolder temp;
  ToyNet net;
  ServiceScene scene(net);
  RunFolder folder = RunFolder::make(temp.path());
  scene.checkpoint_parts.folder = &folder;
  CHECK(save(scene, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(checkpoint().wait(&scene.run) == LEVIN_OK);
  CHECK(std::filesystem::exists(folder.path() / "checkpoints" / "a.ckpt"));
  levin_saved best = saved("checkpoints/a.ckpt", LEVIN_SAVED_BEST | LEVIN_SAVED_LARGER);
  best.monitor = "val_acc";
  best.score = 0.5;
  CHECK(announce(scene, best) == LEVIN_OK);
  CHECK(listed(scene) == std::vector<std::string>{"a.ckpt " + std::to_string(best.flags)});
  CHECK((folder.best().monitor == "val_acc" && folder.best().score == 0.5 && folder.best().larger_is_better));
  const at::Tensor nine = at::full({1}, 9.0);
  params_service()->assign(&scene.run, "w", borrow(nine));
  CHECK(checkpoint().load_weights(&scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(scene.w() == 1);
  CHECK(checkpoint().remove(&scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(listed(scene).empty());
}

TEST_CASE("a levin_saved that is NULL or has no size is refused, and a list without a function") {
  ToyNet net;
  ServiceScene scene(net);
  levin_saved small = saved("a.ckpt", LEVIN_SAVED_LAST);
  small.size = sizeof small - 1;
  for (const levin_saved* what : {static_cast<const levin_saved*>(nullptr), static_cast<const levin_saved*>(&small)}) {
    CHECK(checkpoint().save(&scene.run, what, 0) == LEVIN_E_INVALID);
    CHECK_THAT(service_failure(), ContainsSubstring("set its size to sizeof(levin_saved)"));
    CHECK(checkpoint().announce(&scene.run, what) == LEVIN_E_INVALID);
  }
  CHECK(checkpoint().list(&scene.run, nullptr, nullptr) == LEVIN_E_INVALID);
}

TEST_CASE("a folder in which several components save is checked once") {
  const TempFolder temp;
  ToyNet net;
  ServiceScene scene(net);
  RunFolder folder = RunFolder::make(temp.path());
  scene.checkpoint_parts.folder = &folder;
  for (const char* path : {"checkpoints", "/elsewhere", "checkpoints"})
    CHECK(checkpoint().saves_in(&scene.run, path) == LEVIN_OK);
  CHECK(scene.checkpoint_parts.save_folders ==
        std::vector<std::filesystem::path>{folder.path() / "checkpoints", "/elsewhere"});
}

TEST_CASE("weights that are loaded before a resumed fit has begun would undo the resume, so they are not") {
  const TempFolder temp;
  ToyNet net;
  ServiceScene scene(net);
  const std::string path = (temp.path() / "pretrained.ckpt").string();
  REQUIRE(save(scene, path.c_str(), LEVIN_SAVE_WEIGHTS_ONLY) == LEVIN_OK);
  const at::Tensor restored = at::full({1}, 9.0);
  params_service()->assign(&scene.run, "w", borrow(restored));
  scene.progress.begin_fit(/*resumes=*/true);
  scene.checkpoint_parts.resumed_from = "last.ckpt";
  CHECK(checkpoint().load_weights(&scene.run, path.c_str()) == LEVIN_OK);
  CHECK(scene.w() == 9);
  REQUIRE(scene.warnings.size() == 1);
  CHECK_THAT(scene.warnings[0], ContainsSubstring("pretrained.ckpt') has no effect") && ContainsSubstring("last.ckpt"));
  scene.progress.begin_batch();
  CHECK(checkpoint().load_weights(&scene.run, path.c_str()) == LEVIN_OK);
  CHECK(scene.w() == 1);
}

TEST_CASE("the checkpoint that a run goes on from is never removed") {
  const TempFolder temp;
  ToyNet net;
  ServiceScene scene(net);
  const std::string path = (temp.path() / "from.ckpt").string();
  CHECK(save(scene, path.c_str(), LEVIN_SAVE_WEIGHTS_ONLY) == LEVIN_OK);
  scene.checkpoint_parts.resumed_from = path;
  CHECK(checkpoint().remove(&scene.run, path.c_str()) == LEVIN_OK);
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("the folders in which components say that they save are known, unless the process writes none") {
  const TempFolder temp;
  ToyNet net;
  ServiceScene scene(net);
  CHECK(checkpoint().saves_in(&scene.run, "/kept") == LEVIN_OK);
  CHECK(scene.checkpoint_parts.save_folders.empty());
  RunFolder folder = RunFolder::make(temp.path());
  scene.checkpoint_parts.folder = &folder;
  CHECK(checkpoint().saves_in(&scene.run, "/kept") == LEVIN_OK);
  CHECK(checkpoint().saves_in(&scene.run, "checkpoints") == LEVIN_OK);
  CHECK(scene.checkpoint_parts.save_folders == std::vector<std::filesystem::path>{"/kept", folder.checkpoints()});
}

TEST_CASE("an announcement is of the best or the last, and a path is needed") {
  ToyNet net;
  ServiceScene scene(net);
  CHECK(announce(scene, saved("x.ckpt")) == LEVIN_E_INVALID);
  CHECK_THAT(service_failure(), ContainsSubstring("best or last"));
  CHECK(save(scene, "") == LEVIN_E_INVALID);
}

namespace {

// A service scene with a folder for checkpoints.
struct SavingScene {
  ToyNet net;
  ServiceScene scene{net};
  TempFolder temp;
  RunFolder folder = RunFolder::make(temp.path());
  SavingScene() { scene.checkpoint_parts.folder = &folder; }
  levin_status save(const char* path, uint32_t flags) { return ::save(scene, path, flags); }
  std::filesystem::path path(const char* name) const { return folder.path() / name; }
};

}  // namespace

TEST_CASE(
    "a checkpoint that is written beside training has the state of the call, and the file is named once it is whole") {
  SavingScene s;
  REQUIRE(s.save("checkpoints/a.ckpt", LEVIN_SAVE_ASYNC) == LEVIN_OK);
  const at::Tensor nine = at::full({1}, 9.0);
  params_service()->assign(&s.scene.run, "w", borrow(nine));
  CHECK(announce(s.scene, saved("checkpoints/a.ckpt", LEVIN_SAVED_LAST)) == LEVIN_OK);
  CHECK(checkpoint().wait(&s.scene.run) == LEVIN_OK);
  CHECK(s.folder.announced("last").has_value());
  CHECK(checkpoint().load_weights(&s.scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(s.scene.w() == 1);
}

TEST_CASE("a second save of the same state is a second name, and of another state a file of its own") {
  for (const uint32_t async : {0u, LEVIN_SAVE_ASYNC}) {
    SavingScene s;
    REQUIRE(s.save("checkpoints/a.ckpt", async | LEVIN_SAVE_SAME) == LEVIN_OK);  // there is no earlier save
    REQUIRE(s.save("checkpoints/b.ckpt", async | LEVIN_SAVE_SAME) == LEVIN_OK);
    REQUIRE(s.save("checkpoints/c.ckpt", async | LEVIN_SAVE_SAME | LEVIN_SAVE_WEIGHTS_ONLY) == LEVIN_OK);
    s.scene.progress.begin_batch();
    REQUIRE(s.save("checkpoints/d.ckpt", async | LEVIN_SAVE_SAME) == LEVIN_OK);
    REQUIRE(checkpoint().wait(&s.scene.run) == LEVIN_OK);
    CHECK(std::filesystem::equivalent(s.path("checkpoints/a.ckpt"), s.path("checkpoints/b.ckpt")));
    CHECK_FALSE(std::filesystem::equivalent(s.path("checkpoints/a.ckpt"), s.path("checkpoints/c.ckpt")));
    CHECK_FALSE(std::filesystem::equivalent(s.path("checkpoints/a.ckpt"), s.path("checkpoints/d.ckpt")));
    // Another name of the checkpoint that the run resumed from may be removed.
    s.scene.checkpoint_parts.resumed_from = s.path("checkpoints/a.ckpt").string();
    CHECK(checkpoint().remove(&s.scene.run, "checkpoints/b.ckpt") == LEVIN_OK);
    CHECK(checkpoint().remove(&s.scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
    CHECK_FALSE(std::filesystem::exists(s.path("checkpoints/b.ckpt")));
    CHECK(std::filesystem::exists(s.path("checkpoints/a.ckpt")));
  }
}

TEST_CASE("a file that cannot be written keeps what it should replace, is announced nowhere, and is told once") {
  SavingScene s;
  REQUIRE(s.save("checkpoints/a.ckpt", 0) == LEVIN_OK);
  std::filesystem::create_directories(s.path("checkpoints/taken.ckpt/x"));
  REQUIRE(s.save("checkpoints/taken.ckpt", LEVIN_SAVE_ASYNC) == LEVIN_OK);
  CHECK(announce(s.scene, saved("checkpoints/taken.ckpt", LEVIN_SAVED_BEST)) == LEVIN_OK);
  CHECK(checkpoint().remove(&s.scene.run, "checkpoints/a.ckpt") == LEVIN_OK);
  CHECK(checkpoint().wait(&s.scene.run) == LEVIN_E_STATE);
  CHECK_THAT(service_failure(), ContainsSubstring("taken.ckpt: cannot take this name"));
  CHECK(std::filesystem::exists(s.path("checkpoints/a.ckpt")));
  CHECK_FALSE(s.folder.announced("best").has_value());
  CHECK_THROWS_AS(s.scene.state.finish(), Error);
  CHECK_NOTHROW(s.scene.state.finish());
  REQUIRE(s.save("checkpoints/taken.ckpt", LEVIN_SAVE_ASYNC) == LEVIN_OK);
  CHECK_THROWS_AS(s.scene.state.finish(), Error);
}

TEST_CASE("weights go back to a checkpoint also where an optimizer has no learning rate") {
  const TempFolder temp;
  ToyNet net;
  ServiceScene scene(net);
  ParamGroup group;
  group.params = {net.weight};
  group.names = {"w"};
  scene.optimizers.optimizers().front() = std::make_unique<Rateless>(std::vector<ParamGroup>{group});
  const std::string path = (temp.path() / "a.ckpt").string();
  scene.state.save(path, 0);
  const at::Tensor nine = at::full({1}, 9.0);
  params_service()->assign(&scene.run, "w", borrow(nine));
  scene.state.load_learned(CheckpointReader(path));
  CHECK(scene.w() == 1);
}
