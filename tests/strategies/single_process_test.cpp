#include "core/strategies/single_process.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

TEST_CASE("one process may train, however it was started") {
  const EnvironmentVariables rows[] = {
      {}, {{"TORCHELASTIC_RUN_ID", "x"}, {"WORLD_SIZE", "1"}, {"RANK", "0"}}, {{"SLURM_NTASKS", "1"}}};
  for (const auto& variables : rows) CHECK_NOTHROW(check_single_process(variables));
}

TEST_CASE("of several processes each is refused, the first too, with who started them") {
  for (const char* rank : {"0", "1"}) {
    const EnvironmentVariables variables = {{"TORCHELASTIC_RUN_ID", "x"}, {"WORLD_SIZE", "2"}, {"RANK", rank}};
    try {
      check_single_process(variables);
      FAIL("was not refused");
    } catch (const Error& e) {
      CHECK(e.kind() == ErrorKind::usage);
      CHECK_THAT(e.what(), ContainsSubstring("TorchElastic started 2 processes") &&
                               ContainsSubstring(std::string("number ") + rank));
    }
  }
  CHECK_THROWS_WITH(check_single_process({{"SLURM_NTASKS", "2"}, {"SLURM_PROCID", "0"}}),
                    ContainsSubstring("--ntasks-per-node=2"));
}
