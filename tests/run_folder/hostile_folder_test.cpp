// Run folders that contain links, FIFOs and paths that lead elsewhere.
#include <sys/stat.h>

#include "core/checkpoint/checkpoint_file.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/started_folder.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
namespace fs = std::filesystem;

namespace {

void save(const fs::path& path) {
  CheckpointWriter file;
  file.manifest()["epoch"] = 0;
  file.write(path.string());
}

std::optional<std::string> last_of(const RunFolder& run) {
  return find_checkpoint("last", run, {}, [](const std::string&) {});
}

}  // namespace

TEST_CASE("what a log would be written through, or wait for, is refused by name") {
  const TempFolder temp;
  const fs::path run = temp.path() / "run", log = run / "log.txt";
  CHECK_NOTHROW(refuse_leftover_files(run));
  fs::create_directories(run / "checkpoints");
  fs::create_directory_symlink(temp.path(), run / "plots");
  write_file_durable(run / "metrics.csv", "a\n");
  CHECK_NOTHROW(refuse_leftover_files(run));
  for (const char* target : {"/etc/passwd", "nowhere", "log.txt"}) {
    fs::create_symlink(target, log);
    CHECK_THROWS_WITH(refuse_leftover_files(run),
                      ContainsSubstring("log.txt is a link to '" + std::string(target) + "'"));
    fs::remove(log);
  }
  REQUIRE(mkfifo(log.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(refuse_leftover_files(run), ContainsSubstring("log.txt is a FIFO"));
}

TEST_CASE("links to nowhere and to themselves do not keep a run from its checkpoints") {
  const TempFolder temp;
  RunFolder run = RunFolder::make(temp.path());
  const fs::path folder = run.checkpoints();
  save(folder / "good.ckpt");
  fs::create_symlink("loop.ckpt", folder / "loop.ckpt");
  fs::create_symlink("nowhere", folder / "dangling.ckpt");
  fs::create_directory_symlink(".", folder / "here");
  CHECK(last_of(run) == (folder / "good.ckpt").string());
  for (const char* index : {R"({"last": {"path": "checkpoints/loop.ckpt"}, "best": {"path": "checkpoints/loop.ckpt"}})",
                            R"({"last": {"path": "checkpoints/dangling.ckpt"}})"}) {
    write_file_durable(folder / "index.json", index);
    CHECK(last_of(run) == (folder / "good.ckpt").string());
    CHECK_FALSE(run.announced("best"));
  }
  fs::remove(folder / "index.json");
  fs::create_symlink("index.json", folder / "index.json");
  CHECK(run.had_checkpoints());
  CHECK(last_of(run) == (folder / "good.ckpt").string());
}

TEST_CASE("an index that leads out of the run's folder counts for nothing, and is told of") {
  const TempFolder temp;
  RunFolder run = RunFolder::make(temp.path() / "runs");
  save(temp.path() / "other.ckpt");
  for (const char* path : {"../../../other.ckpt", "checkpoints/../../../../other.ckpt", ""}) {
    write_file_durable(run.checkpoints() / "index.json", R"({"best": {"path": ")" + std::string(path) + "\"}}");
    CHECK_FALSE(run.announced("best"));
    CHECK_THAT(run.index_problem(), ContainsSubstring("index.json"));
  }
  run.announce("best", (temp.path() / "other.ckpt").string(), 1);  // a folder of checkpoints may be anywhere
  CHECK(run.announced("best") == (temp.path() / "other.ckpt").string());
}
