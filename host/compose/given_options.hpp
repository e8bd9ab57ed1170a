// Which options the user set, and which only have the values that hold without the user. A printed configuration has
// every option, so that a value in a file does not yet mean that the user set it.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

// Returns true if the user set the component's option. In a file that has every option of the component, only values
// that differ from the defaults count as set.
bool user_set_option(const ChosenComponent& chosen, const OptionSchema& option, const std::vector<Setting>& settings);

// Returns true if the user set this checked value of a loader option. In a file, only values that differ from the value
// that holds without the file count as set. loader: the values of the loader options before this one.
bool user_set_loader_option(const Setting& said, const nlohmann::json& value, const OptionSchema& option,
                            const nlohmann::json& loader, const std::vector<Setting>& settings);

}  // namespace levin::core
