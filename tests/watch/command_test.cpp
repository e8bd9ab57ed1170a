// host watch on real runs.
#include "host_process/sandbox.hpp"
#include "host_process/screen.hpp"

namespace {

const std::string fit =
    "fit --model mlp --data synthetic --max_epochs 2 --log_every_n_steps 1 --logger csv --trainer.limit_train_batches "
    "4 ";

}  // namespace

TEST_CASE("host watch shows a run that has ended, and ends") {
  const Sandbox sandbox;
  REQUIRE(sandbox.host(fit).code == 0);
  const Outcome plain = sandbox.host("watch levin_logs/version_0");
  CHECK(plain.code == 0);
  CHECK_THAT(plain.out, ContainsSubstring("version_0 done, epoch 2, step 7") && ContainsSubstring("train_loss"));
  CHECK_THAT(sandbox.host("watch").out, ContainsSubstring("version_0 done"));
  for (const unsigned short columns : {40, 80, 200}) {
    const Seen seen = on_terminal(sandbox.script("exec " LEVIN_TEST_HOST " watch"), columns);
    CHECK(seen.code == 0);
    CHECK_FALSE(seen.wrapped);
    CHECK_THAT(seen.text(), ContainsSubstring("version_0: done, epoch 2, step 7") && ContainsSubstring("loss"));
  }
}

TEST_CASE("host watch refuses what is no run") {
  const Sandbox sandbox;
  for (const auto& [arguments, message] :
       {std::pair("watch", "there is no folder"), std::pair("watch .", "no run is in"),
        std::pair("watch nowhere", "there is no folder")}) {
    const Outcome outcome = sandbox.host(arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(message));
  }
}
