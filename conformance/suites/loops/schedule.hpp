// Shared by the suites on schedules: they observe validations, steps and epochs of a fit.
#pragma once
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {

// A run of ScalarModel with the case's numbers of batches, flags, script and logs.
ScriptedRun schedule_request(const json& inputs);
Outcome run_schedule(ScriptedRun request);

}  // namespace conformance
