// Shared by the suites on hook order: the model of a case, and the events that are compared.
#pragma once
#include <string>
#include <vector>

#include "conformance/harness/scripted_run.hpp"

namespace conformance {

// name: "lm.train"; patterns: "lm.train", "*.state_dict".
bool may_be_left_out(const std::string& name, const std::vector<std::string>& patterns);

// A run whose model and callbacks record every hook. `model`: as in the case file.
ScriptedRun recorded_run(const json& model, int user_callbacks);

// Creates the checkpoint from which the case resumes, in its own folder.
struct FirstRun {
  Observed run;  // owns the folder
  std::string checkpoint;
};
FirstRun make_first_run(const ScriptedRun& like, const json& first_run);

}  // namespace conformance
