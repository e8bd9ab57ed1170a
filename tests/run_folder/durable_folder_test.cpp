// Which files and folders are synced: this program's fsync writes down their paths.
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>

#include "catch.hpp"
#include "core/base/console/console.hpp"
#include "core/run_folder/run_folder.hpp"
#include "tests/trainer/temp_dir.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

std::set<std::string>& synced() {
  static std::set<std::string> all;
  return all;
}

}  // namespace

extern "C" int fsync(int fd) {
  std::error_code gone;
  synced().insert(fs::read_symlink("/proc/self/fd/" + std::to_string(fd), gone).string());
  return static_cast<int>(syscall(SYS_fsync, fd));
}

TEST_CASE("each folder of a run is in its parent for good, before anything is saved there") {
  const TempDir root;
  for (const RunName& name : {RunName{}, RunName{"levin_logs", "wide"}, RunName{"deep/er", {}}}) {
    synced().clear();
    const RunFolder run = RunFolder::make(root.path() / "made", name);
    CHECK(fs::is_directory(run.checkpoints()));
    for (fs::path folder = run.path(); folder != root.path() / "made"; folder = folder.parent_path()) {
      if (name.version && folder != run.path()) break;  // it was there
      INFO(folder);
      CHECK(synced().count(folder.string()) == 1);
      CHECK(synced().count(folder.parent_path().string()) == 1);
    }
  }
}

TEST_CASE("log.txt is synced when a checkpoint is about to count on it") {
  const TempDir root;
  Console console([](int32_t, const std::string&) {});
  console.sync();
  synced().clear();
  const std::string path = (root.path() / "log.txt").string();
  console.log_to(path);
  console.info("a line");
  console.sync();
  CHECK(synced().count(path) == 1);
  CHECK(synced().count(root.path().string()) == 1);
}
