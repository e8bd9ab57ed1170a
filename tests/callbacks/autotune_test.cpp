#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "callbacks/autotune/choices.hpp"
#include "callbacks/autotune/report.hpp"
#include "callbacks/autotune/rounds.hpp"
#include "callbacks/autotune/settings.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"
#include "tests/temp_folder.hpp"

namespace autotune_test {
using namespace levin::autotune;
using levin::testing::Component;
using levin::testing::FakeHost;
using nlohmann::json;

namespace {

Candidate measured(std::vector<double> seconds) { return {0, std::move(seconds), "", false}; }

// Seconds of the values, by their number in the rounds.
struct Steps {
  std::map<int64_t, std::vector<double>> seconds;
  std::map<int64_t, size_t> done;
  std::vector<int64_t> order;
  double operator()(int64_t value) {
    order.push_back(value);
    const std::vector<double>& all = seconds.at(value);
    return all[done[value]++ % all.size()];
  }
};

size_t chosen(Steps& steps, std::vector<Candidate>& all) {
  return compare(
      all, [&](int64_t value) { return steps(value); }, [] { return true; });
}

std::vector<Candidate> values(std::initializer_list<int64_t> all) {
  std::vector<Candidate> out;
  for (const int64_t value : all) out.push_back({value, {}, "", false});
  return out;
}

// A host whose steps take 1 ms with one thread and 6 ms with more.
struct TunedHost : FakeHost {
  TunedHost() {
    numbers.insert(
        {{"channels_last", 0}, {"cpu_kernels", 1}, {"num_threads", 4}, {"num_workers", 0}, {"interrupted", 0}});
    texts.insert({{"torch_version", "2"}});
    texts["run_dir"] = "";
    for (const char* option :
         {"trainer.channels_last", "trainer.cpu_kernels", "trainer.num_threads", "data.num_workers"})
      texts["origin." + std::string(option)] = "";
    data[levin::Split::train].push_back({});
    trial_step = [this](int64_t n, double* loss) -> levin_status {
      ++trial_steps;
      *loss = 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(numbers["num_threads"] > 1 ? 6 : 1) * n);
      return LEVIN_OK;
    };
  }
  int trial_steps = 0;
};

struct CacheFolder {
  CacheFolder() { ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }
  TempFolder folder;
};

}  // namespace

TEST_CASE("a value wins by 5 % in the median of rounds, most of which it has to win") {
  const Candidate base = measured({1, 1, 1, 1, 1, 1});
  CHECK(wins(base, measured({0.9, 0.9, 0.9, 0.9, 0.9, 0.9})));
  CHECK_FALSE(wins(base, measured({0.97, 0.97, 0.97, 0.97, 0.97, 0.97})));
  CHECK_FALSE(wins(base, measured({0.5, 0.5, 0.5, 0.5, 1.1, 1.1})));
  CHECK_FALSE(wins(base, measured({0.5, 0.5, 0.5, 0.5})));
  // The load of the machine changes all times of a round.
  CHECK(wins(measured({1, 5, 1, 5, 1}), measured({0.9, 4.5, 0.9, 4.5, 0.9})));
  CHECK_FALSE(wins(measured({1, 5, 1, 5, 1}), measured({1, 5, 1, 5, 1})));
}

TEST_CASE("each round measures every value once, in turning order") {
  Steps steps{{{4, {1}}, {2, {0.8}}, {1, {0.7}}}, {}, {}};
  auto all = values({4, 2, 1});
  CHECK(chosen(steps, all) == 2);
  CHECK(std::vector<int64_t>(steps.order.begin(), steps.order.begin() + 6) == std::vector<int64_t>{4, 2, 1, 1, 2, 4});
  CHECK(all[0].seconds.size() == most_rounds);
}

TEST_CASE("values that are not faster are dropped early") {
  Steps steps{{{4, {1}}, {2, {1.5}}, {1, {1}}}, {}, {}};
  auto all = values({4, 2, 1});
  CHECK(chosen(steps, all) == 0);
  CHECK(all[1].seconds.size() == 2);
  CHECK(all[2].seconds.size() == 4);
}

TEST_CASE("a value that fails is not chosen, and the present one may not fail") {
  auto all = values({0, 1});
  const auto fails_with = [](int64_t bad) {
    return [bad](int64_t value) -> double {
      if (value == bad) throw levin::Error(LEVIN_E_INTERNAL, "view size is not compatible");
      return 1;
    };
  };
  CHECK(compare(all, fails_with(1), [] { return true; }) == 0);
  CHECK(all[1].failure == "view size is not compatible");
  CHECK_THROWS_AS(compare(all, fails_with(0), [] { return true; }), levin::Error);
}

TEST_CASE("nothing is chosen if the time ends too early") {
  Steps steps{{{4, {1}}, {1, {0.1}}}, {}, {}};
  auto all = values({4, 1});
  int rounds = 0;
  CHECK(compare(
            all, [&](int64_t value) { return steps(value); }, [&] { return ++rounds < 4; }) == 0);
  CHECK(all[1].seconds.size() == 3);
}

TEST_CASE("candidates follow the machine and the data") {
  const auto candidates = [](const char* name, int64_t now, const Situation& situation) {
    for (const Setting& setting : settings())
      if (setting.name == std::string(name)) return setting.candidates(now, situation);
    return std::vector<int64_t>{-1};
  };
  using Values = std::vector<int64_t>;
  CHECK(candidates("num_threads", 16, {}) == Values{8, 4, 1});
  CHECK(candidates("num_threads", 2, {}) == Values{1});
  CHECK(candidates("num_threads", 1, {}).empty());
  CHECK(candidates("channels_last", 0, {}).empty());
  CHECK(candidates("channels_last", 0, {true, false, false}) == Values{1});
  CHECK(candidates("num_workers", 0, {}) == Values{1, 2});
  CHECK(candidates("num_workers", 0, {false, true, false}).empty());
  CHECK(candidates("num_threads", 16, {false, false, true}).empty());
  CHECK(candidates("cpu_kernels", 1, {}) == Values{0});
}

TEST_CASE("choices are kept by key, and a damaged file is replaced") {
  const TempFolder folder;
  const auto file = folder.path() / "levin" / "autotune.json";
  std::string damage;
  CHECK_FALSE(read_choice(file, "a", damage));
  CHECK(damage.empty());
  CHECK(keep_choice(file, "a", {{"chosen", 1}}).empty());
  CHECK(keep_choice(file, "b", {{"chosen", 2}}).empty());
  CHECK(keep_choice(file, "a", {{"chosen", 3}}).empty());
  CHECK(read_choice(file, "a", damage)->at("chosen") == 3);
  CHECK(read_choice(file, "b", damage)->at("chosen") == 2);
  for (const char* text : {"", "{", "[]", "{\"format\": \"levin autotune 2\", \"choices\": []}"}) {
    std::ofstream(file, std::ios::trunc) << text;
    CHECK_FALSE(read_choice(file, "a", damage));
    CHECK(damage == "it is damaged or has another format");
  }
  CHECK(keep_choice(file, "a", {{"chosen", 4}}).empty());
  CHECK(read_choice(file, "a", damage)->at("chosen") == 4);
  for (int i = 0; i < 250; ++i) keep_choice(file, i, {{"chosen", i}});
  CHECK_FALSE(read_choice(file, "a", damage));
  CHECK(read_choice(file, 249, damage));
}

TEST_CASE("a choice that cannot be kept says why") {
  const TempFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  CHECK_FALSE(keep_choice(folder.path() / "file" / "autotune.json", "a", json::object()).empty());
  CHECK(keep_choice("", "a", json::object()) == "there is no home folder");
}

TEST_CASE("autotune sets what is faster, and the next run takes it without a measurement") {
  const CacheFolder cache;
  TunedHost host;
  Component first(host, "autotune");
  first.send(LEVIN_HOOK_FIT_START);
  CHECK(host.numbers["num_threads"] == 1);
  CHECK(host.options_set == std::map<std::string, std::string>{{"trainer.num_threads", "1"}});
  CHECK(host.calls.back() == "end of trial 0");

  TunedHost next;
  Component second(next, "autotune");
  second.send(LEVIN_HOOK_FIT_START);
  CHECK(next.trial_steps == 0);
  CHECK(next.numbers["num_threads"] == 1);

  TunedHost other;  // with other data
  other.numbers["batch_size"] = 7;
  Component third(other, "autotune");
  third.send(LEVIN_HOOK_FIT_START);
  CHECK(other.trial_steps > 0);

  TunedHost resumed;
  resumed.numbers["resumed"] = 1;
  Component fourth(resumed, "autotune");
  fourth.load(first.save());
  fourth.send(LEVIN_HOOK_FIT_START);
  CHECK(resumed.trial_steps == 0);
  CHECK(resumed.numbers["num_threads"] == 1);
}

TEST_CASE("autotune leaves settings that the user gave") {
  const CacheFolder cache;
  TunedHost host;
  host.texts["origin.trainer.num_threads"] = "--num_threads";
  Component c(host, "autotune");
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(host.numbers["num_threads"] == 4);
  CHECK_THAT(host.printed.back(), ContainsSubstring("not measured: given by --num_threads"));
}

TEST_CASE("autotune says when it measures nothing") {
  const CacheFolder cache;
  const auto message = [](TunedHost& host) {
    Component c(host, "autotune");
    c.send(LEVIN_HOOK_FIT_START);
    CHECK(host.numbers["num_threads"] == 4);
    return host.messages.empty() ? "" : host.messages.back().second;
  };
  TunedHost deterministic, several, resumed, broken;
  deterministic.texts["config"] = R"({"trainer": {"deterministic": "warn"}})";
  several.world_size = 2;
  resumed.numbers["resumed"] = 1;
  broken.trial_step = [](int64_t, double*) -> levin_status { return LEVIN_E_INTERNAL; };
  CHECK_THAT(message(deterministic), ContainsSubstring("trainer.deterministic promises results"));
  CHECK_THAT(message(several), ContainsSubstring("all processes have to choose the same"));
  CHECK_THAT(message(resumed), ContainsSubstring("keeps the settings that it began with"));
  CHECK_THAT(message(broken), ContainsSubstring("measures nothing: a training step"));
  CHECK(broken.calls.back() == "end of trial 0");
}

TEST_CASE("an interrupted measurement changes and keeps nothing") {
  const CacheFolder cache;
  TunedHost host;
  host.trial_step = [&](int64_t, double* loss) -> levin_status {
    *loss = 0;
    host.numbers["interrupted"] = 1;
    return LEVIN_OK;
  };
  Component c(host, "autotune");
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(host.options_set.empty());
  CHECK_FALSE(std::filesystem::exists(choices_file()));
}

TEST_CASE("the report fits into 80 columns") {
  Report report;
  report.rows.push_back({&settings()[0], {measured({0.0191}), {1, {}, "", false}}, 0, ""});
  report.rows.push_back(
      {&settings()[2],
       {{64, {0.1}, "", false}, {32, {0.09}, "", false}, {16, {0.08}, "", false}, {1, {0.07}, "", false}},
       3,
       ""});
  report.rows.push_back({&settings()[3], {measured({})}, 0, "given by --data.num_workers"});
  std::istringstream text(report.text());
  for (std::string line; std::getline(text, line);) CHECK(line.size() <= 80);
  CHECK_THAT(report.text(), ContainsSubstring("43 %"));
}

}  // namespace autotune_test
