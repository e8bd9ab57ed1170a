#include "core/data/combined_loader.hpp"

#include "catch.hpp"

using namespace levin::core;

namespace {

// Returns the steps of loaders a, b, ... of these lengths, e.g. "a0 b0 | a1 -".
std::string steps(const std::string& mode, const std::vector<int64_t>& lengths,
                  const std::vector<std::optional<int64_t>>& limits = {}) {
  std::vector<int64_t> at(lengths.size(), 0);
  std::vector<CombinedLoader::Source> sources;
  for (size_t i = 0; i < lengths.size(); ++i)
    sources.push_back(
        {[&, i] { return at[i]++ < lengths[i]; }, [&, i] { at[i] = 0; }, i < limits.size() ? limits[i] : std::nullopt});
  CombinedLoader loader(combined_mode_from(mode), sources);
  CombinedLoader::Step step;
  std::string out;
  while (loader.next(step)) {
    out += out.empty() ? "" : " | ";
    for (size_t i = 0; i < lengths.size(); ++i) {
      if (mode == "sequential" && !step.present[i]) continue;
      out += i && out.back() != ' ' ? " " : "";
      out += step.present[i] ? std::string(1, static_cast<char>('a' + i)) + std::to_string(at[i] - 1) : "-";
    }
    if (mode == "sequential") out += "=" + std::to_string(step.batch_idx) + "," + std::to_string(step.dataloader_idx);
  }
  return out;
}

}  // namespace

TEST_CASE("loaders combine in Lightning's four modes") {
  struct Case {
    const char* mode;
    std::vector<int64_t> lengths;
    std::vector<std::optional<int64_t>> limits;
    const char* steps;
  };
  const Case cases[] = {
      {"min_size", {1, 3}, {}, "a0 b0"},
      {"min_size", {3, 2}, {1, 1}, "a0 b0"},
      {"min_size", {0, 2}, {}, ""},
      {"max_size", {2, 3}, {}, "a0 b0 | a1 b1 | - b2"},
      {"max_size", {3, 3}, {1, 2}, "a0 b0 | - b1"},
      {"max_size", {2, 0}, {}, "a0 - | a1 -"},
      {"max_size_cycle", {1, 4, 2}, {}, "a0 b0 c0 | a0 b1 c1 | a0 b2 c0 | a0 b3 c1"},
      {"max_size_cycle", {3, 3}, {1, 2}, "a0 b0 | a0 b1"},
      {"max_size_cycle", {0, 2}, {}, ""},
      {"max_size_cycle", {2, 0}, {}, ""},
      {"sequential", {2, 0, 1}, {}, "a0=0,0 | a1=1,0 | c0=0,2"},
      {"sequential", {3, 3}, {1, 2}, "a0=0,0 | b0=0,1 | b1=1,1"},
      {"max_size", {}, {}, ""},
  };
  for (const Case& c : cases) {
    INFO(c.mode << " " << c.lengths.size());
    CHECK(steps(c.mode, c.lengths, c.limits) == c.steps);
  }
}

TEST_CASE("the length of a combination is known where its loaders' are") {
  using Lengths = std::vector<std::optional<int64_t>>;
  CHECK(combined_length(CombinedMode::sequential, {2, 3}) == 5);
  CHECK(combined_length(CombinedMode::min_size, {2, 3}) == 2);
  CHECK(combined_length(CombinedMode::max_size, {2, 3}) == 3);
  CHECK(combined_length(CombinedMode::max_size_cycle, {2, 3}) == 3);
  CHECK(combined_length(CombinedMode::max_size, Lengths{}) == 0);
  CHECK_FALSE(combined_length(CombinedMode::max_size, {2, std::nullopt}));
}

TEST_CASE("an unknown mode is refused with the valid ones") {
  CHECK_THROWS_WITH(combined_mode_from("zip"), ContainsSubstring("zip") && ContainsSubstring("max_size_cycle"));
}
