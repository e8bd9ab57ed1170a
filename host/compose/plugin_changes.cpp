#include "host/compose/plugin_changes.hpp"

#include <algorithm>
#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/host_options.hpp"
#include "host/compose/saved_run.hpp"

namespace levin::core {
namespace {

const char* const way_on = "; --allow_plugin_changes resumes";

std::string label(const ChosenComponent& chosen) {
  const std::string& id = chosen.schema().id;
  return chosen.group + " " + (chosen.name == id ? id : chosen.name + ": " + id);
}

// Returns true if the host gives every model or data module this option.
bool is_of_host(const ChosenComponent& chosen, const std::string& name) {
  const auto& of_data = loader_options();
  const auto& of_models = weight_options();
  if (chosen.group == "data")
    return std::any_of(of_data.begin(), of_data.end(), [&](const LoaderOption& o) { return o.schema.name == name; });
  return chosen.group == "model" &&
         std::any_of(of_models.begin(), of_models.end(), [&](const OptionSchema& o) { return o.name == name; });
}

bool declares(const ComponentSchema& component, const std::string& name) {
  const auto& all = component.options;
  return std::any_of(all.begin(), all.end(), [&](const OptionSchema& o) { return o.name == name; });
}

std::string with_version(const ChosenComponent& chosen) {
  const std::string& version = chosen.schema().version;
  return label(chosen) + (version.empty() ? "" : " " + version);
}

std::string shortened(const std::string& sha256) { return sha256.substr(0, 12); }

class Comparison {
 public:
  Comparison(Composition& composition, const ComparedRun& run, bool allowed, std::vector<std::string>& lines)
      : composition_(composition), run_(run), allowed_(allowed), lines_(lines) {}

  void compare() {
    for (const auto& chosen : composition_.components) {
      const ComponentConfig* was = saved_as(chosen);
      if (was == nullptr || !chosen.off.empty()) continue;
      if (chosen.written == written_as(*was)) compare_file(chosen, *was);
      compare_version(chosen, *was);
      lose_options(chosen);
      tell_new_options(chosen, *was);
    }
  }

 private:
  // Returns the saved component, or nullptr if a later setting has replaced it by another one.
  const ComponentConfig* saved_as(const ChosenComponent& chosen) const {
    const RunConfig& c = run_.config;
    if (chosen.group == "model") return is(chosen, c.model) ? &c.model : nullptr;
    if (chosen.group == "data") return c.data && is(chosen, *c.data) ? &*c.data : nullptr;
    for (const ComponentConfig& was : chosen.group == "callback" ? c.callbacks : c.loggers)
      if (was.name == chosen.name && is(chosen, was)) return &was;
    return nullptr;
  }

  static bool is(const ChosenComponent& chosen, const ComponentConfig& was) {
    const auto& aliases = chosen.schema().aliases;
    return chosen.schema().id == was.component || std::count(aliases.begin(), aliases.end(), was.component);
  }

  void tell(const std::string& line) { lines_.push_back(line); }

  void compare_file(const ChosenComponent& chosen, const ComponentConfig& was) {
    const std::string& file = chosen.found.file;
    const bool moved = file != was.file && !is_present(was.file);
    if (was.sha256.empty() && !moved) return;
    const std::string is = sha256_file(file);
    if (is == was.sha256) {
      if (moved && files_.insert(file).second) tell(was.file + " is gone: its copy " + file + " is used");
      return;
    }
    const std::string hashes =
        was.sha256.empty() ? "" : " (SHA-256 " + shortened(was.sha256) + "..., now " + shortened(is) + "...)";
    if (moved && !allowed_)
      throw Error(ErrorCode::plugin_changed, run_.where + ": " + label(chosen) + ": its file " + was.file +
                                                 " is gone, and " + file +
                                                 (was.sha256.empty() ? " may be another one" : " is another one") +
                                                 hashes + "; put the file back" + way_on + " with this one");
    if (!files_.insert(file).second) return;
    if (moved) tell(was.file + " is gone: " + file + " is used, which is another file" + hashes);
    if (!moved) tell(file + " has changed since the run was saved" + hashes);
  }

  void compare_version(const ChosenComponent& chosen, const ComponentConfig& was) {
    const std::string& is = chosen.schema().version;
    if (!was.version.empty() && is != was.version)
      tell(label(chosen) + " was " + was.version + " in the saved run, and is now " +
           (is.empty() ? "of no version" : is));
    if (chosen.schema().id != was.component)
      tell(chosen.group + " " + was.component + " is now called " + chosen.schema().id);
  }

  // Drops saved options that no component declares any more. This changes the run, so it is reported or rejected.
  void lose_options(const ChosenComponent& chosen) {
    std::vector<std::string> lost;
    auto& all = composition_.settings;
    const std::string prefix = chosen.key() + ".";
    const auto is_lost = [&](const Setting& s) {
      if (s.saved == Saved::no || s.rank < chosen.rank || !starts_with(s.key, prefix)) return false;
      const std::string name = s.key.substr(prefix.size());
      if (declares(chosen.schema(), name) || is_of_host(chosen, name)) return false;
      lost.push_back(s.key + "=" + s.value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      return true;
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_lost), all.end());
    if (lost.empty()) return;
    const std::string what = with_version(chosen) + " (" + chosen.found.file + ") no longer has the option" +
                             (lost.size() == 1 ? " " : "s ") + join(lost, ", ") + " of the saved run";
    if (!allowed_)
      throw Error(ErrorCode::run_not_resumable,
                  run_.where + ": " + what + way_on + " without " + (lost.size() == 1 ? "it" : "them"));
    tell(what);
  }

  void tell_new_options(const ChosenComponent& chosen, const ComponentConfig& was) {
    std::vector<std::string> added;
    for (const auto& option : chosen.schema().options) {
      const bool secret = (option.flags & LEVIN_OPT_SECRET) != 0;  // never saved
      const bool known = std::any_of(option.aliases.begin(), option.aliases.end(),
                                     [&](const std::string& alias) { return was.options.contains(alias); });
      if (secret || known || was.options.contains(option.name)) continue;
      added.push_back(option.name + "=" + option.deflt.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    if (!added.empty())
      tell(with_version(chosen) + " has options that the saved run did not have, by default " + join(added, ", "));
  }

  Composition& composition_;
  const ComparedRun& run_;
  bool allowed_;
  std::vector<std::string>& lines_;
  std::set<std::string> files_;  // files already reported
};

}  // namespace

std::vector<std::string> plugin_changes(Composition& composition, const std::vector<ComparedRun>& saved, bool allowed) {
  std::vector<std::string> lines;
  for (const ComparedRun& run : saved) Comparison(composition, run, allowed, lines).compare();
  return lines;
}

}  // namespace levin::core
