#include "core/run_folder/code_snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/plugin/source_repositories.hpp"
#include "sdk/include/levin/util/set_aside.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t most_names = 100;

// A file with more changes than names has the rest counted.
void add_names(Json& to, const char* key, const std::vector<std::string>& names) {
  if (names.empty()) return;
  to[key] =
      std::vector<std::string>(names.begin(), names.begin() + static_cast<long>(std::min(names.size(), most_names)));
  if (names.size() > most_names) to[std::string(key) + "_left_out"] = names.size() - most_names;
}

Json facts_of(const SourceRepository& r) {
  Json out = {{"repository", r.root.string()}, {"folders", r.folders}, {"plugins", r.plugins}};
  if (!r.commit.empty()) out["commit"] = r.commit;
  if (!r.branch.empty()) out["branch"] = r.branch;
  add_names(out, "changed", r.changed);
  add_names(out, "untracked", r.untracked);
  add_names(out, "changed_after_build", r.later);
  if (r.diff_cut) out["diff_cut"] = true;
  if (!r.problem.empty()) out["problem"] = r.problem;
  return out;
}

// Lines before the first "diff --git" are comments to `git apply`.
std::string diff_of(const SourceRepository& r) {
  std::string out = "# repository " + r.root.string() + "\n# commit " + (r.commit.empty() ? "none" : r.commit) + "\n";
  if (!r.diff.empty()) out += r.diff;
  if (r.diff_cut) out += "# the rest is left out: the changes are larger than 1 MiB\n";
  return out;
}

std::string line_of(const SourceRepository& r) {
  std::string out = "sources of " + join_some(r.plugins, 5) + ": " + r.root.string();
  if (!r.commit.empty()) out += " at " + r.commit.substr(0, 12);
  if (!r.branch.empty()) out += " (" + r.branch + ")";
  if (!r.changed.empty()) out += ", changed: " + join_some(r.changed, 5);
  if (!r.untracked.empty()) out += ", untracked: " + join_some(r.untracked, 5);
  if (!r.later.empty()) out += "; changed after the plugin was built: " + join_some(r.later, 5);
  if (!r.problem.empty()) out += "; " + r.problem;
  std::replace(out.begin(), out.end(), '\n', '?');  // of a file name
  return printable(out);
}

// Without fsync, which would cost more than git. A run's first checkpoint syncs the files of its folder.
void save_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) return;
  remove_file(file);
  throw Error(ErrorCode::file_not_written, "cannot write " + file.string());
}

bool holds(const fs::path& file, const std::string& text) {
  std::error_code failed;
  return fs::file_size(file, failed) == text.size() && !failed && read_file(file) == text;
}

}  // namespace

void save_code_snapshot(const fs::path& run_folder, const std::vector<fs::path>& plugins,
                        const std::function<void(const std::string&)>& say) {
  try {
    Json repositories = Json::array();
    std::string diff;
    for (const SourceRepository& r : source_repositories(plugins, std::chrono::seconds(3))) {
      repositories.push_back(facts_of(r));
      diff += diff_of(r);
      say(line_of(r));
    }
    if (repositories.empty()) return;
    const std::string facts =
        Json{{"repositories", repositories}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    const std::pair<fs::path, const std::string&> files[] = {{run_folder / "code.json", facts},
                                                             {run_folder / "code.diff", diff}};
    if (holds(files[0].first, facts) && holds(files[1].first, diff)) return;
    for (const auto& [file, text] : files) set_aside(file);
    for (const auto& [file, text] : files) save_text(file, text);
  } catch (const std::exception& e) {
    say(std::string("the state of the plugins' sources cannot be saved: ") + e.what());
  }
}

}  // namespace levin::core
