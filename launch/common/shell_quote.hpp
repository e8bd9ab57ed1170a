// Quoting for POSIX shells.
#pragma once
#include <string>
#include <vector>

#include "core/base/text.hpp"

namespace levin::core {

// Returns the word, quoted if it has characters that are special in a shell. The word must not contain NUL. Within
// single quotes only the single quote is special; it is placed between two quoted parts.
inline std::string shell_word(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

inline std::string shell_quote(std::vector<std::string> words) {
  for (std::string& word : words) word = shell_word(word);
  return join(words, " ");
}

}  // namespace levin::core
