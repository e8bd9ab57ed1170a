// Help on the transforms of --data.transforms.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

int print_transforms();  // returns 0
// Prints the transform with this name. Returns the number of transforms printed.
int print_transform(const std::string& name);
std::vector<std::string> transform_names();

}  // namespace levin::core
