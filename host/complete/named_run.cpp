#include "host/complete/named_run.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/run_config.hpp"
#include "host/complete/quiet_index.hpp"
#include "host/compose/claims.hpp"
#include "host/compose/opened_files.hpp"
#include "host/compose/saved_run.hpp"
#include "host/config_files/config_layers.hpp"
#include "host/config_files/lightning_cli.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Returns what is read from the words before the cursor; without the words from the first mistake on.
EarlyOptions first_options(Words words) {
  words.pop_back();
  if (!words.empty() && !starts_with(words[0], "-")) words.erase(words.begin());
  for (; !words.empty(); words.pop_back()) {
    try {
      return read_early_options(words);
    } catch (const Error&) {
    }
  }
  return {};
}

// Returns the saved run in a folder; nullopt if there is none that can be read.
std::optional<RunConfig> run_in(const std::string& folder) {
  const fs::path file = absolute_path(folder) / "config.json";
  if (!is_file(file)) return std::nullopt;
  try {
    return run_config_from_json(parse_json(read_file(file), file.string()), file.string());
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<RunConfig> run_of(const std::string& ckpt_path) {
  try {
    return run_of_checkpoint(ckpt_path);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<RunConfig> saved_run(const Words& words, const EarlyOptions& early) {
  for (const std::string& folder : named_folders(words))
    if (auto found = run_in(folder)) return found;
  return early.ckpt_path.empty() ? std::nullopt : run_of(early.ckpt_path);
}

ConfigFiles files_of(const EarlyOptions& early) {
  ConfigFiles out;
  for (const std::string& file : early.configs) {
    const std::string path = absolute_path(file).string();
    if (!is_file(path)) continue;  // a pipe would block
    try {
      ConfigFiles read = read_config_files({path});
      std::move(read.layers.begin(), read.layers.end(), std::back_inserter(out.layers));
      std::move(read.profiles.begin(), read.profiles.end(), std::back_inserter(out.profiles));
      std::move(read.profile_names.begin(), read.profile_names.end(), std::back_inserter(out.profile_names));
    } catch (const std::exception&) {
    }
  }
  return out;
}

std::vector<Setting> settings_of_files(const EarlyOptions& early, ComponentSource& source) {
  std::vector<Setting> out;
  std::vector<std::string> warnings;
  ConfigFiles files = files_of(early);
  for (size_t i = 0; i < files.profiles.size(); ++i)
    if (std::count(early.profiles.begin(), early.profiles.end(), files.profile_names[i]) != 0)
      files.layers.push_back(files.profiles[i]);
  for (const ConfigLayer& layer : files.layers) {
    try {
      const std::vector<Setting> settings = settings_of_layer(layer, rank_file, {source, early.components, warnings});
      out.insert(out.end(), settings.begin(), settings.end());
    } catch (const std::exception&) {
    }
  }
  return out;
}

// Returns true if the setting names a component, and does not set an option.
bool names_component(const Setting& setting) {
  const std::string group = group_of(setting.key), rest = after_group(setting.key);
  const bool single = group == "model" || group == "data";
  return kind_of_group(group) != 0 && (single ? rest.empty() : rest.find('.') == std::string::npos);
}

}  // namespace

std::vector<std::string> named_folders(const Words& words) {
  std::vector<std::string> out;
  const bool resumes = words[0] == "resume";
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (resumes && i != 0 && !starts_with(words[i], "-")) out.push_back(words[i]);
    if (starts_with(words[i], "--run=")) out.push_back(words[i].substr(6));
    if (words[i] == "--run" && i + 2 < words.size()) out.push_back(words[i + 1]);
  }
  return out;
}

NamedRun::NamedRun(const Words& words) : early_(first_options(words)), index_({}, false), source_(index_) {
  if (const auto saved = saved_run(words, early_)) {
    saved_ = settings_from_run(*saved);
    saved_dirs_ = saved->plugin_dirs;
  }
  index_ = quiet_index(words, saved_dirs_);
}

Composition NamedRun::composition() {
  std::vector<Setting> named = saved_, kept = default_settings();
  for (const std::vector<Setting>& more : {settings_of_files(early_, source_), early_.components})
    named.insert(named.end(), more.begin(), more.end());
  open_files(named);
  Composition out = compose(kept, source_);
  for (const Setting& setting : named) {
    if (!names_component(setting)) continue;
    kept.push_back(setting);
    try {
      out = compose(kept, source_);
    } catch (const Error&) {
      kept.pop_back();
    }
  }
  return out;
}

std::vector<std::string> NamedRun::profiles() const { return files_of(early_).profile_names; }

KnownOptions NamedRun::options() {
  const Composition all = composition();
  return {all, find_claims(all, source_)};
}

}  // namespace levin::core
