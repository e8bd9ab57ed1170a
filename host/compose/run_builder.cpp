#include "host/compose/run_builder.hpp"

#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/weights/name_map.hpp"
#include "host/compose/claims.hpp"
#include "host/compose/component_options.hpp"
#include "host/compose/given_options.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/saved_run.hpp"
#include "host/compose/settings_check.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

std::optional<std::string> checkpoint_path(const Setting* said) {
  if (said == nullptr || said->value.is_null()) return std::nullopt;
  if (!said->value.is_string())
    throw Error(ErrorCode::option_value_invalid,
                place_of(*said) + ": " + show(said->value) + " is not best, last or a path");
  const std::string text = said->value.get<std::string>();
  if (text == "best" || text == "last") return text;
  if (scalar_from_text(text).is_null()) return std::nullopt;
  const auto path = absolute_path(text);
  if (is_file(path)) return path.string();
  throw Error(ErrorCode::checkpoint_not_found, place_of(*said) + ": there is no checkpoint '" + path.string() +
                                                   "'; give best, last or a checkpoint file");
}

class Builder {
 public:
  Builder(RunRequest request, ComponentSource& source) : request_(std::move(request)), source_(source) {}

  BuiltRun build() {
    request_.old.rename(request_.settings, out_.warnings,
                        [this](const std::string& name) { return serves_trainer_option(name, source_); });
    out_.composition = compose(std::move(request_.settings), source_, request_.recommendations);
    require_model(out_.composition, source_);
    append_warnings(out_.composition.warnings);
    claims_ = find_claims(out_.composition, source_);
    apply_renamed_options(out_.composition, out_.warnings);
    append_warnings(plugin_changes(out_.composition, request_.saved, request_.allow_plugin_changes));
    const KnownOptions known(out_.composition, claims_);
    check_keys(out_.composition, known, source_);
    gather_lists(out_.composition.settings, known);
    drop_overridden_defaults(out_.composition);
    trainer();
    refuse_second_instances(out_.composition);
    components();
    append_warnings(unused_options(out_.composition));
    append_warnings(deprecated_options(out_.composition));
    refuse_equal_monitors();
    out_.config.timed = timed();
    loader();
    weights();
    finish();
    return std::move(out_);
  }

 private:
  void append_warnings(const std::vector<std::string>& lines) {
    out_.warnings.insert(out_.warnings.end(), lines.begin(), lines.end());
  }
  const std::vector<Setting>& settings() const { return out_.composition.settings; }

  void show(const std::string& key, json value, const std::string& origin) {
    // A default of a saved run stays a default, however often the run is resumed.
    if (origin != "default" && origin != saved_run_origin) out_.config.origins[key] = origin;
    out_.values[key] = {std::move(value), origin};
  }

  void core_trainer_option(const TrainerOption& option, const Setting& s, json& given) {
    json& value = given[option.schema.name];
    value = check_trainer_option(option, s.value, place_of(s));
    show(s.key, value, s.origin);
  }

  void claimed_trainer_option(const std::vector<Claim>& claims, const Setting& s) {
    const json value = check_option(claimed_option(claims), s.value, place_of(s));
    show(s.key, value, s.origin);
    if (value.is_null()) return;
    Setting checked = s;
    checked.value = value;
    if (claims.front().option.empty()) {
      apply_switch(out_.composition, claims, checked, value.get<bool>());
    } else {
      apply_option(out_.composition, claims, checked);
    }
  }

  void trainer() {
    json given = json::object();
    std::set<std::string> by_user;
    for (const auto& option : trainer_options()) {
      const std::string key = "trainer." + option.schema.name;
      show(key, option.schema.deflt, "default");
      const Setting* said = last_setting(settings(), key);
      if (said == nullptr) continue;
      if (said->by_user()) by_user.insert(option.schema.name);
      core_trainer_option(option, Setting(*said), given);
    }
    for (const auto& [name, claims] : claims_) {
      if (find_trainer_option(name) != nullptr) continue;
      show("trainer." + name, nullptr, "default");
      const Setting* said = last_setting(settings(), "trainer." + name);
      if (said == nullptr) continue;
      if (said->by_user()) by_user.insert(name);
      claimed_trainer_option(claims, Setting(*said));
    }
    out_.config.trainer = resolve_trainer(given, by_user);
    std::set<std::string> true_by_user;
    for (const auto& name : by_user) {
      if (out_.values.at("trainer." + name).value == true) true_by_user.insert(name);
    }
    apply_trainer_switches(out_.composition, claims_, out_.config.trainer, true_by_user);
  }

  std::map<std::string, ResolvedOption> options(const ChosenComponent& chosen) const {
    return resolve_options(chosen, settings(), [this] { return source_.all(LEVIN_KIND_OPTIMIZER); });
  }

  ComponentConfig component(const ChosenComponent& chosen) {
    ComponentConfig out{chosen.name,    chosen.found.file,       chosen.schema().id,
                        json::object(), chosen.schema().version, ""};
    for (const auto& option : chosen.schema().options)
      if (user_set_option(chosen, option, settings())) out.given.push_back(option.name);
    for (auto& [name, option] : options(chosen)) {
      show(chosen.key() + "." + name, option.value, option.origin);
      out.options[name] = std::move(option.value);
    }
    return out;
  }

  // Secrets of components that are off are included, because their values on the command line are secret too.
  void note_secrets(const ChosenComponent& chosen) {
    for (const auto& option : chosen.schema().options) {
      if ((option.flags & LEVIN_OPT_SECRET) == 0) continue;
      const std::string key = chosen.key() + "." + option.name;
      out_.config.secrets.push_back(key);
      const Setting* said = last_setting(settings(), key);
      if (said != nullptr && said->by_user() && !chosen.off.empty()) out_.config.origins.emplace(key, said->origin);
    }
  }

  void warn_of_lost_options(const ChosenComponent& chosen) {
    if (chosen.off == off_in_fast_dev_run) return;  // the options are for the run without fast_dev_run
    for (const auto& s : settings()) {
      if (!s.by_user() || !starts_with(s.key, chosen.key() + ".")) continue;
      out_.warnings.push_back(place_of(s) + ": no effect, because " + chosen.key() + " is off: " + chosen.off);
    }
  }

  void components() {
    sort_by_choice(out_.composition);
    for (const auto& chosen : out_.composition.components) {
      note_secrets(chosen);
      if (!chosen.off.empty()) {
        if (chosen.off == off_in_fast_dev_run) options(chosen);  // only checks the options
        warn_of_lost_options(chosen);
        continue;
      }
      if (chosen.by_user || chosen.group == "model" || chosen.group == "data")
        out_.config.origins[chosen.key()] = chosen.origin;
      if (chosen.group == "model") out_.config.model = component(chosen);
      if (chosen.group == "data") out_.config.data = component(chosen);
      if (chosen.group == "callback") out_.config.callbacks.push_back(component(chosen));
      if (chosen.group == "logger") out_.config.loggers.push_back(component(chosen));
    }
  }

  // Throws Error{usage} if two instances of a monitoring callback have equal options: probably a mistake.
  void refuse_equal_monitors() const {
    std::map<json, const ChosenComponent*> seen;
    for (const auto& chosen : out_.composition.components) {
      if (!chosen.off.empty() || chosen.group != "callback" || (chosen.schema().flags & LEVIN_F_MONITOR) == 0) continue;
      json options = json::array({chosen.found.file, chosen.schema().id});
      for (const auto& option : chosen.schema().options)
        options.push_back(out_.values.at(chosen.key() + "." + option.name).value);
      const auto [first, is_new] = seen.emplace(std::move(options), &chosen);
      if (is_new) continue;
      throw Error(ErrorCode::options_conflict, chosen.origin + ": " + first->second->key() + " and " + chosen.key() +
                                                   " are two " + chosen.schema().id +
                                                   " with equal options; change one or leave it out");
    }
  }

  // Returns true if a component that serves trainer.max_time has a time limit.
  bool timed() const {
    const auto claims = claims_.find("max_time");
    if (claims == claims_.end()) return false;
    for (const auto& chosen : out_.composition.components) {
      for (const auto& claim : claims->second) {
        if (!chosen.off.empty() || claim.option.empty() || !same_component(chosen.found, claim.by)) continue;
        if (!out_.values.at(chosen.key() + "." + claim.option).value.is_null()) return true;
      }
    }
    return false;
  }

  void loader() {
    for (const auto& row : loader_options()) {
      const OptionSchema& option = row.schema;
      const std::string key = "data." + option.name;
      const Setting* said = last_setting(settings(), key);
      json value = option.deflt;
      const auto own = out_.values.find(key);  // if the data module has an option of this name, its value is used
      if (own != out_.values.end()) value = own->second.value;
      if (said != nullptr) value = said->value;
      value = check_option(option, value, said != nullptr ? place_of(*said) : key);
      if (said != nullptr && own == out_.values.end() &&
          user_set_loader_option(*said, value, option, out_.config.loader, settings()))
        out_.config.loader_given.push_back(option.name);
      if (own == out_.values.end()) show(key, value, said != nullptr ? said->origin : "default");
      out_.config.loader[option.name] = std::move(value);
    }
    auto& loader = out_.config.loader;
    if (loader["eval_batch_size"].is_null()) loader["eval_batch_size"] = loader["batch_size"];
  }

  void weights() {
    for (const OptionSchema& option : weight_options()) {
      const std::string key = "model." + option.name;
      const Setting* said = last_setting(settings(), key);
      json value = said != nullptr ? check_option(option, said->value, place_of(*said)) : option.deflt;
      show(key, value, said != nullptr ? said->origin : "default");
      out_.config.weights[option.name] = std::move(value);
    }
    const InitWeights init = init_weights_from(out_.config.weights);
    const NameMap checked(out_.config.weights["init_map"], "model.init_map");
    const Setting* said = last_setting(settings(), "model.init_from");
    // the file may be missing for a saved run, because a resume does not read it
    if (init.from && said->saved == Saved::no && !is_file(*init.from))
      throw Error(ErrorCode::checkpoint_not_found, place_of(*said) + ": there is no file '" + *init.from + "'");
  }

  void finish() {
    RunConfig& config = out_.config;
    config.command = request_.command;
    config.trust = request_.trust;
    config.allow_plugin_changes = request_.allow_plugin_changes;
    config.plugin_dirs = request_.plugin_dirs;
    const Setting* said = last_setting(settings(), "ckpt_path");
    config.ckpt_path = checkpoint_path(said);
    show("ckpt_path", config.ckpt_path ? json(*config.ckpt_path) : json(nullptr),
         said != nullptr ? said->origin : "default");
    for (const auto& found : source_.all(LEVIN_KIND_OPTIMIZER)) {
      config.optimizers.push_back({found.component->full_name(), found.file, found.component->id, json::object(),
                                   found.component->version, ""});
    }
  }

  RunRequest request_;
  ComponentSource& source_;
  Claims claims_;
  BuiltRun out_;
};

}  // namespace

bool serves_trainer_option(const std::string& option, ComponentSource& source) {
  if (find_trainer_option(option) != nullptr) return true;
  for (const uint32_t kind : {LEVIN_KIND_CALLBACK, LEVIN_KIND_LOGGER}) {
    for (const auto& found : source.all(kind)) {
      for (const auto& claim : found.component->claims)
        if (claim.name == option) return true;
    }
  }
  return false;
}

void require_model(const Composition& composition, ComponentSource& source, const std::string& remark) {
  if (composition.find("model") != nullptr) return;
  std::vector<std::string> ids;
  for (const auto& found : source.all(LEVIN_KIND_MODEL)) ids.push_back(found.component->id);
  std::string where;
  for (const Setting& s : composition.settings)
    if (s.by_user() && group_of(s.key) == "model") where = place_of(s) + ": ";
  throw Error(ErrorCode::model_not_named,
              where + "no --model is named; " +
                  (ids.empty() ? "and none is found: see host plugins" : "found: " + join(ids, ", ")) + remark);
}

BuiltRun build_run(RunRequest request, ComponentSource& source) { return Builder(std::move(request), source).build(); }

}  // namespace levin::core
