#include "file_pattern.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "levin/error.hpp"

namespace common {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_names = 1000000;

// Returns the texts that stand for {inside}; none if it is neither a range of numbers nor a list.
std::vector<std::string> choices_of(const std::string& inside) {
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.size() < 10 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  std::vector<std::string> out;
  const size_t dots = inside.find("..");
  const std::string begin = inside.substr(0, dots), end = dots == inside.npos ? "" : inside.substr(dots + 2);
  if (is_number(begin) && is_number(end)) {
    const uint64_t first = std::stoull(begin), last = std::stoull(end);
    for (uint64_t i = first; i <= last && out.size() <= most_names; ++i) {
      std::string number = std::to_string(i);
      number.insert(0, begin.size() > number.size() ? begin.size() - number.size() : 0, '0');
      out.push_back(std::move(number));
    }
    return out;
  }
  if (inside.find(',') == inside.npos) return {};
  for (size_t at = 0, comma = 0; comma != inside.npos; at = comma + 1) {
    comma = inside.find(',', at);
    out.push_back(inside.substr(at, comma - at));
  }
  return out;
}

void expand(const std::string& pattern, std::vector<std::string>& out) {
  const size_t open = pattern.find('{'), close = pattern.find('}', open);
  std::vector<std::string> choices;
  if (close != pattern.npos) choices = choices_of(pattern.substr(open + 1, close - open - 1));
  if (choices.empty()) {
    if (out.size() >= most_names) throw levin::Error(LEVIN_E_INVALID, pattern + ": more than 1000000 files");
    return out.push_back(pattern);
  }
  for (const std::string& choice : choices) expand(pattern.substr(0, open) + choice + pattern.substr(close + 1), out);
}

}  // namespace

std::vector<std::string> expanded(const std::string& pattern) {
  std::vector<std::string> out;
  expand(pattern, out);
  return out;
}

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> out;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return out;
}

std::vector<std::string> files_of(const std::string& name) {
  std::error_code error;
  if (fs::exists(name, error) || name.find_first_of("*?[{") == name.npos) return {name};
  std::vector<std::string> out;
  for (const std::string& pattern : expanded(name)) {
    const std::vector<std::string> files = matching(pattern);
    if (files.empty()) throw levin::Error(LEVIN_E_NOT_FOUND, "no file matches " + pattern);
    out.insert(out.end(), files.begin(), files.end());
  }
  return out;
}

}  // namespace common
