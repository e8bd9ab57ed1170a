// Candidates for the options of a run and their values, with the components that the command line names.
#pragma once
#include <string>
#include <vector>

#include "host/complete/completion.hpp"

namespace levin::core {

// Adds the options that every run has, unless the word has a dot.
void add_run_arguments(const std::string& word, Completion& out);

// Adds them, then those of the Trainer and the named components. An option has its short name while
// no dot is typed, where this name is of one option only.
void add_options(const std::vector<std::string>& words, Completion& out);

// Adds the values of an option, which is given without dashes, or sets the kind of its paths. typed: the value so far.
void add_values(const std::vector<std::string>& words, const std::string& option, const std::string& typed,
                Completion& out);

}  // namespace levin::core
