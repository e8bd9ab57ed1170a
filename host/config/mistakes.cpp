#include "host/config/mistakes.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "core/base/text.hpp"
#include "core/config/run_config.hpp"
#include "host/commands/command_line_run.hpp"
#include "host/compose/claims.hpp"
#include "host/compose/component_options.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/settings_check.hpp"
#include "host/config/verbs.hpp"
#include "host/config_files/config_layers.hpp"
#include "host/config_files/lightning_cli.hpp"

namespace levin::core::config {
namespace {

using Settings = std::vector<Setting>;

bool names_component(const Setting& s) {
  const std::string group = group_of(s.key), rest = after_group(s.key);
  const bool single = group == "model" || group == "data";
  return kind_of_group(group) != 0 && (single ? rest.empty() : rest.find('.') == std::string::npos);
}

class LayersCheck {
 public:
  LayersCheck(const EarlyOptions& early, const std::vector<std::string>& options)
      : run_(Command::run, options, early, {}), early_(early) {}

  Mistakes check(const std::vector<ConfigLayer>& layers) {
    Settings settings = present_names(read(layers));
    Composition composition = composed(settings);
    attempt([&] { apply_renamed_options(composition, out_.remarks); });
    set_unchecked_aside(composition);
    const Claims claims = find_claims(composition, run_.source());
    const KnownOptions known(composition, claims);
    const std::vector<Error> unknown = key_errors(composition, known, run_.source());
    out_.errors.insert(out_.errors.end(), unknown.begin(), unknown.end());
    for (const Setting& s : composition.settings) attempt([&] { check_value(s, composition, known, run_.source()); });
    has_model_ = composition.find("model") != nullptr;
    return std::move(out_);
  }
  bool has_model() const { return has_model_; }

 private:
  bool attempt(const std::function<void()>& part) {
    try {
      part();
      return true;
    } catch (const Error& error) {
      out_.errors.push_back(error);
      return false;
    }
  }

  Settings read(const std::vector<ConfigLayer>& layers) {
    Settings out = default_settings();
    int rank = rank_file;
    for (const ConfigLayer& layer : layers)
      append(out, settings_of_layer(layer, rank++, {run_.source(), early_.components, out_.remarks, &out_.errors}));
    append(out, early_.components);
    return out;
  }

  // Replaces options of other releases.
  Settings present_names(const Settings& settings) {
    const auto served = [this](const std::string& name) { return serves_trainer_option(name, run_.source()); };
    Settings out;
    for (const Setting& s : settings) {
      Settings one = {s};
      if (attempt([&] { run_.old_names().rename(one, out_.remarks, served); })) append(out, one);
    }
    return out;
  }

  // Leaves out each component that is not found, and the options of a callback or logger that is not.
  Composition composed(const Settings& settings) {
    Settings kept, lost;
    Composition out;
    const auto is_of_lost = [&lost](const Setting& s) {
      return std::any_of(lost.begin(), lost.end(), [&s](const Setting& component) {
        return starts_with(s.key, component.key + ".") && s.rank >= component.rank;
      });
    };
    for (const Setting& s : settings) {
      if (is_of_lost(s)) continue;
      kept.push_back(s);
      if (!names_component(s) || attempt([&] { out = compose(kept, run_.source()); })) continue;
      kept.pop_back();
      if (!after_group(s.key).empty()) lost.push_back(s);
    }
    return compose(kept, run_.source());
  }

  // Without a model or a data module its options are not known.
  void set_unchecked_aside(Composition& composition) {
    const Composition& chosen = composition;
    const auto is_unchecked = [&](const Setting& s) {
      const std::string group = group_of(s.key);
      if ((group != "model" && group != "data") || s.key == group || chosen.find(group) != nullptr) return false;
      if (is_option_of_host(s.key)) return false;
      out_.remarks.push_back(place_of(s) + ": not checked, because no " + group + " is named; give --" + group + " X");
      return true;
    };
    auto& all = composition.settings;
    all.erase(std::remove_if(all.begin(), all.end(), is_unchecked), all.end());
  }

  // Returns true for an option that the host gives every model or data module.
  static bool is_option_of_host(const std::string& key) { return KnownOptions({}, {}).find(key) != nullptr; }

  CommandLineRun run_;
  const EarlyOptions& early_;
  Mistakes out_;
  bool has_model_ = false;
};

// Adds what is not among the errors and remarks yet.
void add(Mistakes& to, const Mistakes& found) {
  const auto is_known = [&to](const Error& error) {
    return std::any_of(to.errors.begin(), to.errors.end(),
                       [&](const Error& known) { return std::string(known.what()) == error.what(); });
  };
  for (const Error& error : found.errors)
    if (!is_known(error)) to.errors.push_back(error);
  for (const std::string& remark : found.remarks)
    if (!starts_with(remark, "default.json:") && !std::count(to.remarks.begin(), to.remarks.end(), remark))
      to.remarks.push_back(remark);
}

// Checks the file as a run does, for what only the whole run shows: required options, options that contradict.
Mistakes mistakes_of_run(const std::string& file, std::vector<std::string> options, const std::string& profile) {
  if (!profile.empty()) options.insert(options.end(), {"--profile", profile});
  options.insert(options.end(), {"--config", file});
  Mistakes out;
  try {
    with_run(Command::run, options, [&out](const BuiltRun& run) {
      out.remarks = run.warnings;
      return 0;
    });
  } catch (const Error& error) {
    out.errors.push_back(error);
  }
  return out;
}

}  // namespace

Mistakes mistakes_of(const std::string& file, const std::vector<std::string>& options) {
  const EarlyOptions early = read_early_options(options);
  Mistakes out;
  ConfigFiles files;
  try {
    std::vector<std::string> names = early.configs;
    names.push_back(file);
    files = read_config_files(names);
  } catch (const Error& error) {
    out.errors.push_back(error);
    return out;
  }
  if (is_run_config(files.layers.back().document.value)) return mistakes_of_run(file, options, "");
  std::vector<std::string> profiles = {""};
  for (const std::string& name : files.profile_names)
    if (!std::count(profiles.begin(), profiles.end(), name)) profiles.push_back(name);
  for (const std::string& profile : profiles) {
    std::vector<std::string> chosen = early.profiles;
    if (!profile.empty()) chosen.push_back(profile);
    LayersCheck check(early, options);
    const Mistakes found = check.check(with_profiles(files, chosen));
    add(out, found);
    if (found.errors.empty() && check.has_model()) add(out, mistakes_of_run(file, options, profile));
  }
  return out;
}

}  // namespace levin::core::config
