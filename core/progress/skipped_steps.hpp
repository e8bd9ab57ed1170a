// The optimizer steps that trainer.non_finite=skip skipped, over all sessions of a fit.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

namespace levin::core {

struct SkippedSteps {
  int64_t total = 0, in_a_row = 0;
  int64_t last = -2;  // global step of the last skipped step

  void add(int64_t step) {
    ++total;
    in_a_row = step == last + 1 ? in_a_row + 1 : 1;
    last = step;
  }
  nlohmann::json state_dict() const { return {{"total", total}, {"in_a_row", in_a_row}, {"last", last}}; }
  // state: the result of state_dict(), or null.
  static SkippedSteps from(const nlohmann::json& state) {
    if (state.is_null()) return {};
    return {state.at("total").get<int64_t>(), state.at("in_a_row").get<int64_t>(), state.at("last").get<int64_t>()};
  }
};

}  // namespace levin::core
