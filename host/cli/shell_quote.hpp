// Words as a shell of POSIX reads them back.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// The word itself if no shell sees anything in it, else quoted. NUL cannot be in a word.
std::string shell_word(const std::string& word);
// All of them with spaces between.
std::string shell_quote(const std::vector<std::string>& arguments);

}  // namespace levin::core
