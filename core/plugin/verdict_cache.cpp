#include "core/plugin/verdict_cache.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/plugin/plugin_dirs.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
constexpr size_t most_verdicts = 256;

// A file that is not a cache of this format counts as an empty cache.
json read_cache(const std::filesystem::path& file) {
  std::error_code failed;
  if (std::filesystem::is_regular_file(file, failed)) {
    try {
      json cache = json::parse(read_file(file), nullptr, false);
      if (cache.is_object() && cache.value("format", json()) == 1 && cache["plugins"].is_array()) return cache;
    } catch (const Error&) {
    }
  }
  return {{"format", 1}, {"plugins", json::array()}};
}

bool has_key(const json& entry, const std::string& key) {
  return entry.is_object() && entry.contains("key") && entry["key"] == key;
}

std::string text_of(const json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::optional<Verdict> VerdictCache::get(const std::string& key) const {
  if (file_.empty()) return {};
  const json cache = read_cache(file_);
  for (const auto& entry : cache["plugins"]) {
    if (!has_key(entry, key)) continue;
    Verdict verdict{text_of(entry, "description"), text_of(entry, "problem")};
    if (verdict.description.empty() == verdict.problem.empty()) return {};
    return verdict;
  }
  return {};
}

void VerdictCache::put(const std::string& key, const Verdict& verdict) const {
  if (file_.empty()) return;
  json cache = read_cache(file_);
  json& entries = cache["plugins"];
  entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const json& e) { return has_key(e, key); }),
                entries.end());
  if (entries.size() >= most_verdicts) entries.erase(entries.begin());  // the oldest
  entries.push_back({{"key", key}, {"description", verdict.description}, {"problem", verdict.problem}});
  try {
    write_file_durable(file_, cache.dump(1, ' ', false, json::error_handler_t::replace));
  } catch (const Error&) {
  }
}

std::filesystem::path verdict_cache_file() {
  const std::filesystem::path folder = user_folder("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? folder : folder / "levin" / "plugins.json";
}

}  // namespace levin::core
