// What the engine does besides training.
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace levin::core {

int print_doctor();
// facts: those that the host has found, as an object. Prints them with those of print_doctor() as JSON.
int print_doctor_json(nlohmann::json facts);

// request: {"checkpoint": FILE, "plugin": FILE, "trust": false, "output": FILE}. Writes the model as TorchScript.
// Returns the exit code; throws Error.
int export_torchscript(const nlohmann::json& request);

// Under a memory limit the product may wait forever, so `host` tries this function in a separate process first. It
// allocates extra memory as a reserve for the run.
void warm_up_blas();
// Multiplies only if the address space is limited. Call it before plugins allocate memory.
void multiply_under_limit();

}  // namespace levin::core
