// Rules 1 to 9, for every component.
#pragma once
#include <map>
#include <string>

#include "core/abi/state_bag.hpp"
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// Returns a value for every option: its default, or for a required option the first value that the schema allows.
nlohmann::json default_options(const ComponentSchema& schema);
// Returns default_options(), overridden by the values given for the component under "KIND.ID".
nlohmann::json options_of(const ComponentSchema& schema, const nlohmann::json& given);

StateBag saved_state(Component& component);
// Returns the key in which the states differ; "" = none.
std::string difference(const StateBag& a, const StateBag& b);
// Returns the values of a state by key, as texts short enough for a message. Different values have different texts.
std::map<std::string, std::string> described(const StateBag& state);

// Returns false if the component cannot be created, so that no other rule can be checked.
bool check_creation(Report& report, const Subject& subject);
// Saves the state, loads it into another instance and saves it again.
void check_state(Report& report, const Subject& subject);

}  // namespace levin::core
