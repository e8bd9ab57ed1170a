#pragma once
#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

// Returns the processor time that a step of a small convolutional network takes in bf16-mixed or bf16-true on the CPU,
// as a multiple of its time in 32-true. Measures it with the present number of intra-op threads, in some 50 ms. Draws
// no random numbers.
double measured_cost(PrecisionType bf16);

}  // namespace levin::core
