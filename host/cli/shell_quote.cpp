#include "host/cli/shell_quote.hpp"

#include "core/base/text.hpp"

namespace levin::core {
namespace {

constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

}  // namespace

// Within single quotes only the single quote is special; it is placed between two quoted parts.
std::string shell_word(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

std::string shell_quote(const std::vector<std::string>& arguments) {
  std::vector<std::string> quoted;
  for (const std::string& word : arguments) quoted.push_back(shell_word(word));
  return join(quoted, " ");
}

}  // namespace levin::core
