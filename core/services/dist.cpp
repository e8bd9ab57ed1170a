// "levin.dist/1". A run has only one process, so reductions return the tensor unchanged.
// What is no reduction or no rank is refused here, so that it does not come out with the first run of several
// processes.
#include <string>

#include "core/abi/failure.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

levin_status all_reduce(levin_run*, levin_tensor*, uint32_t reduce) {
  if (reduce <= LEVIN_REDUCE_CAT) return LEVIN_OK;
  return failed_service("all_reduce: there is no reduction " + std::to_string(reduce) + "; LEVIN_REDUCE_* lists them",
                        LEVIN_E_INVALID);
}

levin_status broadcast(levin_run*, levin_tensor*, uint32_t root) {
  if (root == 0) return LEVIN_OK;
  return failed_service("broadcast: there is no rank " + std::to_string(root) + " in a run of one process",
                        LEVIN_E_INVALID);
}

}  // namespace

const levin_dist* dist_service() {
  static const levin_dist table = [] {
    levin_dist t{};
    t.size = sizeof t;
    t.rank = [](levin_run*) { return 0u; };
    t.world_size = [](levin_run*) { return 1u; };
    t.all_reduce = &all_reduce;
    t.broadcast = &broadcast;
    t.barrier = [](levin_run*) -> levin_status { return LEVIN_OK; };
    return t;
  }();
  return &table;
}

}  // namespace levin::core
