#include <sys/stat.h>
#include <sys/wait.h>

#include "catch.hpp"
#include "core/plugin/child.hpp"
#include "core/plugin/plugin_index.hpp"
#include "tests/plugin/fixture.hpp"

namespace embed_test {
using namespace levin::core;

namespace {
ChildResult embed(const std::filesystem::path& file, const std::string& objcopy = LEVIN_TEST_OBJCOPY) {
  return run_child({LEVIN_TEST_DESCRIBER, "embed-description", file.string(), objcopy}, std::chrono::seconds(60));
}
}  // namespace

TEST_CASE("a description that is embedded serves without running the plugin") {
  const TempFolder scratch;
  const auto file = copy_plugin("good", scratch / "libgood.so");
  REQUIRE(embed(file).exit_code == 0);
  PluginIndex index({scratch.path()}, false, Probe{"/no/program/is/run", {}});
  const auto found = index.find("thing", LEVIN_KIND_CALLBACK);
  CHECK(found.file->path == std::filesystem::canonical(file));
  CHECK(found.component->options.at(0).name == "count");
}

TEST_CASE("embedding again changes nothing, and the mode of the file stays") {
  const TempFolder scratch;
  const auto file = copy_plugin("good", scratch / "libgood.so");
  REQUIRE(chmod(file.c_str(), 0750) == 0);
  REQUIRE(embed(file).exit_code == 0);
  const auto written = std::filesystem::last_write_time(file);
  const std::string bytes = bytes_of(file);
  REQUIRE(embed(file).exit_code == 0);
  CHECK(bytes_of(file) == bytes);
  CHECK(std::filesystem::last_write_time(file) == written);
  struct stat st {};
  REQUIRE(stat(file.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0750);
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
}

TEST_CASE("a description that is out of date is replaced") {
  const TempFolder scratch;
  const auto file = copy_plugin("good", scratch / "libgood.so");
  write_bytes(scratch / "old.json", "{}");
  const auto old = ".levin.description=" + (scratch / "old.json").string();
  REQUIRE(run_child({LEVIN_TEST_OBJCOPY, "--add-section", old, file.string()}, std::chrono::seconds(60)).exit_code ==
          0);
  REQUIRE(embed(file).exit_code == 0);
  PluginIndex index({scratch.path()}, false, Probe{"/no/program/is/run", {}});
  CHECK(index.files().at(0).problem.empty());
}

TEST_CASE("a plugin that breaks the rules fails its build with the reason") {
  const TempFolder scratch;
  const auto result = embed(copy_plugin("duplicate_option", scratch / "libx.so"));
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.err, ContainsSubstring("option thing.count is declared twice"));
  const auto crash = embed(copy_plugin("throws_in_initialiser", scratch / "liby.so"));
  CHECK(crash.exit_code == 3);
  CHECK_THAT(crash.err,
             ContainsSubstring("liby.so: a static initialiser threw an exception: initialiser is upset (P8)"));
}

TEST_CASE("a missing or failing objcopy is named, and the plugin stays as it was") {
  const TempFolder scratch;
  const auto file = copy_plugin("good", scratch / "libgood.so");
  const std::string bytes = bytes_of(file);
  CHECK_THAT(embed(file, "no-such-objcopy").err, ContainsSubstring("no program 'no-such-objcopy'"));
  CHECK_THAT(embed(file, "/bin/false").err, ContainsSubstring("/bin/false"));
  CHECK(bytes_of(file) == bytes);
}

}  // namespace embed_test
