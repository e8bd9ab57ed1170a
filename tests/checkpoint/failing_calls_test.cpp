// Each system call of a write fails in turn: every failure must be an error and leave the old file intact.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

namespace {

int calls = 0;    // number of calls since the last reset
int failing = 0;  // number of the call that fails; 0 = none
int with_error = EIO;
bool fails() { return ++calls == failing; }

}  // namespace

#pragma GCC visibility push(default)  // also intercepts calls from libraries
extern "C" {
int fsync(int fd) {
  if (!fails()) return static_cast<int>(::syscall(SYS_fsync, fd));
  errno = with_error;
  return -1;
}
int posix_fallocate(int fd, off_t offset, off_t size) {
  if (fails()) return with_error;
  return ::syscall(SYS_fallocate, fd, 0, offset, size) == 0 ? 0 : errno;
}
ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  if (fails()) {
    errno = with_error;
    return -1;
  }
  return ::syscall(SYS_pwrite64, fd, data, bytes > 7 ? bytes - 7 : bytes, offset);  // always a short write
}
int rename(const char* from, const char* to) noexcept {
  if (!fails()) return static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
  errno = with_error;
  return -1;
}
}
#pragma GCC visibility pop

using namespace levin::core;

namespace {

// Returns false if the write reported a failure.
bool writes(const std::string& path, int fail_at) {
  calls = 0;
  failing = fail_at;
  bool wrote = true;
  try {
    write_safetensors(path, sample_content());
  } catch (const Error& e) {
    wrote = false;
    CHECK(e.kind() == ErrorKind::run);
    CHECK_THAT(e.what(), ContainsSubstring(path));
    if (with_error == ENOSPC) CHECK_THAT(e.what(), ContainsSubstring("make room"));
  }
  failing = 0;
  return wrote;
}

}  // namespace

TEST_CASE("whichever call fails, the old checkpoint or the new one is there whole, and nothing else") {
  with_error = GENERATE(EIO, ENOSPC, EDQUOT);
  const TempFolder temp;
  const std::string path = temp / "a.ckpt";
  write_safetensors(path, {});
  const std::string old_bytes = bytes_of(path);
  REQUIRE(writes(temp / "new.ckpt", 0));
  const std::string new_bytes = bytes_of(temp / "new.ckpt");
  const int all_calls = calls;
  REQUIRE(all_calls > 10);  // reserve, writes, sync, rename, sync of the folder
  std::filesystem::remove(temp / "new.ckpt");

  for (int call = 1; call <= all_calls; ++call) {
    CAPTURE(call);
    CHECK_FALSE(writes(path, call));
    CHECK(temp.entries() == 1);
    const bool renamed = call == all_calls;  // only the sync of the folder remains
    CHECK(bytes_of(path) == (renamed ? new_bytes : old_bytes));
  }
}

TEST_CASE("a full disk has one kind of error, whatever was to be written") {
  const TempFolder temp;
  const std::pair<int, ErrorKind> rows[] = {
      {ENOSPC, ErrorKind::run}, {EDQUOT, ErrorKind::run}, {EIO, ErrorKind::plugin}};
  for (const auto& [error, kind] : rows) {
    with_error = error;
    calls = 0;
    failing = 1;
    try {
      write_file_durable(temp / "libx.so", "text", ErrorCode::plugin_not_installed);
      FAIL("it was written");
    } catch (const Error& e) {
      CHECK(e.kind() == kind);
    }
  }
  failing = 0;
}

TEST_CASE("an interrupted call is made again") {
  with_error = EINTR;
  const TempFolder temp;
  REQUIRE(writes(temp / "a", 0));
  for (int call = 1; call <= 3; ++call) CHECK(writes(temp / "a", call));
  CHECK_NOTHROW(SafetensorsReader(temp / "a").verify());
}
