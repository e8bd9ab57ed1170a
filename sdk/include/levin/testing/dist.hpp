// "levin.dist/1" of the fake host: the test says how many ranks there are, and which of them it is. A reduction leaves
// a tensor as it is.
#pragma once
#include "levin/testing/services.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing::detail {

inline const levin_dist& dist() {
  static const levin_dist table = [] {
    levin_dist t{};
    t.size = sizeof t;
    t.rank = [](levin_run* run) { return World::of(run).rank; };
    t.world_size = [](levin_run* run) { return World::of(run).world_size; };
    t.all_reduce = [](levin_run* run, levin_tensor*, uint32_t reduce) { return call(run, "all_reduce", reduce); };
    t.broadcast = [](levin_run* run, levin_tensor*, uint32_t root) { return call(run, "broadcast", root); };
    t.barrier = [](levin_run* run) -> levin_status {
      World::of(run).calls.emplace_back("barrier");
      return LEVIN_OK;
    };
    return t;
  }();
  return table;
}

}  // namespace levin::testing::detail
#pragma GCC visibility pop
