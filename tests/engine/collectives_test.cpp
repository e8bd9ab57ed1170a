// The collectives available to plugins in a run of several processes.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "catch.hpp"
#include "core/base/text.hpp"
#include "sandbox.hpp"

namespace {

struct Ranks {
  std::vector<int> codes;
  std::vector<std::string> err;
  std::vector<std::string> trace;
};

// Runs the same command in n processes; the rendezvous is a file.
Ranks ranks(const Sandbox& box, int n, const std::string& words) {
  const std::string folder = box.folder().string();
  std::string command = "cd " + folder + "; ulimit -c 0; rm -f store trace.txt\n";
  for (int r = 0; r < n; ++r) {
    const std::string rank = std::to_string(r), size = std::to_string(n);
    command += "(env -u LEVIN_PLUGIN_PATH -u XDG_DATA_HOME OMP_NUM_THREADS=1 HOME=" + folder +
               " XDG_CACHE_HOME=" LEVIN_TEST_PLUGINS "/cache LEVIN_TEST_TRACE=" + folder + "/trace.txt RANK=" + rank +
               " LOCAL_RANK=" + rank + " WORLD_SIZE=" + size + " LOCAL_WORLD_SIZE=" + size +
               " timeout -k 1 60 " LEVIN_TEST_HOST " fit --plugins " LEVIN_TEST_PLUGINS
               " --model plain --data rows --data.train 4 --trainer.max_epochs 1 --trainer.limit_val_batches 0"
               " --callback early_stopping=false --callback model_checkpoint=false --callback model_summary=false"
               " --callback progress_bar=false --callback results_table=false --logger false --data.batch_size 1"
               " --trainer.accelerator cpu --trainer.init_method file://" +
               folder + "/store " + words + " >out." + rank + " 2>err." + rank + "; echo $? >code." + rank + ") &\n";
  }
  REQUIRE(system((command + "wait").c_str()) == 0);
  Ranks all;
  for (int r = 0; r < n; ++r) {
    all.codes.push_back(std::stoi(box.read("code." + std::to_string(r))));
    all.err.push_back(box.read("err." + std::to_string(r)));
  }
  if (std::filesystem::exists(box.folder() / "trace.txt"))
    all.trace = levin::core::split(levin::core::trim(box.read("trace.txt")), '\n');
  return all;
}

void check_good(const Ranks& all) {
  for (size_t r = 0; r < all.codes.size(); ++r) {
    INFO(all.err[r]);
    CHECK(all.codes[r] == 0);
  }
}

}  // namespace

TEST_CASE("plugins in C and in C++ use all of levin.dist/1, in one, two and three processes") {
  const Sandbox box;
  const int n = GENERATE(1, 2, 3);
  const Ranks all = ranks(box, n, "--callback collectives --callback peers");
  check_good(all);
  for (int r = 0; r < n; ++r) {
    INFO(all.err[static_cast<size_t>(r)]);
    const std::string rank = "rank " + std::to_string(r) + " ";
    CHECK_THAT(all.err[static_cast<size_t>(r)], ContainsSubstring(rank + "of " + std::to_string(n) + ": 0 wrong"));
    CHECK_THAT(all.err[static_cast<size_t>(r)], ContainsSubstring(rank + "at the end: 0 wrong"));
    const auto checks = starting(all.trace, rank);
    CHECK(checks.size() == 15);
    for (const std::string& line : checks) CHECK_THAT(line, !ContainsSubstring("WRONG"));
  }
  const std::vector<std::string> misfit = {"recv: rank 0 sent Float[2], and the tensor for it is Float[3]"};
  CHECK(starting(all.trace, "recv") == (n > 1 ? misfit : std::vector<std::string>()));
}

TEST_CASE("the same with all calls compared, and with handles watched") {
  const Sandbox box;
  const Ranks all = ranks(box, 2, "--callback collectives --debug-plugins");
  check_good(all);
  CHECK_THAT(all.err[1], ContainsSubstring("rank 1 of 2: 0 wrong"));
}

TEST_CASE("ranks that do not do the same are told who differs, before anything is sent") {
  const Sandbox box;
  const auto [deed, text, words] = GENERATE(table<std::string, std::string, std::string>(
      {{"other_shape", "rank 1 calls all_reduce of float32[3], reduction 0, and rank 0 all_reduce of float32[2]", ""},
       {"other_type", "rank 1 calls all_gather of int64[2], and rank 0 all_gather of float32[2]", ""},
       {"other_call", "rank 1 calls barrier, and rank 0 broadcast of float32[2, 2], root 0", ""},
       {"other_group", "rank 1 names 1, and rank 0 0 and 1", ""},
       {"late_shape", "rank 1 calls all_reduce of float32[3], reduction 0", "--debug-plugins"}}));
  const Ranks all = ranks(box, 2, "--callback peers --callback.peers.do " + deed + " " + words);
  for (const std::string& err : all.err) CHECK_THAT(err, ContainsSubstring(text));
  for (const int code : all.codes) CHECK((code > 0 && code < 124));
}

TEST_CASE("a rank that fails while another one waits for it is the reason that both tell") {
  const Sandbox box;
  const Ranks all = ranks(box, 2, "--callback peers --callback.peers.do throw");
  for (const std::string& err : all.err) CHECK_THAT(err, ContainsSubstring("the last rank has had enough"));
  CHECK(all.codes == std::vector<int>{7, 1});
}

TEST_CASE("a message that never comes, or that nobody takes, is named") {
  const Sandbox box;
  const auto [deed, text] = GENERATE(table<std::string, std::string>(
      {{"no_sender", "rank 0 waits in recv, number 1 of sends from rank 1 to rank 0, tag 0"},
       {"no_reader", "rank 0 waits in send, number 1 of receives from rank 0 by rank 1, tag 0"}}));
  const Ranks all = ranks(box, 2, "--callback peers --callback.peers.do " + deed);
  for (const std::string& err : all.err)
    CHECK_THAT(err, ContainsSubstring(text) && ContainsSubstring("rank 1 waits in all_gather of Byte[2048] (barrier)"));
  CHECK(all.codes == std::vector<int>{7, 7});
}
