#include "host/project/plugin_name.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Returns true for the names of CMake's own targets and of LibTorch's libraries.
bool is_taken(const std::string& id) {
  for (const char* name : {"all", "clean", "depend", "edit_cache", "help", "install", "list_install_components",
                           "package", "package_source", "preinstall", "rebuild_cache", "run_tests", "test",
                           "zero_check", "all_build", "c10", "torch", "torch_cpu"})
    if (id == name) return true;
  return false;
}

// Splits at dashes, underscores and capitals: "My-HTTPModel" gives my, http and model.
std::vector<std::string> words_of(const std::string& written) {
  std::vector<std::string> words = {""};
  for (size_t i = 0; i < written.size(); ++i) {
    const char c = written[i];
    if (c == '-' || c == '_') {
      words.emplace_back();
      continue;
    }
    const bool after_lower = i > 0 && !is_upper(written[i - 1]) && is_letter(written[i - 1]);
    const bool before_lower = i > 0 && i + 1 < written.size() && is_letter(written[i + 1]) && !is_upper(written[i + 1]);
    if (is_upper(c) && (after_lower || before_lower)) words.emplace_back();
    words.back() += c;
  }
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return words;
}

std::string capitalized(const std::string& word) {
  std::string out = lower(word);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

}  // namespace

PluginName read_plugin_name(const std::string& written, const std::string& kind) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, "host new: '" + written + "' " + why);
  };
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; };
  if (written.empty() || !is_letter(written[0]) || !std::all_of(written.begin(), written.end(), fits))
    refuse("is not a name: begin with a letter, and use letters, digits, - and _");
  if (written.size() > 64) refuse("is too long: a name has up to 64 letters");
  PluginName name;
  const auto words = words_of(written);
  name.id = lower(join(words, "_"));
  if (is_taken(name.id))
    refuse("is a name that CMake or LibTorch keeps for itself; try '" + name.id + "_" + kind + "'");
  for (const auto& word : words) name.class_name += capitalized(word);
  if (!ends_with(name.class_name, capitalized(kind))) name.class_name += capitalized(kind);
  return name;
}

}  // namespace levin::core
