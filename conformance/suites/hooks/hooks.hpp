// What the suites of hook orders share: the model that a case asks for, and which events count.
#pragma once
#include <string>
#include <vector>

#include "conformance/harness/scripted_run.hpp"

namespace conformance {

// name: "lm.train"; patterns: "lm.train", "*.state_dict".
bool may_be_left_out(const std::string& name, const std::vector<std::string>& patterns);

// A run whose model and callbacks write down every hook; `model` as in the vocabulary.
ScriptedRun recorded_run(const json& model, int user_callbacks);

// Makes the checkpoint that the case resumes from, in a folder of its own: the first run's folder, and the file.
struct FirstRun {
  Observed run;  // keeps the folder
  std::string checkpoint;
};
FirstRun make_first_run(const ScriptedRun& like, const json& first_run);

}  // namespace conformance
