#include "core/checkpoint/container/atomic_file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

TEST_CASE("before the commit there is no file, after it there is only the file") {
  const TempFolder temp;
  AtomicFile file(temp / "a", 5);
  file.write_at(1, "bc", 2);
  file.write_at(0, "a", 1);
  CHECK_FALSE(std::filesystem::exists(temp / "a"));
  file.commit();
  CHECK(bytes_of(temp / "a") == std::string("abc\0\0", 5));
  CHECK(temp.entries() == 1);
}

TEST_CASE("a file that is not committed leaves nothing and changes nothing") {
  const TempFolder temp;
  spill(temp / "a", "old");
  { AtomicFile(temp / "a", 100).write_at(0, "new", 3); }
  CHECK(bytes_of(temp / "a") == "old");
  CHECK(temp.entries() == 1);
}

TEST_CASE("an existing file is replaced") {
  const TempFolder temp;
  spill(temp / "a", "old");
  AtomicFile file(temp / "a", 3);
  file.write_at(0, "new", 3);
  file.commit();
  CHECK(bytes_of(temp / "a") == "new");
  CHECK(temp.entries() == 1);
}

TEST_CASE("a link is replaced and not followed") {
  const TempFolder temp;
  spill(temp / "target", "old");
  std::filesystem::create_symlink("target", temp / "link");
  AtomicFile file(temp / "link", 3);
  file.write_at(0, "new", 3);
  file.commit();
  CHECK(bytes_of(temp / "target") == "old");
  CHECK_FALSE(std::filesystem::is_symlink(temp / "link"));
}

TEST_CASE("a folder that is missing or no folder is named") {
  const TempFolder temp;
  spill(temp / "file", "");
  CHECK_THROWS_WITH(AtomicFile(temp / "none/a", 1),
                    ContainsSubstring("No such file") && ContainsSubstring(temp / "none"));
  CHECK_THROWS_WITH(AtomicFile(temp / "file/a", 1), ContainsSubstring("Not a directory"));
  AtomicFile file(temp.path(), 1);
  CHECK_THROWS_AS(file.commit(), Error);
}

TEST_CASE("folders are made with their parents, and only where nothing else is") {
  const TempFolder temp;
  make_folders(temp / "a/b/c");
  make_folders(temp / "a/b/c");
  make_folders(temp / "a/b/d/");
  CHECK(std::filesystem::is_directory(temp / "a/b/c"));
  CHECK(std::filesystem::is_directory(temp / "a/b/d"));
  spill(temp / "file", "");
  CHECK_THROWS_WITH(make_folders(temp / "file"), ContainsSubstring("something else has the name"));
  CHECK_THROWS_WITH(make_folders(temp / "file/x"), ContainsSubstring("cannot make this folder"));
}

TEST_CASE("a file longer than the process may write is refused before a byte is written") {
  const TempFolder temp;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      AtomicFile file(temp / "a", 2000);
    } catch (const Error& e) {
      ::_exit(std::string(e.what()).find("cannot reserve 2000 bytes: File too large") != std::string::npos ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(temp.entries() == 0);
}
