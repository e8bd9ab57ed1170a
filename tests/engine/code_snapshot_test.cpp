// The state of the plugins' sources in the run folder.
#include <nlohmann/json.hpp>

#include "core/base/environment.hpp"
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"
#include "skipped.hpp"

namespace code_snapshot_test {
namespace fs = std::filesystem;
using levin::core::trim;

namespace {

// A repository "project" in the sandbox, and a plugin that was built from it.
struct Project {
  Sandbox sandbox;
  fs::path root = sandbox.folder() / "project", plugin = sandbox.folder() / "own" / "libversions.so";

  Project() {
    write("keeper.cpp", "one\n");
    git("init -q -b main && git config user.name x && git config user.email x@example.org && git add -A && git commit "
        "-q -m x");
    fs::create_directories(plugin.parent_path());
    fs::copy_file(LEVIN_TEST_VERSION_1, plugin);
    REQUIRE(sandbox
                .host("embed-description " + plugin.string() + " --objcopy " LEVIN_TEST_OBJCOPY " --sources " +
                      root.string())
                .code == 0);
  }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories(root);
    std::ofstream(root / file) << text;
  }
  std::string git(const std::string& words) const {
    const Outcome outcome = run_program(sandbox.script("cd " + root.string() + " && git " + words));
    REQUIRE(outcome.code == 0);
    return trim(outcome.out);
  }
  Outcome run(const std::string& words) const {
    return sandbox.bare("fit", "--model plain --callback keeper --callback.model_checkpoint.monitor '' --plugins " +
                                   plugin.parent_path().string() + " --trainer.max_epochs 1 " + words);
  }
  // What the run recorded of this project; the plugins of the test may be in a repository too.
  nlohmann::json facts(const std::string& file = "code.json") const {
    const auto all = nlohmann::json::parse(sandbox.read(sandbox.run() / file));
    for (const auto& one : all.at("repositories"))
      if (one.at("repository") == fs::canonical(root).string()) return one;
    return {};
  }
  // The difference of this project.
  std::string diff(const std::string& file = "code.diff") const {
    const std::string all = sandbox.read(sandbox.run() / file);
    const size_t begin = all.find("# repository " + fs::canonical(root).string());
    REQUIRE(begin != std::string::npos);
    return all.substr(begin, all.find("\n# repository ", begin) - begin);
  }
};

bool has_git() { return !levin::core::find_program(levin::core::environment_variables(), "git").empty(); }

}  // namespace

TEST_CASE("a run folder holds the commit of the sources and what was changed since") {
  if (!has_git()) return skipped("there is no git");
  const Project project;
  project.write("keeper.cpp", "two\n");
  project.write("new.cpp", "x\n");
  REQUIRE(project.run("").code == 0);
  const nlohmann::json facts = project.facts();
  CHECK(facts.at("commit") == project.git("rev-parse HEAD"));
  CHECK(facts.at("branch") == "main");
  CHECK(facts.at("plugins") == std::vector<std::string>{"libversions.so"});
  CHECK(facts.at("changed") == std::vector<std::string>{"keeper.cpp"});
  CHECK(facts.at("untracked") == std::vector<std::string>{"new.cpp"});
  CHECK(facts.at("changed_after_build") == std::vector<std::string>{"keeper.cpp", "new.cpp"});
  CHECK_THAT(project.diff(), ContainsSubstring("\n-one\n+two"));
  CHECK_THAT(project.sandbox.read(project.sandbox.run() / "log.txt"), ContainsSubstring("changed: keeper.cpp"));
}

TEST_CASE("a resume keeps the state that the run began with, and records a new one if it differs") {
  if (!has_git()) return skipped("there is no git");
  const Project project;
  REQUIRE(project.run("").code == 0);
  const std::string resume = "resume " + project.sandbox.run().string();
  REQUIRE(project.sandbox.host(resume + " --max_epochs 2").code == 0);
  CHECK_FALSE(fs::exists(project.sandbox.run() / "code-1.json"));
  project.write("keeper.cpp", "two\n");
  REQUIRE(project.sandbox.host(resume + " --max_epochs 3").code == 0);
  CHECK(project.facts().contains("changed"));
  CHECK_FALSE(project.facts("code-1.json").contains("changed"));
  CHECK_THAT(project.diff("code-1.diff"), !ContainsSubstring("+two"));
}

TEST_CASE("no run fails, waits or leaves a folder because of its sources") {
  if (!has_git()) return skipped("there is no git");
  const Project project;
  CHECK(project.run("--model.do throw --model.at training_step").code == 1);
  CHECK_FALSE(fs::exists(project.sandbox.run()));
  CHECK(project.run("--trainer.fast_dev_run true").code == 0);
  CHECK_FALSE(fs::exists(project.sandbox.run()));
  std::ofstream(project.root / ".git" / "HEAD") << "broken";
  REQUIRE(project.run("").code == 0);
  CHECK_THAT(project.facts().at("problem").get<std::string>(), ContainsSubstring("not a git repository"));
  fs::remove_all(project.root);
  CHECK(project.run("").code == 0);
}

}  // namespace code_snapshot_test
