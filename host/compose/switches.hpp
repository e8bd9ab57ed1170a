// Applies the Trainer's own options that switch callbacks and loggers off.
#pragma once
#include <set>
#include <string>

#include "host/compose/claims.hpp"

namespace levin::core {

// Value of ChosenComponent::off for a component that is off only because of fast_dev_run.
inline constexpr const char* off_in_fast_dev_run = "trainer.fast_dev_run";

// Switches off the components that trainer.logger, fast_dev_run and barebones exclude. trainer: the result of
// resolve_trainer(). true_by_user: the trainer options that the user set to true. Throws Error{usage} if options
// contradict each other.
void apply_trainer_switches(Composition& composition, const Claims& claims, const nlohmann::json& trainer,
                            const std::set<std::string>& true_by_user);

// Throws Error{usage} if a component with LEVIN_F_ONE_ONLY has two instances.
void refuse_second_instances(const Composition& composition);

}  // namespace levin::core
