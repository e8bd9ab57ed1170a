// The files and folders that are synced: this program's fsync records their paths.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <set>
#include <vector>

#include "catch.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/run_folder/synced_files.hpp"
#include "temp_folder.hpp"

namespace fs = std::filesystem;
using namespace levin::core;

namespace {

std::set<std::string>& synced() {
  static std::set<std::string> all;
  return all;
}
void nobody(const std::string&) {}
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
  const TempFolder root;
  for (const RunName& name : {RunName{}, RunName{"levin_logs", "wide"}, RunName{"deep/er", {}}}) {
    synced().clear();
    const RunFolder run = RunFolder::make(root.path() / "made", name);
    CHECK(fs::is_directory(run.checkpoints()));
    for (fs::path folder = run.path(); folder != root.path() / "made"; folder = folder.parent_path()) {
      if (name.version && folder != run.path()) break;  // existed before
      INFO(folder);
      CHECK(synced().count(folder.string()) == 1);
      CHECK(synced().count(folder.parent_path().string()) == 1);
    }
  }
}

TEST_CASE("what is written beside checkpoints is synced when a checkpoint is about to count on it") {
  const TempFolder root;
  const fs::path media = root.path() / "media";
  fs::create_directories(media);
  fs::create_directories(root.path() / "checkpoints");
  const std::string log = (root.path() / "log.txt").string(), picture = (media / "one.png").string();
  const std::string outside = (root.path() / "checkpoints" / "a.ckpt").string();
  for (const std::string& file : {log, picture, outside}) std::ofstream(file) << "a line\n";
  fs::create_symlink("/etc/hostname", root.path() / "link");
  synced().clear();
  SyncedFiles files(root.path());
  files.sync(nobody);
  CHECK(synced() == std::set<std::string>{log, picture, root.path().string(), media.string()});

  // Only files that changed since, once their modification time shows a change.
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const std::string& file : {log, picture}) fs::last_write_time(file, old);
  files.sync(nobody);
  synced().clear();
  files.sync(nobody);
  CHECK(synced().empty());
  std::ofstream(log, std::ios::app) << "more\n";
  files.sync(nobody);
  CHECK(synced() == std::set<std::string>{log});
}

TEST_CASE("a disk that fails is told once for each file, and a file system that cannot sync is none") {
  const TempFolder root;
  const std::string rows = (root.path() / "rows.csv").string();
  std::ofstream(rows) << "a line\n";
  std::vector<std::string> told;
  const auto tell = [&told](const std::string& line) { told.push_back(line); };
  SyncedFiles files(root.path());
  fails_with() = EINVAL;
  files.sync(tell);
  CHECK(told.empty());
  fails_with() = EIO;
  files.sync(tell);
  files.sync(tell);
  REQUIRE_FALSE(told.empty());
  CHECK_THAT(told[0], ContainsSubstring("cannot sync " + rows + " to the disk: Input/output error"));
  CHECK(std::set<std::string>(told.begin(), told.end()).size() == told.size());
  fails_with() = 0;
  synced().clear();
  const size_t before = told.size();
  files.sync(tell);
  CHECK(synced().count(rows) == 1);
  SyncedFiles(root.path() / "not there").sync(tell);
  CHECK(told.size() == before);
}
