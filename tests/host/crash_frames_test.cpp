#include "host/engine/crash/crash.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "catch.hpp"
#include "core/base/file.hpp"

using namespace levin::core;

namespace {

int hidden_function(const std::vector<int>& values) { return static_cast<int>(values.size()); }

// An address in the function, as a return address would be.
void* inside_of_function() { return reinterpret_cast<char*>(&hidden_function) + 2; }

std::string written(const std::vector<void*>& frames) {
  const std::string file = (std::filesystem::temp_directory_path() / "crash_frames_test.txt").string();
  const int err = dup(STDERR_FILENO), to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(to, STDERR_FILENO);
  write_frames(frames.data(), static_cast<int>(frames.size()));
  dup2(err, STDERR_FILENO);
  close(err);
  close(to);
  return read_file(file);
}

}  // namespace

TEST_CASE("frames of a crash have the function, its source line and the place in the file") {
  prepare_frames();
  const std::string text = written({inside_of_function(), reinterpret_cast<void*>(&::getpid)});
  CHECK_THAT(text, ContainsSubstring("  #0 (anonymous namespace)::hidden_function(std::vector<int") &&
                       ContainsSubstring("crash_frames_test.cpp:16, ") && ContainsSubstring("test_crash_frames+0x"));
  CHECK_THAT(text, ContainsSubstring("\n  #1 ") && ContainsSubstring("libc.so.6+0x"));
}

TEST_CASE("frames of a recursive call are counted, and addresses outside of any file are left out") {
  prepare_frames();
  void* const in_function = inside_of_function();
  const std::string text = written({nullptr, in_function, in_function, in_function, nullptr});
  CHECK_THAT(text, ContainsSubstring("  #0 ") && ContainsSubstring("\n     and 2 more of the same\n"));
  CHECK_THAT(text, !ContainsSubstring("#1"));
  CHECK(written({}).empty());
}
