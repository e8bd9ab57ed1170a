// Options of the trainer group that components serve: --trainer.enable_x switches a component, --trainer.x sets its
// option.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

struct Claim {
  std::string name, option, help;  // option "": a switch
  FoundComponent by;
  std::string group;  // "callback" or "logger"
};

// Claims by trainer option: of the components in use first, then of every component that can be found.
using Claims = std::map<std::string, std::vector<Claim>>;
Claims find_claims(const Composition& composition, ComponentSource& source);

// The claimed option as one of the trainer's: nullable, null by default.
OptionSchema claimed_option(const std::vector<Claim>& claims);

// true: there is an instance; false: there is none. Throws Error{usage} if the user named one and switches it off.
void apply_switch(Composition& composition, const std::vector<Claim>& claims, const Setting& setting, bool on);

// Gives the option to the instance that is named like its component, else to the first other one, else adds an
// instance.
void apply_option(Composition& composition, const std::vector<Claim>& claims, const Setting& setting);

}  // namespace levin::core
