// The collectives available to plugins in a run of several processes.
#include <algorithm>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace collectives_test {
namespace {

std::vector<Outcome> ranks(const Sandbox& box, int n, const std::string& words) {
  return box.ranks(n,
                   "fit --plugins " LEVIN_TEST_PLUGINS
                   " --model plain --data rows --data.train 4 --trainer.max_epochs 1 --trainer.limit_val_batches 0"
                   " --callback early_stopping=false --callback model_checkpoint=false --callback model_summary=false"
                   " --callback progress_bar=false --callback results_table=false --logger false --data.batch_size 1"
                   " --trainer.accelerator cpu " +
                       words);
}

void check_good(const std::vector<Outcome>& all) {
  for (const Outcome& one : all) CHECK(one.code == 0);
}

}  // namespace

TEST_CASE("plugins in C and in C++ use all of levin.dist/1, in one, two and three processes") {
  const Sandbox box;
  const int n = GENERATE(1, 2, 3);
  const auto all = ranks(box, n, "--callback collectives --callback peers");
  check_good(all);
  for (int r = 0; r < n; ++r) {
    const std::string& err = all[static_cast<size_t>(r)].err;
    const std::string rank = "rank " + std::to_string(r) + " ";
    CHECK_THAT(err, ContainsSubstring(rank + "of " + std::to_string(n) + ": 0 wrong"));
    CHECK_THAT(err, ContainsSubstring(rank + "at the end: 0 wrong"));
    const auto checks = starting(box.trace(), rank);
    CHECK(checks.size() == 15);
    for (const std::string& line : checks) CHECK_THAT(line, !ContainsSubstring("WRONG"));
  }
  const std::vector<std::string> misfit = {"recv: rank 0 sent Float[2], and the tensor for it is Float[3]"};
  CHECK(starting(box.trace(), "recv") == (n > 1 ? misfit : std::vector<std::string>()));
}

TEST_CASE("the same with all calls compared, and with handles watched") {
  const Sandbox box;
  const auto all = ranks(box, 2, "--callback collectives --debug-plugins");
  check_good(all);
  CHECK_THAT(all[1].err, ContainsSubstring("rank 1 of 2: 0 wrong"));
}

TEST_CASE("ranks that do not do the same are told who differs, before anything is sent") {
  const Sandbox box;
  const auto [deed, text, words] = GENERATE(table<std::string, std::string, std::string>(
      {{"other_shape", "rank 1 calls all_reduce of float32[3], reduction 0, and rank 0 all_reduce of float32[2]", ""},
       {"other_type", "rank 1 calls all_gather of int64[2], and rank 0 all_gather of float32[2]", ""},
       {"other_call", "rank 1 calls barrier, and rank 0 broadcast of float32[2, 2], root 0", ""},
       {"other_group", "rank 1 names 1, and rank 0 0 and 1", ""},
       {"late_shape", "rank 1 calls all_reduce of float32[3], reduction 0", "--debug-plugins"}}));
  const auto all = ranks(box, 2, "--callback peers --callback.peers.do " + deed + " " + words);
  for (const Outcome& one : all) CHECK_THAT(one.err, ContainsSubstring(text));
  for (const Outcome& one : all) CHECK((one.code > 0 && one.code < 124));
}

TEST_CASE("a rank that fails while another one waits for it is the reason that both tell") {
  const Sandbox box;
  const auto all = ranks(box, 2, "--callback peers --callback.peers.do throw");
  for (const Outcome& one : all) CHECK_THAT(one.err, ContainsSubstring("the last rank has had enough"));
  CHECK(all[0].code == 7);
  CHECK(all[1].code == 1);
}

TEST_CASE("a message that never comes, or that nobody takes, is named") {
  const Sandbox box;
  const auto [deed, text] = GENERATE(table<std::string, std::string>(
      {{"no_sender", "rank 0 waits in recv, number 1 of sends from rank 1 to rank 0, tag 0"},
       {"no_reader", "rank 0 waits in send, number 1 of receives from rank 0 by rank 1, tag 0"}}));
  const auto all = ranks(box, 2, "--callback peers --callback.peers.do " + deed);
  for (const Outcome& one : all)
    CHECK_THAT(one.err,
               ContainsSubstring(text) && ContainsSubstring("rank 1 waits in all_gather of Byte[2048] (barrier)"));
  CHECK(all[0].code == 7);
  CHECK(all[1].code == 7);
}

}  // namespace collectives_test
