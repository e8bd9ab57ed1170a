// What the suites of schedules observe of a fit: validations, steps, epochs.
#pragma once
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {

// ScalarModel on the case's numbers of batches, with its flags, its script and its logs.
ScriptedRun schedule_request(const json& inputs);
Outcome run_schedule(ScriptedRun request);

}  // namespace conformance
