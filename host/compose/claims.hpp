// Options of the trainer group that components serve, because they claim them: --trainer.enable_x switches a component
// on or off, and --trainer.x sets one of its options.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

struct Claim {
  std::string name, option, help;  // option "": the claim is a switch
  FoundComponent by;
  std::string group;  // "callback" or "logger"
};

// Claims by trainer option. Those of the chosen components come first, then those of every component that is found.
using Claims = std::map<std::string, std::vector<Claim>>;
Claims find_claims(const Composition& composition, ComponentSource& source);

// Returns the claimed option as a trainer option, which is nullable and null by default.
OptionSchema claimed_option(const std::vector<Claim>& claims);

// on: makes sure that there is an instance; else switches all instances off. Throws Error{usage} if one of those was
// named by the user.
void apply_switch(Composition& composition, const std::vector<Claim>& claims, const Setting& setting, bool on);

// Sets the option of the instance that has its component's id as name, or else of the first instance, or else of a new
// instance. Throws Error{usage} if the user also gave that instance's option another value.
void apply_option(Composition& composition, const std::vector<Claim>& claims, const Setting& setting);

}  // namespace levin::core
