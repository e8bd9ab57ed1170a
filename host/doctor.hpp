// host doctor: what a run finds on this machine.
#pragma once

namespace levin::core {

// The part that needs no LibTorch; the engine says the rest.
int doctor_command();

}  // namespace levin::core
