#include "core/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "catch.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
namespace fs = std::filesystem;

TEST_CASE("a file is written whole, over the old one, and nothing is left beside it") {
  const TempFolder temp;
  const auto file = temp.path() / "new" / "folder" / "a.json";
  write_file_durable(file, "first");
  write_file_durable(file, std::string(100000, 'x'));
  CHECK(read_file(file) == std::string(100000, 'x'));
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("what cannot be read is named") {
  const TempFolder temp;
  CHECK_THROWS_WITH(read_file(temp.path() / "no"), ContainsSubstring("No such file"));
  CHECK_THROWS_WITH(read_file(temp.path()), ContainsSubstring("not a regular file"));
  const auto fifo = temp.path() / "fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_file(fifo), ContainsSubstring("not a regular file"));
}

TEST_CASE("a pipe that was handed over is read to its end") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "text", 4) == 4);
  close(ends[1]);
  CHECK(read_file_or_pipe("/dev/fd/" + std::to_string(ends[0]), 100) == "text");
  close(ends[0]);
}

TEST_CASE("of a file or pipe without end only the beginning is read") {
  const TempFolder temp;
  temp.write("a.txt", "0123456789");
  CHECK(read_file_or_pipe(temp.path() / "a.txt", 4) == "0123");
  const int zeros = open("/dev/zero", O_RDONLY);
  REQUIRE(zeros >= 0);
  CHECK(read_file_or_pipe("/dev/fd/" + std::to_string(zeros), 10000).size() == 10000);
  close(zeros);
}

TEST_CASE("a file that a user names is no device, no pipe and no file that is there, and links are followed") {
  const TempFolder temp;
  const std::string folder = temp.path().string();
  temp.write("there.txt", "x");
  fs::create_symlink("there.txt", temp.path() / "link");
  fs::create_symlink("new.txt", temp.path() / "dangling");
  fs::create_symlink("loop", temp.path() / "loop");
  REQUIRE(mkfifo((folder + "/fifo").c_str(), 0600) == 0);
  CHECK(output_file(folder + "/new.txt", false, "--output") == folder + "/new.txt");
  CHECK(output_file(folder + "/dangling", false, "--output") == folder + "/new.txt");
  CHECK(output_file(folder + "/link", true, "--output") == folder + "/there.txt");
  for (const char* name : {"/there.txt", "/link"})
    CHECK_THROWS_WITH(output_file(folder + name, false, "--output"),
                      ContainsSubstring("--output: '" + folder + "/there.txt' already exists; --force"));
  for (const bool force : {false, true}) {
    CHECK_THROWS_WITH(output_file(folder, force, "--output"), ContainsSubstring("is a folder"));
    for (const std::string& name : {std::string("/dev/full"), folder + "/fifo", folder + "/loop"})
      CHECK_THROWS_WITH(output_file(name, force, "--output"), ContainsSubstring("is a device, a pipe or a loop"));
  }
}

TEST_CASE("a write that fails says what to do where that is known") {
  CHECK_THAT(advice_on_write(ENOSPC), ContainsSubstring("make room") && ContainsSubstring("default_root_dir"));
  CHECK_THAT(advice_on_write(EROFS), ContainsSubstring("write permission"));
  CHECK(advice_on_write(EIO).empty());
}

TEST_CASE("a file that cannot be written is refused and leaves nothing") {
  const TempFolder temp;
  std::ofstream(temp.path() / "file") << "x";
  CHECK_THROWS_AS(write_file_durable(temp.path() / "file" / "below", "x"), Error);
  fs::create_directory(temp.path() / "folder");
  CHECK_THROWS_AS(write_file_durable(temp.path() / "folder", "x"), Error);
  CHECK(std::distance(fs::directory_iterator(temp.path()), fs::directory_iterator()) == 2);
}

TEST_CASE("paths become absolute") {
  CHECK(absolute_path("x/../y") == fs::current_path() / "y");
  CHECK(absolute_path("/a/b") == "/a/b");
  CHECK(absolute_path("/a/b/") == "/a/b");
  CHECK(absolute_path("/") == "/");
  CHECK(absolute_path(".") == fs::current_path());
  CHECK(absolute_path("~/data") == fs::path(getenv("HOME")) / "data");
  CHECK(fs::exists(exe_path()));
}
