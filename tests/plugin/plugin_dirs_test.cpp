#include "core/plugin/plugin_dirs.hpp"

#include <algorithm>

#include "catch.hpp"
#include "tests/plugin/fixture.hpp"

namespace plugin_dirs_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {

// Removes system folders, which may or may not exist.
std::vector<fs::path> below(const fs::path& program, std::vector<fs::path> dirs, const TempFolder& scratch) {
  const auto is_of_system = [&](const fs::path& dir) {
    const std::string text = dir.string();
    return text.rfind("/usr/", 0) == 0 && text.rfind(program.parent_path().string(), 0) != 0 &&
           text.rfind(scratch.path().string(), 0) != 0;
  };
  dirs.erase(std::remove_if(dirs.begin(), dirs.end(), is_of_system), dirs.end());
  return dirs;
}

}  // namespace

TEST_CASE("folders of the command line come first, then the environment's, the user's and the installed one") {
  const TempFolder scratch;
  for (const char* name : {"cli", "env", "data"}) fs::create_directory(scratch / name);
  const std::string env = (scratch / "env").string();
  setenv("LEVIN_PLUGIN_PATH", (":" + env + "::" + env).c_str(), 1);
  setenv("XDG_DATA_HOME", (scratch / "data").c_str(), 1);
  const char* home = getenv("HOME");
  const std::string before = home ? home : "";
  setenv("HOME", scratch.path().c_str(), 1);
  const auto dirs = plugin_dirs({(scratch / "cli").string()});
  unsetenv("LEVIN_PLUGIN_PATH");
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", before.c_str(), 1);
  const fs::path program = host_program();
  const std::vector<fs::path> expected = {fs::canonical(scratch / "cli"), fs::canonical(scratch / "env"),
                                          fs::weakly_canonical(scratch / "data" / "levin" / "plugins"),
                                          program.parent_path().parent_path() / "lib/levin/plugins",
                                          program.parent_path()};
  CHECK(below(program.parent_path(), dirs, scratch) == expected);
}

TEST_CASE("what was installed for the user alone is found wherever below the prefix it lies") {
  const TempFolder scratch;
  for (const char* lib : {"lib", "lib64"}) fs::create_directories(scratch / ".local" / lib / "levin" / "plugins");
  const char* home = getenv("HOME");
  const std::string before = home ? home : "";
  setenv("HOME", scratch.path().c_str(), 1);
  const auto dirs = plugin_dirs({});
  setenv("HOME", before.c_str(), 1);
  const auto place = [&](const fs::path& dir) { return std::find(dirs.begin(), dirs.end(), dir) - dirs.begin(); };
  const fs::path local = fs::canonical(scratch / ".local");
  CHECK(place(local / "share/levin/plugins") < place(local / "lib/levin/plugins"));
  CHECK(place(local / "lib64/levin/plugins") < place(installed_plugin_dir()));
  CHECK(place(local / "lib32/levin/plugins") == static_cast<long>(dirs.size()));
}

TEST_CASE("a folder of the command line that does not exist is an error of usage") {
  REQUIRE_THROWS_WITH(plugin_dirs({"/nowhere/at/all"}),
                      ContainsSubstring("--plugins /nowhere/at/all: there is no folder"));
}

TEST_CASE("folders of the environment that do not exist are named") {
  setenv("LEVIN_PLUGIN_PATH", "/usr:plugins", 1);
  CHECK_THROWS_WITH(plugin_dirs({}), ContainsSubstring("LEVIN_PLUGIN_PATH: 'plugins' is a relative path"));
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

}  // namespace plugin_dirs_test
