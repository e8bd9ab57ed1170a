// The mean and deviation of inputs.
#pragma once
#include "array.hpp"

namespace arrays {

// Sets mean and deviation, where they are NaN, to those of all elements of the rows. Throws levin::Error if an element
// is not finite.
void measure(const Array& inputs, const std::vector<uint32_t>& rows, double& mean, double& deviation);

}  // namespace arrays
