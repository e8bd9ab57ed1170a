#include "core/plugin/index/plugin_dirs.hpp"

#include "catch.hpp"
#include "tests/plugin/fixture.hpp"

using namespace levin::core;
namespace fs = std::filesystem;

TEST_CASE("folders of the command line come first, then the environment's, the user's and the installed one") {
  const Scratch scratch;
  for (const char* name : {"cli", "env", "data"}) fs::create_directory(scratch / name);
  const std::string env = (scratch / "env").string();
  setenv("LEVIN_PLUGIN_PATH", (":" + env + "::" + env).c_str(), 1);
  setenv("XDG_DATA_HOME", (scratch / "data").c_str(), 1);
  const auto dirs = plugin_dirs({(scratch / "cli").string()});
  unsetenv("LEVIN_PLUGIN_PATH");
  unsetenv("XDG_DATA_HOME");
  const fs::path program = host_program();
  const std::vector<fs::path> expected = {fs::canonical(scratch / "cli"), fs::canonical(scratch / "env"),
                                          fs::weakly_canonical(scratch / "data" / "levin" / "plugins"),
                                          program.parent_path().parent_path() / "lib/levin/plugins",
                                          program.parent_path()};
  CHECK(dirs == expected);
}

TEST_CASE("a folder of the command line that does not exist is an error of usage") {
  REQUIRE_THROWS_WITH(plugin_dirs({"/nowhere/at/all"}),
                      ContainsSubstring("--plugins /nowhere/at/all: there is no folder"));
}

TEST_CASE("folders of the environment that do not exist are named") {
  setenv("LEVIN_PLUGIN_PATH", "/nowhere:/tmp::/gone", 1);
  const auto missing = missing_plugin_folders();
  unsetenv("LEVIN_PLUGIN_PATH");
  CHECK(missing == std::vector<std::string>{"LEVIN_PLUGIN_PATH: there is no folder /nowhere",
                                            "LEVIN_PLUGIN_PATH: there is no folder /gone"});
  CHECK(missing_plugin_folders().empty());
}

TEST_CASE("a relative folder in the user's variables counts as none") {
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  CHECK(user_folder("XDG_CACHE_HOME", ".cache") == "/home/me/.cache");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  CHECK(user_folder("XDG_CACHE_HOME", ".cache").empty());
}
