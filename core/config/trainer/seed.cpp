#include "core/config/trainer/seed.hpp"

#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/trainer/trainer_rules.hpp"

namespace levin::core {

namespace {

uint64_t checked_seed(const nlohmann::json& given, const std::string& where) {
  const nlohmann::json checked = trainer_rules::seed(given);
  if (checked.is_number()) return checked.get<uint64_t>();
  throw Error(ErrorKind::usage, where + " is " + show(given) + "; it has to be a number in [0, 4294967295]");
}

}  // namespace

uint64_t chosen_seed(const nlohmann::json& given) {
  const char* environment = ::getenv("LEVIN_GLOBAL_SEED");
  if (!given.is_null()) return checked_seed(given, "the seed");
  return environment ? checked_seed(environment, "the seed of the environment, LEVIN_GLOBAL_SEED,") : 0;
}

void announce_seed(uint64_t seed) {
  ::setenv("LEVIN_GLOBAL_SEED", std::to_string(seed).c_str(), 1);
  ::setenv("LEVIN_SEED_WORKERS", "0", 1);  // data loader workers are not seeded separately
}

}  // namespace levin::core
