// Answers about plugin files: what is found, and what a file says of itself. None of their code runs in this process.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

int plugins_command(const std::vector<std::string>& words);
int inspect_command(const std::vector<std::string>& words);

}  // namespace levin::core
