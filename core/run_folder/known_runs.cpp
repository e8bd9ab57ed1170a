#include <algorithm>
#include <system_error>
#include <tuple>

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/run_folder/run_folder.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
constexpr const char* prefix = "version_";

// Returns N of version_N; -1 = another name.
int64_t number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!starts_with(name, prefix)) return -1;
  const std::string digits = name.substr(std::string(prefix).size());
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stoll(digits);
}

constexpr int64_t most_order = (int64_t{1} << 53) - 1;

int64_t order_of(const fs::path& run) try {
  const std::string file = (run / "config.json").string();
  const nlohmann::json config = parse_json(read_file(file), file);
  const auto order = config.is_object() ? config.find(run_order_key) : config.end();
  const bool known = order != config.end() && order->is_number_integer() && *order >= 0 && *order <= most_order;
  return known ? order->get<int64_t>() : number_of(run);
} catch (const std::exception&) {
  return number_of(run);
}

// Returns when the run's folder or its checkpoints folder last changed.
fs::file_time_type changed(const fs::path& run) {
  std::error_code missing;
  const fs::file_time_type own = fs::last_write_time(run, missing);
  const fs::file_time_type saved = fs::last_write_time(run / "checkpoints", missing);
  return missing ? own : std::max(own, saved);
}

std::vector<fs::path> runs_in(const fs::path& folder) {
  std::vector<fs::path> runs;
  std::error_code ignored;
  for (const auto& entry : entries_of(folder, ignored))
    if (fs::is_directory(number_of(entry.path()) < 0 ? entry.path() / "checkpoints" : entry.path(), ignored))
      runs.push_back(entry.path());
  return runs;
}

}  // namespace

std::string version_name(const std::string& number) { return prefix + number; }

int64_t highest_version(const fs::path& folder) {
  int64_t highest = -1;
  std::error_code ignored;
  for (const auto& entry : entries_of(folder, ignored)) highest = std::max(highest, number_of(entry.path()));
  return highest;
}

int64_t next_run_order(const fs::path& folder) {
  int64_t last = -1;
  for (const fs::path& run : runs_in(folder)) last = std::max(last, order_of(run));
  return std::min(last + 1, most_order);  // at the maximum, from a forged config.json, numbers and the clock decide
}

std::vector<fs::path> runs_newest_first(const fs::path& folder) {
  using Key = std::tuple<int64_t, int64_t, fs::file_time_type, fs::path>;
  std::vector<Key> runs;
  for (const fs::path& run : runs_in(folder)) runs.emplace_back(order_of(run), number_of(run), changed(run), run);
  std::sort(runs.rbegin(), runs.rend());
  std::vector<fs::path> paths;
  for (Key& run : runs) paths.push_back(std::move(std::get<fs::path>(run)));
  return paths;
}

}  // namespace levin::core
