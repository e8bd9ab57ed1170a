#include "core/checkpoint/container/checkpoint_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "catch.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

namespace {

void set_age(const std::string& path, int seconds) {
  const timespec times[2] = {{2'000'000'000 - seconds, 0}, {2'000'000'000 - seconds, 0}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

}  // namespace

TEST_CASE("the temporary files of the dead are removed, those of the living stay") {
  const TempFolder temp;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    AtomicFile file(temp / "dead", 10);
    (void)!::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  AtomicFile living(temp / "living", 10);
  CHECK(remove_stale_temporaries(temp.path).empty());  // both live
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  spill(temp / ".tmp.other", "not ours");
  CHECK(temp.entries() == 3);
  CHECK(remove_stale_temporaries(temp.path).size() == 1);
  CHECK(remove_stale_temporaries(temp.path).empty());
  living.commit(false);
  CHECK(std::filesystem::exists(temp / "living"));
  CHECK(temp.entries() == 2);
}

TEST_CASE("links and folders with the name of a temporary file are left alone") {
  const TempFolder temp;
  std::filesystem::create_directory(temp / ".tmp.levin-folder");
  spill(temp / "precious", "x");
  std::filesystem::create_symlink("precious", temp / ".tmp.levin-link");
  CHECK(remove_stale_temporaries(temp.path).empty());
  CHECK(temp.entries() == 3);
}

TEST_CASE("the newest checkpoint that is whole is found, and the damaged ones before it are named") {
  const TempFolder temp;
  CHECK_FALSE(newest_valid(temp / "none"));
  CHECK_FALSE(newest_valid(temp.path));
  for (const char* name : {"a.ckpt", "b.ckpt", "c.ckpt", "d.other"}) write_safetensors(temp / name, sample_content());
  std::filesystem::create_directory(temp / "folder.ckpt");
  REQUIRE(::mkfifo((temp / "fifo.ckpt").c_str(), 0600) == 0);
  set_age(temp / "a.ckpt", 30);
  set_age(temp / "b.ckpt", 20);
  set_age(temp / "c.ckpt", 10);
  CHECK(newest_valid(temp.path) == temp / "c.ckpt");

  std::string bytes = slurp(temp / "c.ckpt");
  bytes[bytes.size() - 2] ^= 1;
  spill(temp / "c.ckpt", bytes);
  set_age(temp / "c.ckpt", 10);
  spill(temp / "b.ckpt", bytes.substr(0, 100));
  set_age(temp / "b.ckpt", 20);
  std::vector<DamagedCheckpoint> damaged;
  CHECK(newest_valid(temp.path, &damaged) == temp / "a.ckpt");
  REQUIRE(damaged.size() == 2);
  CHECK(damaged[0].path == temp / "c.ckpt");
  CHECK_THAT(damaged[0].reason, ContainsSubstring("'optimizer.lr'"));
  CHECK(damaged[1].path == temp / "b.ckpt");
}

TEST_CASE("of checkpoints of the same moment the last by name is the newest") {
  const TempFolder temp;
  for (const char* name : {"a.ckpt", "b.ckpt"}) {
    write_safetensors(temp / name, {});
    set_age(temp / name, 5);
  }
  CHECK(newest_valid(temp.path) == temp / "b.ckpt");
}
