#include "core/checkpoint/container/checkpoint_folder.hpp"

#include <sys/wait.h>

#include <csignal>

#include "catch.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

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
  CHECK(remove_stale_temporaries(temp.path()).empty());  // both owners are alive
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  spill(temp / ".tmp.other", "not ours");
  CHECK(temp.entries() == 3);
  CHECK(remove_stale_temporaries(temp.path()).size() == 1);
  CHECK(remove_stale_temporaries(temp.path()).empty());
  living.commit();
  CHECK(std::filesystem::exists(temp / "living"));
  CHECK(temp.entries() == 2);
}

TEST_CASE("links and folders with the name of a temporary file are left alone") {
  const TempFolder temp;
  std::filesystem::create_directory(temp / ".tmp.levin-folder");
  spill(temp / "precious", "x");
  std::filesystem::create_symlink("precious", temp / ".tmp.levin-link");
  CHECK(remove_stale_temporaries(temp.path()).empty());
  CHECK(temp.entries() == 3);
}

TEST_CASE("the first checkpoint that is whole is found, and the damaged ones before it are named") {
  const TempFolder temp;
  const std::vector<std::string> paths = {temp / "c.ckpt", temp / "b.ckpt", temp / "a.ckpt"};
  std::vector<DamagedCheckpoint> damaged;
  CHECK_FALSE(first_valid({}, &damaged));
  for (const std::string& path : paths) write_safetensors(path, sample_content());
  CHECK(first_valid(paths, &damaged) == temp / "c.ckpt");
  CHECK(damaged.empty());

  std::string bytes = bytes_of(temp / "c.ckpt");
  bytes[bytes.size() - 2] ^= 1;
  spill(temp / "c.ckpt", bytes);
  spill(temp / "b.ckpt", bytes.substr(0, 100));
  VerifiedFile verified;
  CHECK(first_valid(paths, &damaged, &verified) == temp / "a.ckpt");
  std::filesystem::remove(temp / "a.ckpt");
  CHECK_NOTHROW(verified->verify());  // the opened file stays readable
  REQUIRE(damaged.size() == 2);
  CHECK(damaged[0].path == temp / "c.ckpt");
  CHECK_THAT(damaged[0].reason, ContainsSubstring("'optimizer.lr'"));
  CHECK(damaged[1].path == temp / "b.ckpt");
}
