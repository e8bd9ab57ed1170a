// The seed in use, and the variables that pass it to other processes. LEVIN_ corresponds to Lightning's PL_.
#include "core/config/trainer/run_plan.hpp"

#include <stdlib.h>

#include "conformance/registry.hpp"

namespace conformance {
namespace {

std::string variable(const char* name) {
  const char* value = ::getenv(name);
  return value ? value : "";
}

Outcome run_seed(const Case& c) {
  ::unsetenv("LEVIN_GLOBAL_SEED");
  ::unsetenv("LEVIN_SEED_WORKERS");
  const json& environment = c.inputs.at("env");
  if (environment.contains("PL_GLOBAL_SEED"))
    ::setenv("LEVIN_GLOBAL_SEED", environment["PL_GLOBAL_SEED"].get<std::string>().c_str(), 1);
  Outcome out;
  const uint64_t seed = levin::core::chosen_seed(c.inputs.at("seed"));
  levin::core::announce_seed(seed);
  out.seen = {{"seed", seed},
              {"PL_GLOBAL_SEED", variable("LEVIN_GLOBAL_SEED")},
              {"PL_SEED_WORKERS", variable("LEVIN_SEED_WORKERS")}};
  ::unsetenv("LEVIN_GLOBAL_SEED");
  return out;
}

const SuiteEntry seed_suite("seed", &run_seed);

}  // namespace
}  // namespace conformance
