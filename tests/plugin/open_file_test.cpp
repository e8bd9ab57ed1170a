#include "core/plugin/checks/open_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "catch.hpp"
#include "tests/plugin/fixture.hpp"

namespace open_file_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {
std::string refused(const fs::path& path, bool trust = false) {
  return refusal([&] { OpenFile(path, trust); });
}
}  // namespace

TEST_CASE("a file of the user's own opens, by its resolved path") {
  const TempFolder scratch;
  const fs::path file = copy_plugin("good", scratch / "libgood.so");
  fs::create_symlink("libgood.so", scratch / "link.so");
  const OpenFile open(scratch / "link.so", false);
  CHECK(open.path() == fs::canonical(file));
  CHECK(open.identity().size == fs::file_size(file));
  CHECK(open.still_there());
  fs::rename(copy_plugin("good", scratch / "new.so"), file);
  CHECK_FALSE(open.still_there());
}

TEST_CASE("what is no regular file is refused, each with its own words, and nothing waits") {
  const TempFolder scratch;
  REQUIRE(mkfifo((scratch / "fifo.so").c_str(), 0600) == 0);
  fs::create_directory(scratch / "folder.so");
  fs::create_symlink("loop.so", scratch / "loop.so");
  fs::create_symlink("nowhere", scratch / "dangling.so");
  CHECK_THAT(refused(scratch / "fifo.so"), ContainsSubstring("a FIFO, not a plugin file (P1)"));
  CHECK_THAT(refused(scratch / "folder.so"), ContainsSubstring("a folder, not a plugin file (P1)"));
  CHECK_THAT(refused("/dev/null"), ContainsSubstring("a device, not a plugin file (P1)"));
  CHECK_THAT(refused(scratch / "loop.so"), ContainsSubstring("a symbolic link that leads to itself (P1)"));
  CHECK_THAT(refused(scratch / "dangling.so"), ContainsSubstring("No such file"));
  CHECK_THAT(refused(scratch / "absent.so"), ContainsSubstring("No such file"));
}

TEST_CASE("a file that others may write is refused unless trusted") {
  const TempFolder scratch;
  const fs::path file = copy_plugin("good", scratch / "libgood.so");
  REQUIRE(chmod(file.c_str(), 0666) == 0);
  CHECK_THAT(refused(file), ContainsSubstring("anyone may write it") && ContainsSubstring("--trust"));
  CHECK(refused(file, true).empty());
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  REQUIRE(chmod(scratch.path().c_str(), 0777) == 0);
  CHECK_THAT(refused(file),
             ContainsSubstring("anyone may put another file in its place, in " + scratch.path().string()));
  CHECK(refused(file, true).empty());
  REQUIRE(chmod(scratch.path().c_str(), 0700) == 0);
  CHECK(refused(file).empty());
}

TEST_CASE("a file that another user could swap, from any folder above it, is refused unless trusted") {
  if (geteuid() != 0) return;  // only root can create one
  const TempFolder scratch;
  fs::create_directories(scratch / "home/plugins");
  const fs::path file = copy_plugin("good", scratch / "home/plugins/libgood.so");
  CHECK(refused(file).empty());
  for (const char* folder : {"home/plugins", "home"}) {
    REQUIRE(chown((scratch / folder).c_str(), 12345, 0) == 0);
    CHECK_THAT(refused(file),
               ContainsSubstring("user 12345 may put another file in its place, in " + (scratch / folder).string()));
    fs::create_symlink(file, scratch / (fs::path(folder).filename().string() + ".so"));
    CHECK_FALSE(refused(scratch / (fs::path(folder).filename().string() + ".so")).empty());
    CHECK(refused(file, true).empty());
    REQUIRE(chown((scratch / folder).c_str(), 0, 0) == 0);
  }
}

TEST_CASE("a file of another user or group is refused unless trusted") {
  if (geteuid() != 0) return;  // only root can create one
  const TempFolder scratch;
  const fs::path file = copy_plugin("good", scratch / "libgood.so");
  REQUIRE(chown(file.c_str(), 0, 1) == 0);
  REQUIRE(chmod(file.c_str(), 0660) == 0);
  CHECK_THAT(refused(file), ContainsSubstring("its group may write it"));
  REQUIRE(chown(file.c_str(), 12345, 0) == 0);
  CHECK_THAT(refused(file), ContainsSubstring("belongs to user 12345, and this is run by root"));
  CHECK(refused(file, true).empty());
}

TEST_CASE("a file that cannot be read is refused, trusted or not") {
  if (geteuid() == 0) return;  // root can read everything
  const TempFolder scratch;
  const fs::path file = copy_plugin("good", scratch / "libgood.so");
  REQUIRE(chmod(file.c_str(), 0) == 0);
  CHECK_THAT(refused(file, true), ContainsSubstring("cannot be opened: Permission denied (P1)"));
}

}  // namespace open_file_test
