#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>

#include "callbacks/spike_detection/spike_rule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace spike_detection_test {
using levin::spike_detection::SpikeOptions;
using levin::spike_detection::SpikeRule;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

int64_t first_spike(const SpikeOptions& options, const std::vector<double>& losses) {
  SpikeRule rule(options);
  for (size_t i = 0; i < losses.size(); ++i)
    if (rule.add(static_cast<int64_t>(i), losses[i])) return static_cast<int64_t>(i);
  return -1;
}

}  // namespace

TEST_CASE("a leap away from the running mean is a spike") {
  const double inf = std::numeric_limits<double>::infinity();
  SpikeOptions absolute;
  absolute.atol = 0.5;
  absolute.rtol.reset();
  CHECK(first_spike(absolute, {1, 1.1, 1.5, 2.2}) == 3);
  CHECK(first_spike({}, {1, 0.5, inf}) == 2);
  CHECK(first_spike({}, {1, 2, 10}) == 2);
  SpikeOptions any;
  any.finite_only = false;
  CHECK(first_spike(any, {1, 0.5, inf, 0.2}) == 2);
  CHECK(first_spike(any, {1, 0.5, std::nan(""), 0.2}) == -1);
  CHECK(SpikeRule::bad_batches(3) == std::vector<int64_t>{2, 3});
}

namespace {

// A component with its file in an empty folder.
struct Watched {
  explicit Watched(levin::testing::Options options = {}) {
    std::filesystem::remove_all(dir);
    options.set({"exclude_batches_path", dir.string()});
    component = std::make_unique<Component>(host, "spike_detection", options);
  }
  ~Watched() { std::filesystem::remove_all(dir); }
  void batch(int64_t i, float loss) {
    levin_event event = host.event(LEVIN_HOOK_TRAIN_BATCH_END);
    event.batch_idx = i;
    event.loss = host.tensor({loss}, {1});
    component->send(event);
  }
  std::string file() const {
    std::ostringstream out;
    out << std::ifstream(dir / "skip_batches.json").rdbuf();
    return out.str();
  }
  std::filesystem::path dir = std::filesystem::temp_directory_path() / "levin_spike_test";
  FakeHost host;
  std::unique_ptr<Component> component;
};

}  // namespace

TEST_CASE("spike_detection ends the fit and names the batches to leave out") {
  Watched w;
  w.batch(0, 1);
  w.batch(1, 0.9F);
  CHECK_THROWS_WITH(w.batch(2, 50), ContainsSubstring("batch 2") && ContainsSubstring("skip_batches.json"));
  CHECK(w.file() == "[1,2]\n");
}

TEST_CASE("a second spike is written behind the first") {
  Watched w;
  w.batch(0, 1);
  CHECK_THROWS(w.batch(5, 50));
  Component later(w.host, "spike_detection", {{"exclude_batches_path", w.dir.string()}});
  levin_event event = w.host.event(LEVIN_HOOK_TRAIN_BATCH_END);
  event.batch_idx = 8;
  event.loss = w.host.tensor({std::numeric_limits<float>::infinity()}, {1});
  CHECK_THROWS(later.send(event));
  CHECK(w.file() == "[4,5,7,8]\n");
}

TEST_CASE("the first batch has none before it") {
  Watched w({{"warmup", 0}});
  CHECK_THROWS(w.batch(0, std::numeric_limits<float>::infinity()));
  CHECK(w.file() == "[0]\n");
}

TEST_CASE("spike_detection goes on from its state") {
  Watched first;
  first.batch(0, 1);
  const auto state = first.component->save();
  Watched second;
  second.component->load(state);
  CHECK_THROWS(second.batch(1, 50));  // without the restored losses this is no spike
  CHECK(second.component->save().bytes.at("bad_batches").size() == 2 * sizeof(int64_t));
}

TEST_CASE("a run without a folder writes nothing") {
  Watched w;
  w.host.texts["run_dir"] = "";
  w.batch(0, 1);
  CHECK_THROWS_WITH(w.batch(1, 50), ContainsSubstring("batch 1") && !ContainsSubstring("skip_batches"));
  CHECK_FALSE(std::filesystem::exists(w.dir));
}

}  // namespace spike_detection_test
