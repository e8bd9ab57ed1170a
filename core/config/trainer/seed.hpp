// The seed of all random numbers, with the rules of Lightning's seed_everything.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace levin::core {

// Returns the seed. null means the environment variable LEVIN_GLOBAL_SEED, or 0 if it is not set. Fractions are
// truncated. Throws Error{usage} unless the result is a number in [0, 4294967295].
uint64_t chosen_seed(const nlohmann::json& given);

// Sets LEVIN_GLOBAL_SEED, and LEVIN_SEED_WORKERS to 0, for child processes. Call it before any thread is started,
// because it changes the environment.
void announce_seed(uint64_t seed);

}  // namespace levin::core
