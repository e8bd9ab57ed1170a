// What only a process with LibTorch can tell about the machine.
#pragma once

namespace levin::core {

int print_doctor();

}  // namespace levin::core
