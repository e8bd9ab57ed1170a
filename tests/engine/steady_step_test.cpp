// What a step costs beside the model's own work, where it can be counted: allocations and page faults.
#include <sstream>

#include "host_process/sandbox.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their own allocators
TEST_CASE("a step allocates no more than a loop by hand, and touches hardly any new memory") {
  const Sandbox sandbox;
  const std::string options = GENERATE("--trainer.barebones true", "--trainer.log_every_n_steps 1000000",
                                       "--trainer.log_every_n_steps 1000000 --model.logs true");
  const Outcome outcome =
      sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS
                   " --model steady --data ones --data.batch_size 4 --trainer.max_epochs 1 "
                   "--callback counter --callback.counter.file counts --logger false" LEVIN_TEST_QUIET +
                       options,
                   "ulimit -c 0 && export LD_PRELOAD=" LEVIN_COUNT_ALLOCATIONS);
  INFO(outcome.out);
  REQUIRE(outcome.code == 0);
  std::istringstream counts(sandbox.read(sandbox.folder() / "counts"));
  double host = 0, by_hand = 0;
  int64_t faults_of_host = -1, faults_by_hand = -1;
  counts >> host >> faults_of_host >> by_hand >> faults_by_hand;
  INFO("allocations a step: host " << host << ", by hand " << by_hand << "; page faults: " << faults_of_host << ", "
                                   << faults_by_hand);
  CHECK(by_hand > 0);
  CHECK(host <= by_hand);
  CHECK(faults_of_host >= 0);
  CHECK(faults_of_host < 300);  // in 1000 steps; another process may take pages away
}
#endif
