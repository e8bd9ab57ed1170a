// How many batches of a loader a run uses.
#pragma once
#include <optional>
#include <string>

#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

constexpr int64_t unlimited = -1;

// The number of batches to use of a loader. It is `unlimited` only if the loader's length is unknown. `option` is the
// option's name for errors.
int64_t limit_batches(std::optional<int64_t> length, const Limit& limit, const std::string& option);

// The number of batches to use of one validation loader in the sanity check. `num_sanity_val_steps` is -1 for all, and
// `val_batches` is what validation uses of the loader, or `unlimited`.
int64_t sanity_batches(int64_t num_sanity_val_steps, int64_t val_batches);

}  // namespace levin::core
