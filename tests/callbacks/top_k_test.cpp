#include <cmath>

#include "callbacks/model_checkpoint/top_k.hpp"
#include "catch.hpp"

namespace top_k_test {
using levin::model_checkpoint::TopK;

namespace {

// Offers scores to the list, named by their index. Returns the names that were added and those that were removed.
struct Outcome {
  std::string taken, gone, best, kth;
};

Outcome offer(int64_t k, bool maximize, const std::vector<double>& scores) {
  TopK top(k, maximize);
  Outcome out;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!top.wants(scores[i])) continue;
    out.taken += std::to_string(i);
    out.gone += top.evicted();
    top.add(std::to_string(i), scores[i]);
  }
  out.best = top.state().best_path;
  out.kth = top.state().kth_path;
  return out;
}

}  // namespace

TEST_CASE("the best k are kept") {
  const double nan = std::nan("");
  struct Case {
    const char* what;
    int64_t k;
    bool maximize;
    std::vector<double> scores;
    Outcome want;
  };
  const Case cases[] = {
      {"the best one", 1, false, {3, 5, 2, 2.5}, {"02", "0", "2", "2"}},
      {"the best two", 2, false, {3, 5, 2, 2.5}, {"0123", "10", "2", "3"}},
      {"more is better", 2, true, {3, 5, 2, 4}, {"013", "0", "1", "3"}},
      {"all", -1, false, {3, 5, 2}, {"012", "", "2", "1"}},
      {"none", 0, false, {3, 5}, {"", "", "", ""}},
      {"not full yet: no k-th", 3, false, {3, 5}, {"01", "", "0", ""}},
      {"an equal score does not push out", 1, false, {3, 3}, {"0", "", "0", "0"}},
      {"of equal scores the older is best and goes first", 2, false, {3, 3, 1}, {"012", "0", "2", "1"}},
      {"NaN is saved while there is room and goes first", 2, false, {nan, 3, 4}, {"012", "0", "1", "2"}},
      {"NaN pushes nothing out", 1, true, {1, nan}, {"0", "", "0", "0"}},
  };
  for (const Case& c : cases) {
    INFO(c.what);
    const Outcome got = offer(c.k, c.maximize, c.scores);
    CHECK(got.taken == c.want.taken);
    CHECK(got.gone == c.want.gone);
    CHECK(got.best == c.want.best);
    CHECK(got.kth == c.want.kth);
  }
}

TEST_CASE("a path that is written again keeps one place") {
  TopK top(-1, false);
  top.add("same", 3);
  top.add("same", 1);
  REQUIRE(top.state().models.size() == 1);
  CHECK(top.state().models[0].second == 1);
  CHECK(top.state().best_score == 1.0);
}

}  // namespace top_k_test
