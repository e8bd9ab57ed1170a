#include "core/plugin/source_repositories.hpp"

#include <cstdlib>

#include "catch.hpp"
#include "core/base/environment.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/child.hpp"
#include "skipped.hpp"
#include "tests/plugin/fixture.hpp"

namespace source_repositories_test {
using namespace levin::core;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds minute(60);

std::string program(const char* name) { return find_program(environment_variables(), name); }

// A repository with one committed file, and a plugin that is built from it.
struct Project {
  TempFolder scratch;
  fs::path root, plugin = scratch / "libgood.so";

  explicit Project(const std::string& name = "moons", bool committed = true) : root(scratch / name) {
    fs::create_directories(root);
    git({"init", "-q", "-b", "main"});
    git({"config", "user.name", "x"});
    git({"config", "user.email", "x@example.org"});
    write("model.cpp", "one\n");
    if (committed) commit();
    copy_plugin("good", plugin);
    embed(root);
  }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    write_bytes(root / file, text);
  }
  std::string git(std::vector<std::string> command) const {
    command.insert(command.begin(), {program("git"), "-C", root.string()});
    const ChildResult result = run_child(command, minute, ChildEnvironment::same);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return trim(result.out);
  }
  void commit() const {
    git({"add", "-A"});
    git({"commit", "-q", "-m", "x"});
  }
  void embed(const fs::path& sources) const {
    REQUIRE(
        run_child({LEVIN_TEST_DESCRIBER, "embed-description", plugin.string(), LEVIN_TEST_OBJCOPY, sources.string()},
                  minute)
            .exit_code == 0);
  }
  std::string recorded() const { return read_elf(OpenFile(plugin, true).fd(), "x").sources; }
  std::vector<SourceRepository> all() const { return source_repositories({plugin, plugin}, minute); }
  SourceRepository state() const {
    const auto found = all();
    REQUIRE(found.size() == 1);
    return found[0];
  }
};

}  // namespace

TEST_CASE(
    "a build records the folder of the sources if it is in a repository, and a later build keeps the file as it is") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project;
  CHECK(project.recorded() == fs::canonical(project.root).string());
  const std::string bytes = bytes_of(project.plugin);
  project.embed(project.root);
  CHECK(bytes_of(project.plugin) == bytes);
  fs::create_directories(project.root / "sub");
  project.embed(project.root / "sub");
  CHECK(project.recorded() == (fs::canonical(project.root) / "sub").string());
  CHECK(project.state().folders == std::vector<std::string>{"sub"});
  const TempFolder outside;
  const fs::path other = copy_plugin("good", outside / "libgood.so");
  REQUIRE(run_child(
              {LEVIN_TEST_DESCRIBER, "embed-description", other.string(), LEVIN_TEST_OBJCOPY, outside.path().string()},
              minute)
              .exit_code == 0);
  CHECK(read_elf(OpenFile(other, true).fd(), "x").sources.empty());
  CHECK(source_repositories({other, outside / "missing.so"}, minute).empty());
}

TEST_CASE("a repository without changes has its commit and branch") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project;
  const SourceRepository found = project.state();
  CHECK(found.root == fs::canonical(project.root));
  CHECK(found.commit == project.git({"rev-parse", "HEAD"}));
  CHECK(found.branch == "main");
  CHECK(found.plugins == std::vector<std::string>{"libgood.so"});
  CHECK(found.diff + found.problem == "");
  CHECK(found.changed.empty());
  CHECK(found.untracked.empty());
}

TEST_CASE("the difference makes the commit equal to the working tree") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project("a folder with 'quotes' and * and \xc3\xa4");
  project.write("two words.cpp", "a\n");
  project.commit();
  project.write("model.cpp", "two\n");
  project.write("two words.cpp", "b\n");
  project.write("staged.cpp", "new\n");
  project.git({"add", "staged.cpp"});
  project.write("untracked.cpp", "u\n");
  project.write(".gitignore", "build\n");
  project.write("build/object.o", "o\n");
  const SourceRepository found = project.state();
  CHECK(found.changed == std::vector<std::string>{"model.cpp", "staged.cpp", "two words.cpp"});
  CHECK(found.untracked == std::vector<std::string>{".gitignore", "untracked.cpp"});
  CHECK(found.later.size() == 5);
  CHECK_FALSE(found.diff_cut);
  const fs::path patch = project.scratch / "x.diff";
  write_bytes(patch, "# repository\n" + found.diff);
  project.git({"stash", "-q"});
  CHECK(bytes_of(project.root / "model.cpp") == "one\n");
  project.git({"apply", patch.string()});
  CHECK(bytes_of(project.root / "model.cpp") == "two\n");
  CHECK(bytes_of(project.root / "two words.cpp") == "b\n");
  CHECK(bytes_of(project.root / "staged.cpp") == "new\n");
}

TEST_CASE("only the folder of the sources is looked at") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project;
  project.write("plugin/a.cpp", "a\n");
  project.commit();
  project.embed(project.root / "plugin");
  project.write("secrets.txt", "s\n");
  project.write("model.cpp", "two\n");
  project.write("plugin/a.cpp", "b\n");
  const SourceRepository found = project.state();
  CHECK(found.changed == std::vector<std::string>{"plugin/a.cpp"});
  CHECK(found.untracked.empty());
  CHECK_THAT(found.diff, !ContainsSubstring("model.cpp"));
}

TEST_CASE("repositories without a commit, damaged ones and ones that are gone do no harm") {
  if (program("git").empty()) return skipped("there is no git");
  const Project fresh("fresh", false);
  CHECK(fresh.state().commit.empty());
  CHECK(fresh.state().branch == "main");
  CHECK(fresh.state().untracked == std::vector<std::string>{"model.cpp"});
  const Project project;
  write_bytes(project.root / ".git" / "HEAD", "broken");
  CHECK_THAT(project.state().problem, ContainsSubstring("not a git repository"));
  fs::remove_all(project.root / ".git");
  CHECK(project.all().empty());
  fs::remove_all(project.root);
  CHECK(project.all().empty());
}

TEST_CASE("variables of another repository do not matter") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project, other;
  other.write("model.cpp", "three\n");
  setenv("GIT_DIR", (other.root / ".git").c_str(), 1);
  setenv("GIT_INDEX_FILE", "/dev/null", 1);
  const SourceRepository found = source_repositories({project.plugin}, minute).at(0);
  unsetenv("GIT_DIR");
  unsetenv("GIT_INDEX_FILE");
  CHECK(found.problem == "");
  CHECK(found.commit == project.git({"rev-parse", "HEAD"}));
}

TEST_CASE("no program that the repository names is started, and the repository stays as it is") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project;
  const fs::path trace = project.scratch / "trace", script = project.scratch / "evil";
  write_bytes(script, "#!/bin/sh\necho started >>" + trace.string() + "\n");
  fs::permissions(script, fs::perms::owner_all);
  project.write(".gitattributes", "*.cpp diff=evil\n");
  project.commit();
  project.write("model.cpp", "two\n");
  fs::create_directories(project.root / ".git" / "hooks");
  fs::copy_file(script, project.root / ".git" / "hooks" / "post-index-change");
  for (const char* setting :
       {"core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "core.pager"})
    project.git({"config", setting, script.string()});
  fs::remove(trace);
  const std::string index = bytes_of(project.root / ".git" / "index");
  CHECK_THAT(project.state().diff, ContainsSubstring("+two"));
  CHECK_FALSE(fs::exists(trace));
  CHECK(bytes_of(project.root / ".git" / "index") == index);
}

TEST_CASE("a large difference is cut at a line, and git that does not answer is not waited for") {
  if (program("git").empty()) return skipped("there is no git");
  const Project project;
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "line " + std::to_string(i) + "\n";
  project.write("model.cpp", text);
  const SourceRepository found = project.state();
  CHECK(found.diff_cut);
  CHECK(found.diff.size() <= 1 << 20);
  CHECK(found.diff.size() > 1 << 19);
  CHECK(found.diff.back() == '\n');
  const fs::path slow = project.scratch / "bin" / "git";
  fs::create_directories(slow.parent_path());
  write_bytes(slow, "#!/bin/sh\nsleep 100\n");
  fs::permissions(slow, fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (slow.parent_path().string() + ":" + path).c_str(), 1);
  CHECK(source_repositories({project.plugin}, std::chrono::milliseconds(300)).at(0).problem ==
        "git did not answer in time");
  fs::remove(slow);
  setenv("PATH", slow.parent_path().c_str(), 1);
  CHECK(source_repositories({project.plugin}, minute).at(0).problem == "there is no program git");
  setenv("PATH", path.c_str(), 1);
}

}  // namespace source_repositories_test
