#include "host/ckpt/ckpt_file.hpp"

#include <cstdio>
#include <iterator>

#include "core/base/error.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "runs/run_files.hpp"

namespace levin::core::ckpt {
namespace {

constexpr const char* of_model = "state_dict.";

std::string path_of(const std::string& word) { return is_folder(word) ? newest_whole(word) : word; }

}  // namespace

CkptFile::CkptFile(const std::string& word)
    : path(path_of(word)),
      foreign(!looks_like_checkpoint(path)),
      reader(path, foreign ? SafetensorsMode::reference : SafetensorsMode::strict) {}

bool CkptFile::weights_only() const {
  return foreign || reader.manifest().value("weights_only", nlohmann::json()) == true;
}

std::map<std::string, std::string> CkptFile::weights() const {
  std::map<std::string, std::string> out;
  for (const std::string& name : reader.names()) {
    if (foreign) out[name] = name;
    if (!foreign && starts_with(name, of_model)) out[name.substr(std::string(of_model).size())] = name;
  }
  return out;
}

std::string bytes_text(uint64_t bytes) {
  char text[32];
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

std::string shape_text(const std::vector<uint64_t>& shape) {
  std::vector<std::string> sizes;
  for (const uint64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + join(sizes, ", ") + "]";
}

std::string value_text(const nlohmann::json& manifest, const char* key) {
  const auto found = manifest.find(key);
  if (found == manifest.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace levin::core::ckpt
