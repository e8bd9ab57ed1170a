// What the commands do, each with the words that follow it. Returns the exit code; throws Error. Commands that answer
// something about plugin files run none of their code in this process.
#pragma once
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

// run, fit, validate, test, tune and predict: from the command line to the engine.
int run_command(Command command, const std::vector<std::string>& words);
// words: the run folder, then options that change the saved run.
int resume_command(const std::vector<std::string>& words);
int plugins_command(const std::vector<std::string>& words);
int inspect_command(const std::vector<std::string>& words);
int check_command(const std::vector<std::string>& words);
// The part that needs no LibTorch; the engine says the rest.
int doctor_command(const std::vector<std::string>& words);
// words: "trainer", "data", a command, a plugin file, a component's id, or nothing.
int help_command(const std::vector<std::string>& words);

}  // namespace levin::core
