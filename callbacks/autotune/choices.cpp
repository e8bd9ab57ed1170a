#include "choices.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <system_error>

namespace levin::autotune {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t most_choices = 200;
constexpr const char* format = "levin autotune 1";

fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && cache[0] == '/') return cache;
  const char* const home = std::getenv("HOME");
  return home && home[0] == '/' ? fs::path(home) / ".cache" : fs::path();
}

bool is_choice(const json& entry) {
  return entry.is_object() && entry.contains("key") && entry.contains("choice") && entry["choice"].is_object();
}

// Returns the choices, oldest first; an empty list if there are none.
json read_all(const fs::path& file, std::string& damage) {
  damage.clear();
  std::error_code failed;
  if (file.empty() || !fs::exists(file, failed)) return json::array();
  std::string text;
  if (std::ifstream in(file); fs::is_regular_file(file, failed)) text.assign(std::istreambuf_iterator<char>(in), {});
  const json all = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const bool whole =
      all.is_object() && all.value("format", json()) == format && all.contains("choices") && all["choices"].is_array();
  if (!whole) damage = "it is damaged or has another format";
  json out = json::array();
  for (const json& entry : whole ? all["choices"] : json::array())
    if (is_choice(entry)) out.push_back(entry);
  return out;
}

}  // namespace

fs::path choices_file() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / "levin" / "autotune.json";
}

std::string machine() {
  std::string name, flags;
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line) && !line.empty();) {
    const std::string value = line.substr(std::min(line.size(), line.find(':') + 2));
    if (line.rfind("model name", 0) == 0 || line.rfind("CPU part", 0) == 0) name += value;
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0) flags += value;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  const int cpus = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  return name + ", flags " + std::to_string(std::hash<std::string>()(flags)) + ", CPUs " + std::to_string(cpus);
}

std::optional<json> read_choice(const fs::path& file, const json& key, std::string& damage) {
  std::optional<json> newest;
  for (const json& entry : read_all(file, damage))
    if (entry["key"] == key) newest = entry["choice"];
  return newest;
}

std::string keep_choice(const fs::path& file, const json& key, const json& choice) {
  if (file.empty()) return "there is no home folder";
  std::string damage;
  json kept = json::array();
  for (const json& entry : read_all(file, damage))
    if (entry["key"] != key) kept.push_back(entry);
  kept.push_back({{"key", key}, {"choice", choice}});
  while (kept.size() > most_choices) kept.erase(kept.begin());
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  const fs::path part = file.string() + "." + std::to_string(::getpid()) + ".part";
  errno = 0;
  std::ofstream out(part);
  out << json{{"format", format}, {"choices", kept}}.dump(1, ' ', false, json::error_handler_t::replace) << "\n";
  out.close();
  const int number = errno;
  if (!out) {
    fs::remove(part, failed);
    return number ? std::strerror(number) : "it cannot be written";
  }
  fs::rename(part, file, failed);
  if (!failed) return "";
  const std::string why = failed.message();
  fs::remove(part, failed);
  return why;
}

}  // namespace levin::autotune
