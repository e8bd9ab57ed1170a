// Fits of several processes of which one fails, dies or does not answer, and such that were not started alike.
#include <unistd.h>

#include <cstdlib>

#include "fits.hpp"

namespace {

const std::string set_up = "--model.dropout 0.3 --trainer.max_epochs 3 ";

std::string deed(const std::string& what, int rank = 1) {
  return " --model.epoch 1 --model.do " + what + " --model.rank " + std::to_string(rank) + " ";
}

// "rank 1 (node NAME, pid NUMBER) REST"
bool names(const std::string& text, int rank, const std::string& rest) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string begin = "rank " + std::to_string(rank) + " (node " + host + ", pid ";
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const size_t after = text.find(") ", at);
    if (after != std::string::npos && text.compare(after + 2, rest.size(), rest) == 0) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a process that is killed is named, the others end, and the fit goes on from its last checkpoint") {
  const Sandbox box;
  REQUIRE(fit(box, 2, set_up).code == 0);
  for (const int rank : {0, 1}) {
    const Outcome killed = fit(box, 2, set_up + deed("kill", rank));
    INFO(killed.err);
    CHECK(killed.code == 137);
    CHECK(names(killed.err, rank, "was killed by SIGKILL"));
    const Outcome resumed = box.host("resume " + box.run(rank + 1).string() + " --model.do nothing");
    INFO(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK(difference(last(box, 0), last(box, rank + 1)) == "");
  }
}

TEST_CASE("what one process fails with comes first, and its code is the run's") {
  struct Case {
    std::string deed, text, end;
  };
  const Case cases[] = {{"throw", "scripted failure (epoch 1, batch 1, step 4)", "failed with code 1"},
                        {"exit", "exit() was called while plugin libtest_shared_fits.so", "ended with code 1"}};
  for (const Case& c : cases)
    for (const int rank : {0, 1}) {
      const Sandbox box;
      const Outcome outcome = fit(box, 2, set_up + deed(c.deed, rank));
      INFO(c.deed << " in " << rank << "\n" << outcome.err);
      CHECK(outcome.code == 1);
      const size_t first = outcome.err.find("host: error: ");
      REQUIRE(first != std::string::npos);
      CHECK_THAT(outcome.err.substr(first, outcome.err.find('\n', first) - first), ContainsSubstring(c.text));
      CHECK(names(outcome.err, rank, c.end));
    }
}

TEST_CASE("a process that is stopped is named, and counts as lost after a while") {
  const Sandbox box;
  const Outcome outcome = box.bare(
      "fit",
      "--model shared --data.train 8 --trainer.max_epochs 3 --trainer.accelerator cpu" + deed("freeze") + devices + "2",
      "export LEVIN_HEARTBEAT_TIMEOUT=2.5");
  INFO(outcome.err);
  CHECK(outcome.code == 7);
  CHECK(names(outcome.err, 1, "is stopped by SIGSTOP, and the others wait for it"));
  CHECK_THAT(outcome.err, ContainsSubstring("gives no sign of life for 2 s") &&
                              ContainsSubstring("after 3 s it counts as lost") &&
                              ContainsSubstring("gave no sign of life for 3 s"));
}

TEST_CASE("models that differ between processes are refused") {
  const Sandbox box;
  const Outcome outcome = fit(box, 3, "--data.batch_size 1 --model.wider_rank 2");
  INFO(outcome.err);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("rank 2 has the parameter 'in.weight' [65, ") &&
                              ContainsSubstring(", where rank 0 has the parameter 'in.weight' [64, "));
}

TEST_CASE("options that differ between processes are refused by their names") {
  const Sandbox box;
  const std::string folder = box.folder().string();
  std::string command = "export WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 OMP_NUM_THREADS=1 HOME=" + folder + "; ";
  for (const char* const rank : {"0", "1"})
    command += std::string("(RANK=") + rank + " LOCAL_RANK=" + rank +
               " " LEVIN_TEST_HOST " fit --plugins " LEVIN_TEST_PLUGINS
               " --model shared --data rows --trainer.accelerator cpu "
               "--trainer.init_method file://" +
               folder + "/store --model.dropout 0." + rank + " 2>" + folder + "/err." + rank + "; echo $? >" + folder +
               "/code." + rank + ") & ";
  REQUIRE(system((command + "wait").c_str()) == 0);
  for (const std::string rank : {"0", "1"}) {
    const std::string err = box.read("err." + rank);
    INFO(err);
    CHECK(box.read("code." + rank) == "2\n");
    CHECK_THAT(err, ContainsSubstring("rank 1 differs from rank 0: model.options.dropout is 0.1, and 0.0 in rank 0"));
  }
}

TEST_CASE("batch norm over processes with one row each: what LibTorch's module refuses is told with the way out") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, "--model.norm true --trainer.sync_batchnorm true --data.batch_size 1");
  INFO(outcome.err);
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.error(), ContainsSubstring("Expected more than 1 value per channel") &&
                                  ContainsSubstring("set data.batch_size to 2 or more"));
}
