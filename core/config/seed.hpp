// The seed of all random numbers, as Lightning's seed_everything takes it.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace levin::core {

// null: that of the environment (LEVIN_GLOBAL_SEED), else 0. A fraction is cut off. Throws Error{usage} for what is no
// number in [0, 4294967295].
uint64_t chosen_seed(const nlohmann::json& given);

// Sets LEVIN_GLOBAL_SEED, and LEVIN_SEED_WORKERS to 0, for the processes that this one starts. Before any thread.
void announce_seed(uint64_t seed);

}  // namespace levin::core
