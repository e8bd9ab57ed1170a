// Rules 1 to 9: on every component.
#pragma once
#include "host/engine/check/report.hpp"
#include "host/engine/check/subject.hpp"

namespace levin::core {

// A value for every option: its default, or for a required one the first that the schema allows.
nlohmann::json default_options(const ComponentSchema& schema);

// False: it cannot even be made, so that other rules have no subject.
bool check_creation(Report& report, const Subject& subject);
// Saves, loads into another instance and saves again.
void check_state(Report& report, const Subject& subject);

}  // namespace levin::core
