// Trainer options that components claim: --trainer.enable_x switches a component on or off, and --trainer.x sets one of
// its options.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

struct Claim {
  std::string name, option, help;  // option empty = the claim is a switch
  FoundComponent by;
  std::string group;  // "callback" or "logger"
};

// Claims by trainer option. Claims of the chosen components come first, then the claims of all other components found.
using Claims = std::map<std::string, std::vector<Claim>>;
Claims find_claims(const Composition& composition, ComponentSource& source);

// Returns the claimed option as a trainer option, nullable and null by default.
OptionSchema claimed_option(const std::vector<Claim>& claims);

// If `on` is true, makes sure that the component has an instance; otherwise switches all its instances off. Throws
// Error{usage} if the user named one of the instances to switch off.
void apply_switch(Composition& composition, const std::vector<Claim>& claims, const Setting& setting, bool on);

// Sets the option of the instance named after its component's id, else of the first instance, else of a new instance.
// Throws Error{usage} if the user also gave that instance's option a different value.
void apply_option(Composition& composition, const std::vector<Claim>& claims, const Setting& setting);

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
