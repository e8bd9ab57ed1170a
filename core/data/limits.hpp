// How many batches of a loader a run uses.
#pragma once
#include <optional>
#include <string>

#include "core/config/run_plan.hpp"

namespace levin::core {

constexpr int64_t unlimited = -1;

// `unlimited` only for a loader of unknown length. option: the option's name, for errors.
int64_t limit_batches(std::optional<int64_t> length, const Limit& limit, const std::string& option);

}  // namespace levin::core
