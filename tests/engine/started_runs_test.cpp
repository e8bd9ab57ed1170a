// The starts that leave a run folder, and those that are listed.

#include "core/base/json.hpp"
#include "host_process/sandbox.hpp"

namespace started_runs_test {
namespace fs = std::filesystem;

namespace {

const std::string fails = "--model.do throw --model.at ", short_fit = "--model plain --trainer.max_epochs 1 ";

size_t runs_in(const Sandbox& sandbox) {
  std::error_code missing;
  size_t n = 0;
  for (fs::directory_iterator at(sandbox.folder() / "levin_logs", missing), end; !missing && at != end; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("a start that trains nothing leaves no folder, whatever it fails by") {
  const Sandbox sandbox;
  for (const std::string& words :
       {"fit " + short_fit + fails + "create", "fit " + short_fit + fails + "training_step",
        "fit " + short_fit + fails + "training_step --logger csv --logger tensorboard",
        "fit " + short_fit + fails + "validation_step", "test " + short_fit + fails + "test_step",
        "fit " + short_fit + "--data.do throw --data.at setup",
        "fit " + short_fit + "--trainer.devices 2 " + fails + "training_step"}) {
    const size_t space = words.find(' ');
    const Outcome outcome = sandbox.bare(words.substr(0, space), words.substr(space + 1));
    INFO(words << "\n" << outcome.err);
    CHECK(outcome.code != 0);
    CHECK(runs_in(sandbox) == 0);
  }
}

TEST_CASE("a failed run that has done a batch keeps its folder, and is listed") {
  const Sandbox sandbox;
  CHECK(sandbox.bare("fit", short_fit + fails + "training_step --model.batch 1").code == 1);
  CHECK(fs::exists(sandbox.run() / "log.txt"));
  const Outcome runs = sandbox.host("runs");
  CHECK_THAT(runs.out, ContainsSubstring("version_0  failed"));
}

TEST_CASE("a folder that was there before a failed start stays, with all that is in it") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", short_fit).code == 0);
  const std::string again = short_fit + fails + "training_step ";
  CHECK(sandbox.host("resume " + sandbox.run().string() + " --max_epochs 2 " + fails + "training_step").code == 1);
  CHECK(fs::exists(sandbox.run() / "config.json"));
  CHECK(sandbox.bare("fit", again + "--trainer.log_version 0").code == 1);
  CHECK(fs::exists(sandbox.run() / "checkpoints"));
  fs::create_directories(sandbox.folder() / "levin_logs" / "mine");
  CHECK(sandbox.bare("fit", again + "--trainer.log_version mine").code == 1);
  CHECK(fs::exists(sandbox.folder() / "levin_logs" / "mine"));
}

TEST_CASE("a folder in which a part of a failed start has put a file stays, and is counted below the table") {
  const Sandbox sandbox;
  std::ofstream(sandbox.folder() / "note.sh") << "touch \"$LEVIN_RUN_DIR/note.txt\"\n";
  const Outcome outcome =
      sandbox.bare("fit", short_fit + fails +
                              "training_step --callback shell_command --callback.shell_command.command 'sh note.sh' "
                              "--callback.shell_command.hook on_fit_start");
  CHECK(outcome.code == 1);
  CHECK(fs::exists(sandbox.run() / "note.txt"));
  CHECK(fs::exists(sandbox.run() / "config.json"));
  const Outcome runs = sandbox.host("runs");
  CHECK_THAT(runs.out,
             ContainsSubstring("1 failed start that trained nothing is not listed") && !ContainsSubstring("version_0"));
  CHECK_THAT(sandbox.host("runs " + sandbox.run().string()).out, ContainsSubstring("version_0  failed"));
  CHECK(levin::core::parse_json(sandbox.host("runs --json").out, "runs").empty());
}

}  // namespace started_runs_test
