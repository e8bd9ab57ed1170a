#include "core/run_folder/run_folder.hpp"

#include <ATen/ops/ones.h>

#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
namespace fs = std::filesystem;

namespace {

std::string checkpoint(const RunFolder& run, const std::string& name) {
  fs::create_directories(run.checkpoints());
  const std::string path = (run.checkpoints() / name).string();
  CheckpointWriter file;
  file.put("x", at::ones({3}));
  file.write(path);
  return path;
}

void ignore(const std::string&) {}

}  // namespace

TEST_CASE("runs are numbered on from the highest, whatever else lies there") {
  const TempFolder root;
  CHECK(RunFolder::make(root.path()).id() == "version_0");
  CHECK(RunFolder::make(root.path()).id() == "version_1");
  for (const char* name : {"version_7", "version_x", "version_", "version_99999999999", "other"})
    fs::create_directory(root.path() / "levin_logs" / name);
  CHECK(RunFolder::make(root.path()).id() == "version_8");
}

TEST_CASE("runs that start at the same time get folders of their own") {
  const TempFolder root;
  std::vector<std::string> ids(16);
  std::vector<std::thread> threads;
  for (std::string& id : ids) threads.emplace_back([&, out = &id] { *out = RunFolder::make(root.path()).id(); });
  for (std::thread& thread : threads) thread.join();
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
}

TEST_CASE("a folder that cannot be made is said, with the option") {
  CHECK_THROWS_WITH(RunFolder::make("/proc/none"), ContainsSubstring("--trainer.default_root_dir"));
  CHECK_THROWS_WITH(RunFolder::open("/tmp/there/is/no/run"), ContainsSubstring("is not the folder of a run"));
}

TEST_CASE("best and last are remembered, also when the folder moves") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  CHECK_FALSE(run.announced("best"));
  const std::string path = checkpoint(run, "a.ckpt");
  run.announce("best", path, 0.5);
  run.announce("last", path);
  CHECK(*run.announced("best") == path);
  fs::rename(run.path(), root.path() / "moved");
  const RunFolder moved = RunFolder::open(root.path() / "moved");
  CHECK(*moved.announced("best") == (moved.checkpoints() / "a.ckpt").string());
  fs::remove(moved.checkpoints() / "a.ckpt");
  CHECK_FALSE(moved.announced("best"));
}

TEST_CASE("the checkpoints of a run are listed, the oldest first, with what they were announced as") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  CHECK(run.list().empty());
  const std::string b = checkpoint(run, "b.ckpt"), a = checkpoint(run, "a.ckpt");
  fs::create_directories(run.checkpoints() / "deep");
  fs::rename(checkpoint(run, "moved.ckpt"), run.checkpoints() / "deep" / "c.ckpt");
  std::ofstream(run.checkpoints() / "notes.txt") << "none";
  const std::string elsewhere = (root.path() / "d.ckpt").string(), gone = checkpoint(run, "gone.ckpt");
  fs::copy_file(a, elsewhere);
  int age = 4;
  for (const std::string& path : {b, a, (run.checkpoints() / "deep" / "c.ckpt").string(), elsewhere})
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(age--));
  run.announce("best", b, 0.25);
  run.announce("last", elsewhere, std::nan(""));
  fs::remove(gone);

  const std::vector<RunCheckpoint> all = run.list();
  REQUIRE(all.size() == 4);
  CHECK(all[0].path == b);
  CHECK((all[0].best && !all[0].last));
  CHECK(all[0].announced.score == 0.25);
  CHECK(all[1].path == a);
  CHECK_FALSE((all[1].best || all[1].last));
  CHECK(std::isnan(all[1].announced.score));
  CHECK(fs::path(all[2].path).filename() == "c.ckpt");
  CHECK(all[3].path == elsewhere);
  CHECK((all[3].last && !all[3].best));

  run.announce("last", b, std::nan(""));
  CHECK((run.list().back().best && run.list().back().last));
  CHECK(run.list().back().announced.score == 0.25);
  run.announce("best", gone, 1);
  for (const RunCheckpoint& c : run.list()) CHECK_FALSE(c.best);
}

TEST_CASE(
    "the last checkpoint is the one that was saved last, whatever the clock said and whatever was touched since") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  struct {
    const char* name;
    int64_t saves, step;
    int hours_ago;
  } const saved[] = {{"touched.ckpt", 3, 30, 0}, {"went_back.ckpt", 4, 20, 5}, {"clock_jumped.ckpt", 2, 25, -9}};
  for (const auto& one : saved) {
    const std::string path = checkpoint(run, one.name);
    CheckpointWriter file;
    file.put("x", at::ones({3}));
    file.manifest() = {{"saves", one.saves}, {"global_step", one.step}, {"epoch", 0}};
    file.write(path);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(one.hours_ago));
  }
  const std::vector<RunCheckpoint> all = run.list();
  REQUIRE(all.size() == 3);
  CHECK(fs::path(all[0].path).filename() == "clock_jumped.ckpt");
  CHECK(fs::path(all[1].path).filename() == "touched.ckpt");
  CHECK(fs::path(all[2].path).filename() == "went_back.ckpt");
  CHECK(all[2].saves == 4);
}

TEST_CASE("checkpoints of older releases go by their step before they go by the clock") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  for (const int64_t step : {20, 10}) {
    CheckpointWriter file;
    file.put("x", at::ones({3}));
    file.manifest() = {{"global_step", step}, {"epoch", 0}};
    file.write((run.checkpoints() / (std::to_string(step) + ".ckpt")).string());
  }
  CHECK(find_checkpoint("last", run, {}, ignore) == (run.checkpoints() / "20.ckpt").string());
}

TEST_CASE("what a killed process left half written goes, and what a user left stays") {
  const TempFolder root;
  const RunFolder run = RunFolder::make(root.path());
  const std::vector<fs::path> ours = {run.path() / "config.json.tmp.123", run.checkpoints() / "index.json.tmp.4"},
                              theirs = {run.path() / "config.json.tmp.old", run.path() / "notes.tmp.12",
                                        run.checkpoints() / "index.json.bak", run.path() / "config.json.tmp."};
  for (const auto* files : {&ours, &theirs})
    for (const fs::path& file : *files) std::ofstream(file) << "{";
  run.remove_leftovers();
  for (const fs::path& file : ours) CHECK_FALSE(fs::exists(file));
  for (const fs::path& file : theirs) CHECK(fs::exists(file));
}

TEST_CASE("the checkpoint of an interruption goes when there is a newer one to go on from") {
  const TempFolder root;
  const RunFolder run = RunFolder::make(root.path());
  const auto save = [&](const fs::path& path, int64_t saves, bool weights_only) {
    CheckpointWriter file;
    file.put("x", at::ones({3}));
    file.manifest() = {{"saves", saves}, {"weights_only", weights_only}};
    file.write(path.string());
  };
  save(run.interruption(), 2, false);
  save(run.checkpoints() / "before.ckpt", 1, false);
  save(run.checkpoints() / "weights.ckpt", 4, true);
  run.remove_outdated_interruption();
  CHECK(fs::exists(run.interruption()));
  save(run.checkpoints() / "after.ckpt", 3, false);
  run.remove_outdated_interruption();
  CHECK_FALSE(fs::exists(run.interruption()));
}

TEST_CASE("best and last are sought in the newest run that has them") {
  const TempFolder root;
  RunFolder old = RunFolder::make(root.path()), newest = RunFolder::make(root.path());
  old.announce("best", checkpoint(old, "old.ckpt"), 1);
  const fs::path runs = RunName{}.folder_in(root.path());
  CHECK(find_checkpoint("best", std::nullopt, runs, ignore) == (old.checkpoints() / "old.ckpt").string());
  CHECK(find_checkpoint("last", std::nullopt, runs, ignore) == (old.checkpoints() / "old.ckpt").string());
  const std::string path = checkpoint(newest, "new.ckpt");
  CHECK(find_checkpoint("last", std::nullopt, runs, ignore) == path);
  CHECK(find_checkpoint("some/file.ckpt", std::nullopt, runs, ignore) == "some/file.ckpt");
  CHECK_FALSE(find_checkpoint("best", newest, runs, ignore));
  CHECK_FALSE(find_checkpoint("last", std::nullopt, root.path() / "nowhere", ignore));
}

TEST_CASE("runs with names of their own are sought by when they began, in the folder that log_name gives") {
  const TempFolder root;
  const nlohmann::json trainer = {{"log_name", "nets"}, {"log_version", "wide"}};
  const RunName name = run_name(make_run_plan(trainer));
  const fs::path runs = name.folder_in(root.path());
  const auto begin = [&](const RunName& run_name, const char* file) {
    RunFolder run = RunFolder::make(root.path(), run_name);
    run.save_config({});
    return std::make_pair(run, checkpoint(run, file));
  };
  const auto wide = begin(name, "a.ckpt");
  CHECK(wide.first.path() == root.path() / "nets" / "wide");
  fs::create_directory(root.path() / "nets" / "no run");
  CHECK(find_checkpoint("last", std::nullopt, runs, ignore) == wide.second);
  const auto numbered = begin({"nets", {}}, "c.ckpt");
  CHECK(numbered.first.id() == "version_0");
  CHECK(find_checkpoint("last", std::nullopt, runs, ignore) == numbered.second);
  const auto deep = begin({"nets", "deep"}, "b.ckpt");
  fs::last_write_time(wide.first.checkpoints(), fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(find_checkpoint("last", std::nullopt, runs, ignore) == deep.second);
  CHECK(RunName{"", {}}.folder_in(root.path()) == root.path());
}

TEST_CASE("runs of another model are skipped, runs of an unknown model are not") {
  const TempFolder root;
  RunFolder net = RunFolder::make(root.path()), tree = RunFolder::make(root.path());
  net.save_config({{"model", {{"component", "net"}}}});
  tree.save_config({{"model", {{"component", "tree"}}}});
  const std::string of_net = checkpoint(net, "a.ckpt"), of_tree = checkpoint(tree, "b.ckpt");
  net.announce("best", of_net, 1);
  tree.announce("best", of_tree, 1);
  const fs::path runs = RunName{}.folder_in(root.path());
  for (const char* which : {"best", "last"}) {
    CHECK(find_checkpoint(which, std::nullopt, runs, ignore) == of_tree);
    CHECK(find_checkpoint(which, std::nullopt, {runs, "tree"}, ignore) == of_tree);
    CHECK(find_checkpoint(which, std::nullopt, {runs, "net"}, ignore) == of_net);
    CHECK_FALSE(find_checkpoint(which, std::nullopt, {runs, "bush"}, ignore));
  }
  std::ofstream(tree.path() / "config.json") << "{";
  CHECK(find_checkpoint("last", std::nullopt, {runs, "net"}, ignore) == of_tree);
}

TEST_CASE("a configuration that is held is not in the file before it is kept") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  run.save_config({{"a", 1}});
  run.hold_config({{"a", 2}});
  CHECK(run.config() == nlohmann::json{{"a", 2}});
  run.save_config({{"a", 3}});
  const auto saved = [&run] { return RunFolder::open(run.path()).config().at("a"); };
  CHECK(saved() == 1);
  run.keep_config();
  CHECK(saved() == 3);
  run.save_config({{"a", 4}});
  run.keep_config();
  CHECK(saved() == 4);
}

TEST_CASE("a broken index counts as empty, is reported, and is rewritten") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  const std::string path = checkpoint(run, "a.ckpt");
  CHECK(run.index_problem().empty());
  for (const char* text : {"{", "[]", "{\"best\": 3}", "{\"best\": {\"path\": 3}}", "\xff"}) {
    std::ofstream(run.checkpoints() / "index.json") << text;
    INFO(text);
    CHECK_THAT(run.index_problem(), ContainsSubstring("index.json"));
    CHECK_FALSE(run.announced("best"));
    CHECK(run.list().size() == 1);
    std::vector<std::string> warnings;
    find_checkpoint("best", run, {}, [&](const std::string& line) { warnings.push_back(line); });
    CHECK(warnings.size() == 1);
  }
  run.announce("best", path, 1);
  CHECK(run.index_problem().empty());
  CHECK(*run.announced("best") == path);
}

TEST_CASE("what an index said that cannot be read any more is kept by the run that knows it, and else told of") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  const std::string best = checkpoint(run, "a.ckpt"), last = checkpoint(run, "b.ckpt");
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& line) { warnings.push_back(line); };
  run.on_warning(warn);
  run.announce("best", best, 1);
  std::ofstream(run.checkpoints() / "index.json") << "{";
  run.announce("last", last, 1);
  CHECK(warnings.empty());
  CHECK(run.announced("best") == best);
  CHECK(run.announced("last") == last);
  std::ofstream(run.checkpoints() / "index.json") << "{";
  RunFolder other = RunFolder::open(run.path());
  other.on_warning(warn);
  other.announce("last", last, 1);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], ContainsSubstring("index.json") && ContainsSubstring("it is rewritten"));
}

TEST_CASE("the last checkpoint of a run may lie deeper or elsewhere") {
  const TempFolder root;
  RunFolder run = RunFolder::make(root.path());
  CHECK_FALSE(run.had_checkpoints());
  const std::string first = checkpoint(run, "a.ckpt");
  CHECK(run.had_checkpoints());
  fs::create_directories(run.checkpoints() / "deep");
  const std::string deep = (run.checkpoints() / "deep" / "b.ckpt").string();
  const std::string elsewhere = (root.path() / "c.ckpt").string();
  fs::copy_file(first, deep);
  fs::last_write_time(deep, fs::last_write_time(first) + std::chrono::seconds(10));
  CHECK(find_checkpoint("last", run, {}, ignore) == deep);
  fs::copy_file(first, elsewhere);
  fs::last_write_time(elsewhere, fs::last_write_time(first) + std::chrono::seconds(20));
  run.announce("last", elsewhere, std::nan(""));
  CHECK(find_checkpoint("last", run, {}, ignore) == elsewhere);
  for (const std::string& path : {first, deep, elsewhere}) fs::remove(path);
  CHECK_FALSE(find_checkpoint("last", run, {}, ignore));
  CHECK(run.had_checkpoints());
}

TEST_CASE("a damaged checkpoint is skipped and reported") {
  const TempFolder root;
  const RunFolder run = RunFolder::make(root.path());
  const std::string good = checkpoint(run, "a.ckpt");
  const std::string bad = (run.checkpoints() / "b.ckpt").string();
  std::ofstream(bad) << read_file(good).substr(0, 200);
  fs::last_write_time(bad, fs::last_write_time(good) + std::chrono::seconds(10));
  std::vector<std::string> warnings;
  CHECK(find_checkpoint("last", run, {}, [&](const std::string& line) { warnings.push_back(line); }) == good);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], ContainsSubstring("b.ckpt"));
}

TEST_CASE("runs are in the order in which they began, by what they say, by their number, and last by the clock") {
  const TempFolder root;
  const auto make = [&](const char* name, const char* config) {
    fs::create_directories(root.path() / name / "checkpoints");
    std::ofstream(root.path() / name / "config.json") << config;
    static int hours = 100;
    fs::last_write_time(root.path() / name, fs::file_time_type::clock::now() - std::chrono::hours(hours--));
  };
  make("named", R"({"order": 7})");
  make("version_5", "{}");
  make("version_3", R"({"order": 8})");
  make("older_release", "{}");
  make("damaged", R"({"order": "many"})");
  make("version_6", "not JSON");
  std::vector<std::string> names;
  for (const fs::path& run : runs_newest_first(root.path())) names.push_back(run.filename().string());
  CHECK(names == std::vector<std::string>{"version_3", "named", "version_6", "version_5", "damaged", "older_release"});
  CHECK(next_run_order(root.path()) == 9);
  CHECK(next_run_order(root.path() / "none") == 0);
}

TEST_CASE("a run beside one that claims the last place there is comes after it, by its number") {
  const TempFolder root;
  const auto make = [&](const char* name, int64_t order) {
    fs::create_directories(root.path() / name / "checkpoints");
    std::ofstream(root.path() / name / "config.json") << "{\"order\": " << order << "}";
  };
  make("version_0", (int64_t{1} << 53) - 1);
  make("version_1", next_run_order(root.path()));
  make("version_2", next_run_order(root.path()));
  make("version_3", int64_t{1} << 53);  // larger than the order of any run
  std::vector<std::string> names;
  for (const fs::path& run : runs_newest_first(root.path())) names.push_back(run.filename().string());
  CHECK(names == std::vector<std::string>{"version_2", "version_1", "version_0", "version_3"});
}
