// Which files and folders are synced: this program's fsync writes down their paths.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "catch.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/synced_files.hpp"
#include "tests/trainer/temp_dir.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

std::set<std::string>& synced() {
  static std::set<std::string> all;
  return all;
}
int& fails_with() {
  static int error = 0;
  return error;
}

}  // namespace

extern "C" int fsync(int fd) {
  std::error_code gone;
  synced().insert(fs::read_symlink("/proc/self/fd/" + std::to_string(fd), gone).string());
  if (fails_with() != 0) return errno = fails_with(), -1;
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

TEST_CASE("what is written beside checkpoints is synced when a checkpoint is about to count on it") {
  const TempDir root;
  const fs::path media = root.path() / "media";
  fs::create_directories(media);
  fs::create_directories(root.path() / "checkpoints");
  const std::string log = (root.path() / "log.txt").string(), picture = (media / "one.png").string();
  const std::string outside = (root.path() / "checkpoints" / "a.ckpt").string();
  for (const std::string& file : {log, picture, outside}) std::ofstream(file) << "a line\n";
  fs::create_symlink("/etc/hostname", root.path() / "link");
  synced().clear();
  SyncedFiles files(root.path());
  files.sync();
  CHECK(synced() == std::set<std::string>{log, picture, root.path().string(), media.string()});

  // Only what has changed since, once its time tells a change.
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const std::string& file : {log, picture}) fs::last_write_time(file, old);
  files.sync();
  synced().clear();
  files.sync();
  CHECK(synced().empty());
  std::ofstream(log, std::ios::app) << "more\n";
  files.sync();
  CHECK(synced() == std::set<std::string>{log});
}

TEST_CASE("a disk that fails is told with the file, and a file system that cannot sync is none") {
  const TempDir root;
  std::ofstream(root.path() / "rows.csv") << "a line\n";
  SyncedFiles files(root.path());
  fails_with() = EINVAL;
  files.sync();
  fails_with() = EIO;
  CHECK_THROWS_WITH(files.sync(),
                    ContainsSubstring((root.path() / "rows.csv").string()) && ContainsSubstring("Input/output error"));
  fails_with() = 0;
  SyncedFiles(root.path() / "not there").sync();
}
