#include <filesystem>
#include <limits>

#include "callbacks/spike_detection/spike_rule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

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
}

TEST_CASE("spike_detection ends the fit and names the batches to leave out") {
  FakeHost host;
  const auto dir = std::filesystem::temp_directory_path() / "levin_spike_test";
  Component c(host, "spike_detection", {{"exclude_batches_path", dir.string()}});
  const auto batch = [&](int64_t i, float loss) {
    levin_event event = host.event(LEVIN_HOOK_TRAIN_BATCH_END);
    event.batch_idx = i;
    event.loss = host.tensor({loss}, {1});
    c.send(event);
  };
  batch(0, 1);
  batch(1, 0.9F);
  CHECK_THROWS_WITH(batch(2, 50), ContainsSubstring("batch 2") && ContainsSubstring("skip_batches.json"));
  CHECK(std::filesystem::exists(dir / "skip_batches.json"));
  std::filesystem::remove_all(dir);
}
