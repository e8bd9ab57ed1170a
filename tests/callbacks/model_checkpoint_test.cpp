#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "callbacks/model_checkpoint/folder.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

namespace model_checkpoint_test {
namespace fs = std::filesystem;
using levin::Stage;
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Options;

namespace {

// A run in an empty folder with two steps per epoch; after each epoch val_loss is set to the next value.
struct Fit {
  explicit Fit(const Options& options, bool fresh = true)
      : dir(fs::temp_directory_path() / "levin_model_checkpoint_test") {
    if (fresh) fs::remove_all(dir);
    host.texts["run_dir"] = dir.string();
    host.numbers["num_training_batches"] = 2;
    component = std::make_unique<Component>(host, "model_checkpoint", options);
  }
  void start() {
    component->send(LEVIN_HOOK_SETUP);
    component->send(LEVIN_HOOK_TRAIN_START);
  }
  void epoch(double val_loss) {
    for (int64_t batch = 0; batch < 2; ++batch) {
      host.at(current, 2 * current + batch + 1);
      host.numbers["is_last_batch"] = batch == 1;
      component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, batch, 2);
    }
    host.set_metric("val_loss", val_loss);
    component->send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
    component->send(LEVIN_HOOK_TRAIN_EPOCH_END);
    ++current;
  }
  // An epoch without a validation.
  void bare_epoch() {
    for (int64_t batch = 0; batch < 2; ++batch) {
      host.at(current, 2 * current + batch + 1);
      component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, batch, 2);
    }
    component->send(LEVIN_HOOK_TRAIN_EPOCH_END);
    ++current;
  }
  void end() {
    host.at(current, 2 * current);
    component->send(LEVIN_HOOK_TRAIN_END);
    component->send(LEVIN_HOOK_FIT_END);
  }
  Fit& run(std::initializer_list<double> losses) {
    start();
    for (const double loss : losses) epoch(loss);
    end();
    return *this;
  }
  std::string files() const {
    std::set<std::string> names;
    if (fs::exists(dir / "checkpoints"))
      for (const auto& entry : fs::directory_iterator(dir / "checkpoints"))
        names.insert(entry.path().filename().string());
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
    return out;
  }
  std::string best() const { return saved_file("best_model_path"); }
  std::string last() const { return saved_file("last_model_path"); }
  std::string saved_file(const char* key) const {
    return fs::path(component->save().bytes.at(key)).filename().string();
  }

  FakeHost host;
  fs::path dir;
  std::unique_ptr<Component> component;
  int64_t current = 0;
};

// The files after a fit of three epochs, of which the second is the best.
struct FilesCase {
  const char* what;
  Options options;
  std::string files, best, last;
};
void check_files(const std::vector<FilesCase>& cases) {
  for (const FilesCase& c : cases) {
    INFO(c.what);
    Fit fit(c.options);
    fit.run({1.0, 0.5, 0.75});
    CHECK(fit.files() == c.files);
    CHECK(fit.best() == c.best);
    CHECK(fit.last() == c.last);
  }
}

}  // namespace

TEST_CASE("after a fit the best, the newest or all files are there") {
  check_files({
      {"by default the newest", {}, "epoch=2-step=6.ckpt", "epoch=2-step=6.ckpt", ""},
      {"all",
       {{"save_top_k", -1}},
       "epoch=0-step=2.ckpt epoch=1-step=4.ckpt epoch=2-step=6.ckpt",
       "epoch=2-step=6.ckpt",
       ""},
      {"none", {{"save_top_k", 0}}, "", "", ""},
      {"the best", {{"monitor", "val_loss"}}, "epoch=1-step=4.ckpt", "epoch=1-step=4.ckpt", ""},
      {"the best two",
       {{"monitor", "val_loss"}, {"save_top_k", 2}},
       "epoch=1-step=4.ckpt epoch=2-step=6.ckpt",
       "epoch=1-step=4.ckpt",
       ""},
      {"the worst", {{"monitor", "val_loss"}, {"mode", "max"}}, "epoch=0-step=2.ckpt", "epoch=0-step=2.ckpt", ""},
      {"last is written with the best",
       {{"monitor", "val_loss"}, {"save_last", "true"}},
       "epoch=1-step=4.ckpt last.ckpt",
       "epoch=1-step=4.ckpt",
       "last.ckpt"},
      {"last is written besides the best",
       {{"monitor", "val_loss"}, {"save_last", "always"}},
       "epoch=1-step=4.ckpt last.ckpt",
       "epoch=1-step=4.ckpt",
       "last.ckpt"},
      {"only the last", {{"save_top_k", 0}, {"save_last", "true"}}, "last.ckpt", "", "last.ckpt"},
  });
}

TEST_CASE("last that is always kept is of the newest validation, with the best beside it") {
  Fit fit({{"monitor", "val_loss"}, {"save_last", "always"}});
  fit.run({0.5, 1.0, 0.75});
  std::vector<int64_t> steps;
  for (const auto& saved : fit.host.saved)
    if (fs::path(saved.path).filename() == "last.ckpt") steps.push_back(saved.global_step);
  CHECK(steps == std::vector<int64_t>{2, 4, 6});
  CHECK(fit.best() == "epoch=0-step=2.ckpt");
  CHECK_THAT(fit.host.announced.at("best").path, ContainsSubstring("epoch=0-step=2.ckpt"));
  CHECK_THAT(fit.host.announced.at("last").path, ContainsSubstring("last.ckpt"));
}

TEST_CASE("files are saved as often as the options say") {
  check_files({
      {"every second epoch", {{"every_n_epochs", 2}}, "epoch=1-step=4.ckpt", "epoch=1-step=4.ckpt", ""},
      {"never", {{"every_n_epochs", 0}}, "", "", ""},
      {"every third step",
       {{"every_n_train_steps", 3}, {"save_top_k", -1}},
       "epoch=1-step=3.ckpt epoch=2-step=6.ckpt",
       "epoch=2-step=6.ckpt",
       ""},
      {"after each batch",
       {{"train_time_interval", "\"00:00:00:00\""}},
       "epoch=2-step=6.ckpt",
       "epoch=2-step=6.ckpt",
       ""},
  });
}

TEST_CASE("files have the names of the option, with versions") {
  check_files({
      {"named",
       {{"filename", "{epoch:02d}-{val_loss:.1f}"}, {"monitor", "val_loss"}},
       "epoch=01-val_loss=0.5.ckpt",
       "epoch=01-val_loss=0.5.ckpt",
       ""},
      {"versions of one name",
       {{"filename", "a"}, {"save_top_k", -1}, {"monitor", "val_loss"}},
       "a-v1.ckpt a-v2.ckpt a.ckpt",
       "a-v1.ckpt",
       ""},
      {"no versions",
       {{"filename", "a"}, {"save_top_k", -1}, {"enable_version_counter", false}},
       "a.ckpt",
       "a.ckpt",
       ""},
  });
}

TEST_CASE("last can be a link to the newest") {
  Fit fit({{"save_top_k", -1}, {"save_last", "link"}});
  fit.run({1.0, 0.5});
  const fs::path last = fit.dir / "checkpoints" / "last.ckpt";
  REQUIRE(fs::is_symlink(last));
  CHECK(fs::read_symlink(last) == "epoch=1-step=4.ckpt");
  CHECK(fit.host.saved.size() == 2);
}

TEST_CASE("a link waits for a file that is still being written") {
  Fit fit({{"save_top_k", -1}, {"save_last", "link"}});
  fit.host.writes_files = false;
  fit.start();
  fit.epoch(1);
  const fs::path folder = fit.dir / "checkpoints", last = folder / "last.ckpt";
  CHECK_FALSE(fs::exists(fs::symlink_status(last)));
  CHECK(fit.host.announced.at("last").path == (folder / "epoch=0-step=2.ckpt").string());
  fs::create_directories(folder);
  std::ofstream(folder / "epoch=0-step=2.ckpt") << "x";
  levin_event event = fit.host.event(LEVIN_HOOK_CHECKPOINT_DURABLE);
  const std::string path = (folder / "epoch=0-step=2.ckpt").string();
  event.text = path.c_str();
  fit.component->send(event);
  CHECK(fs::is_symlink(last));
}

TEST_CASE("the host learns which file is the best and which the last") {
  Fit fit({{"monitor", "val_loss"}});
  fit.run({0.5, 1.0});
  CHECK_THAT(fit.host.announced.at("best").path, ContainsSubstring("epoch=0-step=2.ckpt"));
  CHECK(fit.host.announced.at("best").score == 0.5);
  CHECK_THAT(fit.host.announced.at("last").path, ContainsSubstring("epoch=0-step=2.ckpt"));
}

TEST_CASE("a worse checkpoint is removed only after the better one is saved, and never outside the folder") {
  Fit fit({{"monitor", "val_loss"}});
  fit.run({1.0, 0.5});
  REQUIRE(fit.host.saved.size() == 2);
  REQUIRE(fit.host.removed.size() == 1);
  CHECK_THAT(fit.host.removed[0], ContainsSubstring("epoch=0-step=2.ckpt"));
}

TEST_CASE("the paths of a forged state lead to nothing that is removed") {
  Fit first({{"monitor", "val_loss"}});
  first.run({0.5});
  auto state = first.component->save();
  std::ofstream(first.dir / "victim.ckpt") << "x";
  fs::create_directory_symlink(first.dir, first.dir / "checkpoints" / "out");
  const std::string folder = (first.dir / "checkpoints").string();
  for (const std::string& path : {folder + "/./../victim.ckpt", folder + "/none/../../victim.ckpt",
                                  folder + "/out/victim.ckpt", (first.dir / "victim.ckpt").string()}) {
    INFO(path);
    for (const char* key : {"best_model_path", "last_model_path", "kth_best_model_path"}) state.bytes[key] = path;
    state.bytes["best_k_paths"] = state.bytes["to_remove"] = path + '\0';
    Fit second({{"monitor", "val_loss"}}, false);
    second.component->load(state);
    second.start();
    second.current = 1;
    second.epoch(0.25);
    CHECK(second.host.removed.empty());
    CHECK(fs::exists(first.dir / "victim.ckpt"));
  }
}

TEST_CASE("a second run into the same folder keeps the files of the first") {
  Fit first({{"filename", "a"}});
  first.run({1.0});
  Fit second({{"filename", "a"}}, false);
  second.run({1.0});
  CHECK(second.files() == "a-v1.ckpt a.ckpt");
  CHECK_THAT(second.host.messages.at(0).second, ContainsSubstring("checkpoints of another run: they are kept"));
}

TEST_CASE("a resumed run knows the best of the earlier one") {
  Fit first({{"monitor", "val_loss"}});
  first.run({0.5});
  const auto state = first.component->save();
  Fit second({{"monitor", "val_loss"}}, false);
  second.component->load(state);
  second.start();
  second.current = 1;
  second.epoch(0.75);
  CHECK(second.files() == "epoch=0-step=2.ckpt");
  second.epoch(0.25);
  CHECK(second.files() == "epoch=2-step=6.ckpt");
  Fit moved({{"monitor", "val_loss"}});
  moved.host.texts["run_dir"] = (moved.dir / "elsewhere").string();
  moved.component->load(state);
  moved.start();
  CHECK_THAT(moved.host.messages.at(0).second, ContainsSubstring("only the best is known"));
  CHECK(moved.best() == "epoch=0-step=2.ckpt");
}

TEST_CASE("a resumed run that does not improve keeps the best of the earlier one, and calls it so") {
  for (const bool strict : {true, false}) {
    Fit first({{"monitor", "val_loss"}, {"strict", strict}});
    first.run({0.5});
    Fit second({{"monitor", "val_loss"}, {"strict", strict}}, false);
    second.component->load(first.component->save());
    second.current = 1;
    second.run({0.75, 0.625});
    CHECK(second.files() == "epoch=0-step=2.ckpt");
    CHECK(second.best() == "epoch=0-step=2.ckpt");
    CHECK(second.host.saved.empty());
    CHECK(second.host.messages.empty());
    CHECK_THAT(second.host.announced.at("best").path, ContainsSubstring("epoch=0-step=2.ckpt"));
    CHECK(second.host.announced.at("best").score == 0.5);
  }
}

TEST_CASE("the best by its score outlives a resumed run that does not log the metric") {
  const Options options = {{"monitor", "val_loss"}, {"strict", false}};
  Fit first(options);
  first.run({0.5});
  Fit second(options, false);
  second.component->load(first.component->save());
  second.host.numbers["validates"] = 0;
  second.current = 1;
  second.start();
  second.bare_epoch();
  second.bare_epoch();
  second.end();
  CHECK(second.files() == "epoch=0-step=2.ckpt epoch=2-step=6.ckpt");
  CHECK(second.best() == "epoch=0-step=2.ckpt");
  CHECK_THAT(second.host.announced.at("last").path, ContainsSubstring("epoch=2-step=6.ckpt"));
}

TEST_CASE("a resumed run does what a kill kept from being done after a save: what was evicted goes, last is saved") {
  const Options options = {{"monitor", "val_loss"}, {"save_last", "true"}};
  Fit first(options);
  first.run({0.5});
  auto state = first.component->save();
  const fs::path folder = first.dir / "checkpoints";
  std::ofstream(folder / "evicted.ckpt") << "x";
  fs::remove(folder / "last.ckpt");
  state.bytes["to_remove"] = (folder / "evicted.ckpt").string() + '\0';
  state.bytes["last_due"] = std::string(1, '\1');
  Fit second(options, false);
  second.component->load(state);
  second.host.texts["resumed_from"] = (folder / "epoch=0-step=2.ckpt").string();
  second.host.texts["run_uid"] = "a run";
  second.host.at(0, 2);
  second.component->send(LEVIN_HOOK_SETUP);
  second.component->send(LEVIN_HOOK_PRETRAIN_ROUTINE_END);
  CHECK(second.files() == "epoch=0-step=2.ckpt last.ckpt");
  REQUIRE(second.host.saved.size() == 1);
  CHECK_THAT(second.host.announced.at("last").path, ContainsSubstring("last.ckpt"));
  second.component->send(LEVIN_HOOK_TRAIN_START);
  second.component->send(LEVIN_HOOK_TRAIN_EPOCH_END);  // the step of the resumed checkpoint is not saved again
  CHECK(second.host.saved.size() == 1);
}

TEST_CASE("a moved folder is the same folder") {
  const Options options = {{"monitor", "val_loss"}, {"save_last", "true"}, {"save_top_k", 2}};
  Fit first(options);
  first.run({0.5, 0.75});
  const auto state = first.component->save();
  const fs::path moved = first.dir.string() + "_moved";
  fs::remove_all(moved);
  fs::rename(first.dir, moved);
  Fit second(options, false);
  second.dir = moved;
  second.host.texts["run_dir"] = moved.string();
  second.component->load(state);
  second.start();
  second.current = 2;
  second.epoch(0.25);
  CHECK(second.files() == "epoch=0-step=2.ckpt epoch=2-step=6.ckpt last.ckpt");
  CHECK(second.host.messages.empty());
  fs::remove_all(moved);
}

TEST_CASE("files that the run saved after the checkpoint from which it goes on are abandoned, and no others") {
  const TempFolder temp;
  const fs::path& dir = temp.path();
  const auto write = [&](const std::string& name, const std::string& run, int saves, int step) {
    const nlohmann::json manifest = {{"run", run}, {"saves", saves}, {"global_step", step}};
    const std::string header = nlohmann::json{{"__metadata__", {{"levin", manifest.dump()}}}}.dump();
    std::string length(8, '\0');
    length[0] = static_cast<char>(header.size() & 0xff);
    length[1] = static_cast<char>(header.size() >> 8);
    std::ofstream(dir / name, std::ios::binary) << length << header;
    return (dir / name).string();
  };
  const std::string from = write("from.ckpt", "a", 4, 8), later = write("later.ckpt", "a", 5, 8),
                    ahead = write("ahead.ckpt", "a", 2, 9), before = write("before.ckpt", "a", 3, 6),
                    other = write("other.ckpt", "b", 9, 20), broken = (dir / "broken.ckpt").string();
  std::ofstream(broken) << "no checkpoint";
  levin::model_checkpoint::Folder folder(dir.string());
  folder.abandon_after(from, "a");
  CHECK_FALSE(folder.exists(later));
  CHECK_FALSE(folder.exists(ahead));
  for (const std::string& file : {from, before, other, broken}) CHECK(folder.exists(file));
  write("ahead.ckpt", "a", 6, 9);  // saved by another callback of the run
  CHECK(folder.exists(ahead));
  folder.written(later);
  CHECK(folder.exists(later));
  levin::model_checkpoint::Folder of_another_run(dir.string());
  of_another_run.abandon_after(from, "b");
  CHECK(of_another_run.exists(later));
}

TEST_CASE("a resumed run that trains nothing more saves nothing") {
  Fit fit({{"monitor", "val_loss"}, {"strict", false}, {"save_last", "true"}});
  fit.current = 3;
  fit.run({});
  CHECK(fit.host.saved.empty());
}

TEST_CASE("model_checkpoint knows its folder from setup on, and takes over a state that is loaded then") {
  Fit first({{"monitor", "val_loss"}});
  first.run({0.5});
  Fit second({{"monitor", "val_loss"}}, false);
  second.component->send(LEVIN_HOOK_SETUP);
  second.component->load(first.component->save());
  CHECK(second.best() == "epoch=0-step=2.ckpt");
  Fit evaluation({{"save_top_k", -1}});
  evaluation.component->send(LEVIN_HOOK_SETUP, Stage::test);
  evaluation.host.at(0, 2);
  evaluation.component->send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  CHECK(evaluation.host.saved.empty());
}

TEST_CASE("a failure before the training starts saves nothing") {
  Fit fit({{"save_on_exception", true}});
  fit.component->send(LEVIN_HOOK_SETUP);
  fit.host.at(3, 8);  // resumed, but the optimizer state is not loaded yet
  fit.component->send(LEVIN_HOOK_EXCEPTION);
  CHECK(fit.host.saved.empty());
}

TEST_CASE("a monitor that is missing is an error once a validation has run") {
  Fit fit({{"monitor", "nope"}});
  fit.start();
  CHECK_THROWS_WITH(fit.epoch(1), ContainsSubstring("'nope'") && ContainsSubstring("val_loss"));
  Fit unvalidated({{"monitor", "nope"}, {"strict", true}});
  unvalidated.host.numbers["num_val_batches"] = 0;
  unvalidated.start();
  unvalidated.host.at(0, 2);
  unvalidated.component->send(LEVIN_HOOK_TRAIN_EPOCH_END);
  CHECK(unvalidated.host.messages.size() == 1);
  CHECK(unvalidated.files().empty());
}

TEST_CASE(
    "a monitor that the user named is an error when an epoch has ended without it, and the newest is kept until then") {
  Fit steps({{"monitor", "nope"}, {"every_n_train_steps", 1}});
  steps.start();
  steps.host.at(0, 1);
  steps.component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 2);
  CHECK(steps.files() == "epoch=0-step=1.ckpt");
  Fit unvalidated({{"monitor", "nope"}});
  unvalidated.host.numbers["validates"] = 0;
  unvalidated.start();
  CHECK_THROWS_WITH(unvalidated.bare_epoch(),
                    ContainsSubstring("'nope'") && ContainsSubstring("--callback.model_checkpoint.strict false"));
  Fit never_due({{"monitor", "nope"}, {"every_n_epochs", 7}});
  never_due.start();
  never_due.epoch(1);
  CHECK_THROWS_WITH(never_due.end(), ContainsSubstring("'nope'") && ContainsSubstring("val_loss"));
  CHECK(never_due.files() == "epoch=0-step=2.ckpt");
}

TEST_CASE("without strict the newest is kept from the first epoch on, until the metric is there") {
  const auto options = [](const char* monitor, int64_t every) {
    return Options{{"monitor", monitor}, {"strict", false}, {"every_n_epochs", every}};
  };
  Fit never_logged(options("nope", 1));
  never_logged.run({1, 2});
  CHECK(never_logged.files() == "epoch=1-step=4.ckpt");
  CHECK(never_logged.host.messages.size() == 1);
  Fit no_validation_step(options("val_loss", 1));  // although its data has validation rows
  no_validation_step.host.numbers["validates"] = 0;
  no_validation_step.start();
  no_validation_step.bare_epoch();
  CHECK(no_validation_step.files() == "epoch=0-step=2.ckpt");
  no_validation_step.bare_epoch();
  CHECK(no_validation_step.files() == "epoch=1-step=4.ckpt");
  Fit nothing_due(options("nope", 7));
  nothing_due.run({1, 2});
  CHECK(nothing_due.files() == "epoch=1-step=4.ckpt");  // the epoch that was trained, not the next one
  Fit nothing_asked(options("val_loss", 7));
  nothing_asked.run({1, 2});
  CHECK(nothing_asked.files().empty());
  CHECK(nothing_asked.host.messages.empty());
}

TEST_CASE("checkpoints by steps do not wait for the first validation without strict, and say so with it") {
  const auto options = [](bool strict) {
    return Options{{"monitor", "val_loss"}, {"strict", strict}, {"every_n_train_steps", 1}};
  };
  Fit lenient(options(false));
  lenient.start();
  lenient.host.at(0, 1);
  lenient.component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 2);
  CHECK(lenient.files() == "epoch=0-step=1.ckpt");
  CHECK_THAT(lenient.host.messages.at(0).second, ContainsSubstring("'val_loss'") && ContainsSubstring("newest"));
  lenient.host.set_metric("val_loss", 0.5);
  lenient.host.at(1, 3);
  lenient.component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 2);
  CHECK(lenient.files() == "epoch=1-step=3.ckpt");  // replaces the checkpoint without a score
  CHECK(lenient.host.announced.at("best").score == 0.5);

  Fit strict(options(true));
  strict.start();
  strict.host.at(0, 1);
  strict.component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 2);
  CHECK(strict.files().empty());
  CHECK_THAT(strict.host.messages.at(0).second, ContainsSubstring("Nothing is saved until it is logged"));
}

TEST_CASE("a step's checkpoint waits for the metric that only validation logs") {
  Fit fit(
      {{"monitor", "val_loss"}, {"every_n_train_steps", 2}, {"save_on_train_epoch_end", false}, {"save_top_k", -1}});
  fit.start();
  fit.epoch(3);
  CHECK(fit.files() == "epoch=0-step=2.ckpt");
  CHECK(fit.host.announced.at("best").score == 3.0);
  fit.epoch(2);
  CHECK(fit.host.announced.at("best").score == 2.0);
}

TEST_CASE("a failing run saves its state when asked") {
  for (const bool asked : {true, false}) {
    Fit fit({{"save_on_exception", asked}, {"every_n_epochs", 7}, {"filename", "failed"}});
    fit.start();
    fit.epoch(1);
    fit.component->send(LEVIN_HOOK_EXCEPTION);
    CHECK(fit.files() == (asked ? "failed.ckpt" : ""));
  }
  Fit sanity({{"save_on_exception", true}});
  sanity.start();
  sanity.host.at(0, 1);
  sanity.host.numbers["sanity_checking"] = 1;
  sanity.component->send(LEVIN_HOOK_EXCEPTION);
  CHECK(sanity.files().empty());
}

TEST_CASE("nothing is saved outside of a fit, or twice for one step") {
  Fit fit({{"save_on_train_epoch_end", false}, {"save_top_k", -1}});
  fit.start();
  fit.host.at(0, 2);
  fit.component->send(LEVIN_HOOK_VALIDATION_END, Stage::sanity);
  CHECK(fit.host.saved.empty());
  fit.component->send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  fit.component->send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  CHECK(fit.host.saved.size() == 1);
  fit.component->send(LEVIN_HOOK_TEARDOWN);
  fit.host.at(1, 4);
  fit.component->send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  CHECK(fit.host.saved.size() == 1);
}

TEST_CASE("options that contradict each other are refused when the callback is made") {
  FakeHost host;
  const auto make = [&](const Options& options) { Component(host, "model_checkpoint", options); };
  CHECK_THROWS_WITH(make({{"save_top_k", 2}}), ContainsSubstring("save_top_k") && ContainsSubstring("monitor"));
  CHECK_THROWS_WITH(make({{"save_top_k", -3}}), ContainsSubstring("save_top_k"));
  CHECK_THROWS_WITH(make({{"every_n_epochs", 1}, {"every_n_train_steps", 1}}), ContainsSubstring("exclude"));
  CHECK_THROWS_WITH(make({{"filename", "{{epoch}}"}}), ContainsSubstring("{{epoch}}"));
  CHECK_THROWS_WITH(make({{"train_time_interval", "\"1h\""}}), ContainsSubstring("DD:HH:MM:SS"));
  CHECK_THROWS_WITH(make({{"save_last", "maybe"}}), ContainsSubstring("save_last"));
}

TEST_CASE("what a checkpoint is, is said with its save") {
  const auto told = [](const Options& options) {
    std::vector<std::string> lines;
    Fit fit(options);
    for (const levin::Saved& s : fit.run({2, 1, 3}).host.saved_as)
      lines.push_back(fs::path(s.path).filename().string() + (s.best ? " best" : "") + (s.last ? " last" : "") + " " +
                      s.monitor + (std::isfinite(s.score) ? " " + std::to_string(static_cast<int>(s.score)) : ""));
    return lines;
  };
  using Lines = std::vector<std::string>;
  CHECK(told({{"monitor", "val_loss"}, {"filename", "{epoch}"}, {"save_top_k", 2}}) ==
        Lines({"epoch=0.ckpt best last val_loss 2", "epoch=1.ckpt best last val_loss 1"}));
  CHECK(told({{"monitor", "val_loss"}, {"filename", "{epoch}"}, {"save_top_k", -1}, {"save_last", "true"}}) ==
        Lines({"epoch=0.ckpt best val_loss 2", "last.ckpt last val_loss 2", "epoch=1.ckpt best val_loss 1",
               "last.ckpt last val_loss 1", "epoch=2.ckpt val_loss 3", "last.ckpt last val_loss 3"}));
  CHECK(told({{"monitor", ""}, {"filename", "{epoch}"}}) ==
        Lines({"epoch=0.ckpt best last ", "epoch=1.ckpt best last ", "epoch=2.ckpt best last "}));
}

TEST_CASE("best and last of one step are one write with a second name") {
  Fit fit({{"monitor", "val_loss"}, {"save_last", "always"}, {"save_weights_only", true}});
  fit.run({1.0, 2.0});
  std::vector<uint32_t> flags;
  for (const auto& saved : fit.host.saved) flags.push_back(saved.flags);
  const uint32_t one = LEVIN_SAVE_ASYNC | LEVIN_SAVE_WEIGHTS_ONLY;
  CHECK(flags == std::vector<uint32_t>{one, one | LEVIN_SAVE_SAME, one});  // the third is not among the best
  Fit off({{"async_save", "off"}});
  off.run({1.0});
  CHECK(off.host.saved.at(0).flags == 0);
}

TEST_CASE("a save that is due while a file is written waits, or is left out") {
  for (const bool skip : {false, true}) {
    Fit fit({{"save_top_k", -1}, {"async_save", skip ? "skip" : "wait"}});
    fit.start();
    fit.epoch(1);
    fit.epoch(1);
    CHECK(fit.host.saved.size() == (skip ? 1 : 2));
    levin_event event = fit.host.event(LEVIN_HOOK_CHECKPOINT_DURABLE);
    event.text = fit.host.saved.at(0).path.c_str();
    fit.component->send(event);
    fit.epoch(1);
    CHECK(fit.host.saved.size() == (skip ? 2 : 3));
  }
}

TEST_CASE("without strict no more files than one are kept for a metric that never comes, however many are wanted") {
  for (const int64_t k : {1, 2, 5, -1}) {
    Fit fit({{"monitor", "val_loss"}, {"strict", false}, {"save_top_k", k}});
    fit.host.numbers["validates"] = 0;
    fit.start();
    for (int epoch = 0; epoch < 3; ++epoch) fit.bare_epoch();
    fit.end();
    INFO(k);
    CHECK(fit.files() == std::string(k < 0 ? "epoch=0-step=2.ckpt epoch=1-step=4.ckpt " : "") + "epoch=2-step=6.ckpt");
  }
}

TEST_CASE("with several processes a checkpoint is what the first one decides on") {
  Fit fit({{"monitor", "val_loss"}, {"filename", "{epoch}-{val_loss:.1f}"}, {"save_last", "true"}});
  fit.host.world_size = 2;
  fit.run({3, 1.5, 2});
  CHECK(fit.files() == "epoch=1-val_loss=1.5.ckpt last.ckpt");
  const auto& calls = fit.host.calls;
  CHECK(std::count(calls.begin(), calls.end(), "broadcast 0") == 2 * 4);  // for three epochs and the end
}

}  // namespace model_checkpoint_test
