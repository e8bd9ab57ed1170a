// Resource limits and folders with which a run cannot work: it fails immediately, without hanging or writing elsewhere.
#include <sys/stat.h>

#include "host_process/sandbox.hpp"

namespace limits_test {

namespace fs = std::filesystem;

namespace {
const std::string fit = "--model plain --trainer.max_epochs 1 ";
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers reserve terabytes of address space
TEST_CASE("a limit on memory under which LibTorch cannot multiply ends the run before it begins") {
  const Sandbox sandbox;
  for (const char* limit : {"ulimit -v 350000", "ulimit -v 700000"}) {
    const Outcome outcome = sandbox.bare("fit", fit, limit);
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.error(), ContainsSubstring("on this process's address space (ulimit -v) is too small"));
  }
  const Outcome enough = sandbox.bare("fit", fit, "ulimit -v 8000000");
  CHECK(enough.code == 0);
}
#endif

TEST_CASE("a run writes through no link, and waits for no FIFO") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", fit).code == 0);
  const fs::path log = sandbox.run() / "log.txt", victim = sandbox.folder() / "victim";
  std::ofstream(victim) << "mine";
  fs::remove(log);
  fs::create_symlink(victim, log);
  const std::string resume = "resume " + sandbox.run().string() + " --max_epochs 2";
  const Outcome linked = sandbox.host(resume);
  CHECK(linked.code == 1);
  CHECK_THAT(linked.error(), ContainsSubstring("log.txt is a link to"));
  CHECK(sandbox.read(victim) == "mine");
  fs::remove(log);
  REQUIRE(mkfifo((sandbox.run() / "metrics.csv").c_str(), 0600) == 0);
  const Outcome waiting = sandbox.host(resume);
  CHECK(waiting.code == 1);
  CHECK_THAT(waiting.error(), ContainsSubstring("metrics.csv is a FIFO"));
}

TEST_CASE("a folder whose name is not UTF-8 is a mistake that is named") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", fit, "mkdir 'b\xff' && cd 'b\xff'");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.error(), ContainsSubstring("trainer.default_root_dir is '") && ContainsSubstring("not UTF-8"));
}

TEST_CASE("a saved run with another command than a run's is refused by file and key") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", fit).code == 0);
  const fs::path config = sandbox.run() / "config.json";
  std::string text = sandbox.read(config);
  const std::string before = "\"command\": \"fit\"";
  REQUIRE(text.find(before) != std::string::npos);
  text.replace(text.find(before), before.size(), "\"command\": \"rm\"");
  std::ofstream(config, std::ios::trunc) << text;
  for (const std::string& words : {"resume " + sandbox.run().string(), "fit --config " + config.string()}) {
    const Outcome outcome = sandbox.host(words);
    INFO(words);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.error(), ContainsSubstring("config.json") && ContainsSubstring("'rm'"));
  }
}

}  // namespace limits_test
