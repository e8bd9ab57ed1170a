// The part of `host doctor` that needs LibTorch.
#pragma once

namespace levin::core {

int print_doctor();

}  // namespace levin::core
