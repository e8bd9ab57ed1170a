#include "core/run_folder/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

namespace {

// Returns the exit code of another process that locks the folder; 0 = it succeeded.
int refused_elsewhere(const std::filesystem::path& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      const RunLock lock(folder);
    } catch (const Error& e) {
      ::_exit(e.exit_code());
    }
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a folder is one process's at a time, until that ends") {
  const TempFolder folder;
  std::optional<RunLock> lock(std::in_place, folder.path());
  CHECK(refused_elsewhere(folder.path()) == static_cast<int>(ErrorKind::usage));
  CHECK_NOTHROW(RunLock(folder.path()));  // by this process
  lock.reset();
  CHECK(refused_elsewhere(folder.path()) == 0);
  CHECK_NOTHROW(RunLock(folder.path()));  // the file with the id of the ended process is still there
}

TEST_CASE("who holds a folder is said, and what to do") {
  const TempFolder folder;
  std::ofstream(folder.path() / ".lock") << "4711\n";
  const int fd = ::open((folder.path() / ".lock").c_str(), O_RDWR);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  CHECK_THROWS_WITH(RunLock(folder.path()), ContainsSubstring(folder.path().string()) &&
                                                ContainsSubstring("(process 4711)") &&
                                                ContainsSubstring("--trainer.log_version"));
  // On another machine a process may have the same id as this one.
  std::ofstream(folder.path() / ".lock") << ::getpid() << "\n";
  CHECK_THROWS_WITH(RunLock(folder.path()), ContainsSubstring("another run uses this folder"));
  ::close(fd);
  CHECK_THROWS_WITH(RunLock(folder.path() / "none"), ContainsSubstring("--trainer.default_root_dir"));
}

TEST_CASE("the end of the run that is in a folder is waited for, as long as is said") {
  const TempFolder folder;
  const auto held = [&folder] {
    std::ofstream(folder.path() / ".lock") << "4711\n";
    const int fd = ::open((folder.path() / ".lock").c_str(), O_RDWR);
    REQUIRE(::flock(fd, LOCK_EX) == 0);
    return fd;
  };
  int fd = held(), calls = 0;
  LockPatience patience;
  patience.time = std::chrono::hours(1);
  patience.waits = [&](const std::string&) {
    if (++calls == 2) ::close(fd);
  };
  CHECK_NOTHROW(RunLock(folder.path(), patience));
  CHECK(calls >= 2);
  fd = held();
  patience.time = std::chrono::milliseconds(1);
  patience.waits = [](const std::string&) {};
  CHECK_THROWS_WITH(RunLock(folder.path(), patience), ContainsSubstring("another run uses this folder"));
  ::close(fd);
}
