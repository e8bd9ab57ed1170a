#include "meta_yaml.hpp"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "json.hpp"

namespace levin::mlflow {
namespace {

// Returns the text of a plain, 'quoted' or "quoted" scalar of YAML.
std::string scalar(const std::string& yaml) {
  const size_t n = yaml.size();
  if (n < 2 || yaml[0] != yaml[n - 1] || (yaml[0] != '"' && yaml[0] != '\'')) return yaml;
  if (yaml[0] == '"') {
    const Json text = parsed(yaml);
    return text.is_string() ? text.get<std::string>() : yaml;
  }
  std::string out;
  for (size_t i = 1; i + 1 < n; ++i) {
    if (yaml[i] == '\'' && yaml[i + 1] == '\'') ++i;
    out += yaml[i];
  }
  return out;
}

}  // namespace

std::string quoted(const std::string& text) { return text_of(text); }

std::string member(const std::string& yaml, const std::string& name) {
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);)
    if (line.compare(0, name.size() + 2, name + ": ") == 0) return scalar(line.substr(name.size() + 2));
  return {};
}

std::string file_uri(const std::filesystem::path& path) {
  std::string out = "file://";
  char hex[4];
  for (const char c : path.string())
    if (std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/-_.~", c)) {
      out += c;
    } else {
      std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned char>(c));
      out += hex;
    }
  return out;
}

}  // namespace levin::mlflow
