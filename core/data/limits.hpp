// Limits of the number of batches that a run uses of a loader.
#pragma once
#include <optional>
#include <string>

#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

constexpr int64_t unlimited = -1;

// Returns the number of batches to use of a loader; `unlimited` only if its length is unknown. option: the option's
// name for messages. Throws Error{usage} for a fraction that gives no batch, or of an unknown length.
int64_t limit_batches(std::optional<int64_t> length, const Limit& limit, const std::string& option);

// Returns the number of batches of one validation loader in the sanity check. num_sanity_val_steps: -1 = all.
// val_batches: the number of batches that validation uses of the loader, or `unlimited`.
int64_t sanity_batches(int64_t num_sanity_val_steps, int64_t val_batches);

}  // namespace levin::core
