// Help on the transforms of --data.transforms.
#pragma once
#include <string>

namespace levin::core {

int print_transforms();  // returns 0
// Prints the transform with this name. Returns the number of transforms printed.
int print_transform(const std::string& name);

}  // namespace levin::core
