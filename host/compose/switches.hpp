// What the Trainer's own options say about callbacks and loggers.
#pragma once
#include <set>
#include <string>

#include "host/compose/claims.hpp"

namespace levin::core {

// Why a component is off that the real run has.
inline constexpr const char* off_in_fast_dev_run = "trainer.fast_dev_run";

// trainer: as resolve_trainer() makes it; by_user: names of the trainer group to which the user gave the value true.
// Marks as off the components that trainer.logger, fast_dev_run and barebones switch off. Throws Error{usage} on
// contradictions.
void apply_trainer_switches(Composition& composition, const Claims& claims, const nlohmann::json& trainer,
                            const std::set<std::string>& true_by_user);

// Throws Error{usage} for two instances of a component of which a run has one at most.
void refuse_second_instances(const Composition& composition);

}  // namespace levin::core
