#include "callbacks/batch_size_finder/search.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace batch_size_finder_test {
using namespace levin::batch_size_finder;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

struct Found {
  int64_t result;
  std::vector<int64_t> tried;
};
Found search(const SearchOptions& options, int64_t most) {
  Search s(options);
  Found found{};
  while (!s.done()) {
    found.tried.push_back(s.size());
    most < 0 || s.size() <= most ? s.fits() : s.does_not_fit();
  }
  found.result = s.result();
  return found;
}

}  // namespace

TEST_CASE("the search doubles, and bisects where it is told to") {
  SearchOptions o;
  o.rows = 1000;
  CHECK(search(o, 16).tried == std::vector<int64_t>{2, 4, 8, 16, 32});
  CHECK(search(o, 16).result == 16);
  CHECK(search(o, -1).result == 1024);
  o.binary = true;
  o.margin = 0.1;
  CHECK(search(o, 100).tried == std::vector<int64_t>{2, 4, 8, 16, 32, 64, 128, 96, 112, 104, 100, 102, 101});
  CHECK(search(o, 100).result == 90);
  o.margin = 0.05;
  o.max_trials = 4;
  CHECK(search(o, -1).result == 15);
}

TEST_CASE("the search keeps to its limits") {
  SearchOptions o;
  o.max_trials = 3;
  CHECK(search(o, -1).result == 8);
  o = {};
  o.max_val = 48;
  CHECK(search(o, -1).result == 48);
  o = {};
  o.init_val = 64;
  CHECK(search(o, 10).tried == std::vector<int64_t>{64, 32, 16, 8, 16});
  CHECK(search(o, 10).result == 8);
  CHECK(search(o, 0).result == 0);
  o.binary = true;
  CHECK(search(o, 0).result == 0);
}

TEST_CASE("batch_size_finder trains on with the largest size that fits") {
  FakeHost host;
  host.texts["run_dir"] = "";
  host.trial_step = [&](int64_t n, double* loss) -> levin_status {
    CHECK(n == 3);
    *loss = 0;
    return host.numbers["batch_size"] > 20 ? LEVIN_E_MEMORY : LEVIN_OK;
  };
  Component c(host, "batch_size_finder");
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(host.numbers["batch_size"] == 16);
  CHECK(host.options_set["data.batch_size"] == "16");
  CHECK_THROWS(Component(host, "batch_size_finder", {{"mode", "guess"}}));
}

TEST_CASE("batch_size_finder refuses another option than batch_size, and says that it is for a fit") {
  FakeHost host;
  CHECK_THROWS_WITH(Component(host, "batch_size_finder", {{"batch_arg_name", "bs"}}),
                    ContainsSubstring("batch_arg_name is 'bs'; valid: batch_size"));
  Component c(host, "batch_size_finder", {{"batch_arg_name", "batch_size"}});
  c.send(LEVIN_HOOK_SETUP);
  CHECK(host.messages.empty());
  c.send(LEVIN_HOOK_SETUP, levin::Stage::test);
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("of a fit only"));
}

TEST_CASE("a resumed fit trains with the size that was found") {
  FakeHost host;
  host.texts["run_dir"] = "";
  host.trial_step = [&](int64_t, double* loss) -> levin_status {
    *loss = 0;
    return host.numbers["batch_size"] > 20 ? LEVIN_E_MEMORY : LEVIN_OK;
  };
  Component first(host, "batch_size_finder");
  first.send(LEVIN_HOOK_FIT_START);
  FakeHost later;
  later.trial_step = [&](int64_t, double*) -> levin_status {
    FAIL("nothing is to be tried again");
    return LEVIN_OK;
  };
  Component second(later, "batch_size_finder");
  second.load(first.save());
  second.send(LEVIN_HOOK_FIT_START);
  CHECK(later.numbers["batch_size"] == 16);
}

TEST_CASE("another size than the one that a schedule by step was made for is warned of") {
  for (const char* interval : {"step", "epoch"}) {
    for (const double before : {32.0, 16.0}) {
      FakeHost host;
      host.texts["run_dir"] = "";
      host.numbers["batch_size"] = before;
      host.schedulers.push_back({0, "", interval});
      host.trial_step = [&](int64_t, double* loss) -> levin_status {
        *loss = 0;
        return host.numbers["batch_size"] > 20 ? LEVIN_E_MEMORY : LEVIN_OK;
      };
      Component c(host, "batch_size_finder");
      c.send(LEVIN_HOOK_FIT_START);
      const bool warns = std::string(interval) == "step" && before != 16;
      CHECK(host.messages.size() == warns);
      if (warns) CHECK_THAT(host.messages[0].second, ContainsSubstring("start again with --data.batch_size 16"));
    }
  }
}

}  // namespace batch_size_finder_test
