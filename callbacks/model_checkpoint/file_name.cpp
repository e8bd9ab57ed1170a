#include "file_name.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "levin/error.hpp"

namespace levin::model_checkpoint {
namespace {

[[noreturn]] void refuse(const std::string& pattern, const std::string& why) {
  throw Error(LEVIN_E_INVALID, "filename '" + pattern + "': " + why + "; write fields as {metric} or {metric:.2f}");
}

}  // namespace

std::string FileName::name(const Candidates& metrics, const std::optional<std::string>& prefix) const {
  const std::string text = pattern.empty() ? "{epoch}" + join + "{step}" : pattern;
  std::string out = prefix ? *prefix + join : "";
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '}') refuse(text, "a } without its {");
    if (text[at] != '{') {
      out += text[at];
      continue;
    }
    const size_t close = text.find('}', at), colon = std::min(text.find(':', at), close);
    if (close == std::string::npos) refuse(text, "a { without its }");
    const std::string metric = text.substr(at + 1, colon - at - 1);
    if (metric.empty() || metric.find('{') != std::string::npos) refuse(text, "a field without a metric's name");
    const auto found = metrics.find(metric);
    const Number number = found == metrics.end() ? Number{0, true} : found->second;
    if (auto_insert_metric_name) out += metric + equals;
    try {
      out += format_number(number, colon == close ? "" : text.substr(colon + 1, close - colon - 1));
    } catch (const std::invalid_argument& e) {
      refuse(text, text.substr(at, close - at + 1) + ": " + e.what());
    }
    at = close;
  }
  return out;
}

std::string FileName::path(const std::string& folder, const Candidates& metrics, std::optional<int> version,
                           const std::optional<std::string>& prefix) const {
  std::string file = name(metrics, prefix);
  if (version) file += join + "v" + std::to_string(*version);
  return (std::filesystem::path(folder) / (file + extension)).string();
}

}  // namespace levin::model_checkpoint
