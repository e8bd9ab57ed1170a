// Quoting for POSIX shells.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// Returns the word, quoted if it has characters that are special in a shell. The word must not contain NUL.
std::string shell_word(const std::string& word);
// Returns all words, quoted where needed and separated by spaces.
std::string shell_quote(const std::vector<std::string>& arguments);

}  // namespace levin::core
