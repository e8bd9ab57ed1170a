#include "core/config/run_builder.hpp"

#include <filesystem>
#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/claims.hpp"
#include "core/config/component_options.hpp"
#include "core/config/known_option.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

const char* const fast_dev_run = "trainer.fast_dev_run";

bool truthy(const json& v) { return v.is_boolean() ? v.get<bool>() : v.is_number() && v != 0; }

class Builder {
 public:
  Builder(RunRequest request, ComponentSource& source) : request_(std::move(request)), source_(source) {}

  BuiltRun build() {
    request_.old.rename(request_.settings, out_.warnings);
    out_.composition = compose(std::move(request_.settings), source_, request_.recommendations);
    require_model(out_.composition, source_);
    append_warnings(out_.composition.warnings);
    claims_ = find_claims(out_.composition, source_);
    check_keys();
    let_defaults_give_way(out_.composition);
    trainer();
    one_only();
    components();
    loader();
    finish();
    return std::move(out_);
  }

 private:
  void append_warnings(const std::vector<std::string>& lines) {
    out_.warnings.insert(out_.warnings.end(), lines.begin(), lines.end());
  }
  void check_keys();
  [[noreturn]] void unknown_key(const Setting& s, const KnownOptions& known) const;
  void trainer();
  void core_trainer_option(const TrainerOption& option, const Setting& s, json& given);
  void claimed_trainer_option(const std::vector<Claim>& claims, const Setting& s);
  void switch_components(const json& trainer, const std::set<std::string>& by_user);
  void one_only() const;
  void components();
  ComponentConfig component(const Slot& slot);
  void loader();
  void finish();
  void show(const std::string& key, json value, const std::string& origin);
  const std::vector<Setting>& settings() const { return out_.composition.settings; }

  RunRequest request_;
  ComponentSource& source_;
  Claims claims_;
  BuiltRun out_;
};

void Builder::check_keys() {
  const KnownOptions known(out_.composition, claims_);
  for (const auto& s : settings()) {
    const std::string group = group_of(s.key);
    const std::string rest = after_group(s.key);
    const bool chooses =
        kind_of_group(group) != 0 &&
        (rest.empty() || (rest.find('.') == std::string::npos && (group == "callback" || group == "logger")));
    if (chooses || s.key == "ckpt_path" || known.find(s.key) != nullptr) continue;
    const Slot* slot = out_.composition.find(s.key.substr(0, s.key.rfind('.')));
    // Options of a component that a later setting exchanged, and recommendations for one that is not there, lapse.
    const bool lapsed =
        (slot != nullptr && s.rank < slot->rank) || (s.rank == rank_component && slot == nullptr && group != "trainer");
    if (!lapsed) unknown_key(s, known);
  }
}

void Builder::unknown_key(const Setting& s, const KnownOptions& known) const {
  const size_t dot = s.key.rfind('.');
  const std::string owner = s.key.substr(0, dot);
  const std::string group = group_of(s.key);
  const bool instance = group == "callback" || group == "logger";
  if (instance && out_.composition.find(owner) == nullptr) {
    const auto names = out_.composition.instance_names(group);
    const std::string name = after_group(owner);
    std::string hint = did_you_mean(name, names, 0);
    if (hint.empty()) hint = "; --" + group + " " + name + "=COMPONENT adds one";
    throw Error(ErrorKind::usage, place_of(s) + ": there is no " + group + " named '" + name + "'" + hint);
  }
  if ((group == "model" || group == "data") && out_.composition.find(group) == nullptr) {
    throw Error(ErrorKind::usage, place_of(s) + ": no --" + group + " is named");
  }
  std::vector<std::string> names;
  for (const auto& key : known.keys()) {
    if (starts_with(key, owner + ".")) names.push_back(key.substr(owner.size() + 1));
  }
  const Slot* slot = out_.composition.find(owner);
  const std::string what = slot != nullptr ? slot->schema().id : "the " + owner;
  throw Error(ErrorKind::usage, place_of(s) + ": " + what + " has no option '" + s.key.substr(dot + 1) + "'" +
                                    did_you_mean(s.key.substr(dot + 1), names));
}

void Builder::show(const std::string& key, json value, const std::string& origin) {
  if (origin != "default") out_.config.origins[key] = origin;
  out_.values[key] = {std::move(value), origin};
}

void Builder::core_trainer_option(const TrainerOption& option, const Setting& s, json& given) {
  const std::string& name = option.schema.name;
  const auto claim = claims_.find(name);
  try {
    given[name] = check_trainer_option(option, s.value, place_of(s));
    show(s.key, given[name], s.origin);
  } catch (const Error&) {
    // A component may serve the values that the Trainer itself does not take.
    if (claim == claims_.end() || claim->second.front().option.empty()) throw;
    apply_option(out_.composition, claim->second, s);
    show(s.key, s.value, s.origin);
  }
}

void Builder::claimed_trainer_option(const std::vector<Claim>& claims, const Setting& s) {
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

void Builder::trainer() {
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
  const auto time = out_.values.find("trainer.max_time");
  const bool timed = time != out_.values.end() && !time->second.value.is_null();
  json& epochs = out_.config.trainer["max_epochs"];
  if (timed && epochs.is_null()) epochs = -1;  // the clock ends the run
  switch_components(given, by_user);
}

// What the Trainer's own options say about components: no logger, a trial run, a bare one.
void Builder::switch_components(const json& given, const std::set<std::string>& by_user) {
  const Setting* logger = last_setting(settings(), "trainer.logger");
  const bool barebones = truthy(given.value("barebones", json(false)));
  const bool trial = truthy(out_.config.trainer.at("fast_dev_run"));
  for (const auto& [name, claims] : claims_) {
    if (!barebones || !claims.front().option.empty()) continue;
    const auto said = out_.values.find("trainer." + name);
    if (by_user.count(name) && said->second.value == true) {
      throw Error(ErrorKind::usage,
                  "trainer.barebones=true with trainer." + name +
                      "=true: barebones measures the raw speed, so this is off in it; leave one of them out");
    }
    apply_switch(out_.composition, claims,
                 {"trainer.barebones: trainer." + name, false, "trainer.barebones=true", rank_command_line}, false);
  }
  for (auto& slot : out_.composition.slots) {
    if (!slot.off.empty()) continue;
    const bool asked_for_later = slot.by_user && logger != nullptr && slot.named > logger->rank;
    if (slot.group == "logger" && out_.config.trainer.at("logger") == false && (barebones || !asked_for_later))
      slot.off = "trainer.logger=false";
    if (trial && (slot.schema().flags & LEVIN_F_OFF_IN_FAST_DEV_RUN)) slot.off = fast_dev_run;
  }
}

void Builder::one_only() const {
  for (const auto& a : out_.composition.slots) {
    if (!a.off.empty() || (a.schema().flags & LEVIN_F_ONE_ONLY) == 0) continue;
    for (const auto& b : out_.composition.slots) {
      if (&a == &b || !b.off.empty() || !same_component(a.found, b.found)) continue;
      throw Error(ErrorKind::usage, b.origin + ": a run has one " + a.schema().id +
                                        " at most, and these are two: " + a.key() + ", " + b.key());
    }
  }
}

ComponentConfig Builder::component(const Slot& slot) {
  ComponentConfig out{slot.name, slot.found.file, slot.schema().id, json::object()};
  for (auto& [name, option] : resolve_options(slot, settings())) {
    show(slot.key() + "." + name, option.value, option.origin);
    out.options[name] = std::move(option.value);
  }
  for (const auto& option : slot.schema().options) {
    if (option.flags & LEVIN_OPT_SECRET) out_.config.secrets.push_back(slot.key() + "." + option.name);
  }
  return out;
}

void Builder::components() {
  for (const auto& slot : out_.composition.slots) {
    const bool trial = slot.off == fast_dev_run;  // the options are for the real run
    if (!slot.off.empty()) {
      for (const auto& s : settings()) {
        if (trial) break;
        if (s.by_user() && starts_with(s.key, slot.key() + "."))
          out_.warnings.push_back(place_of(s) + ": without effect, as " + slot.key() + " is off: " + slot.off);
      }
      continue;
    }
    if (slot.by_user || slot.group == "model" || slot.group == "data") out_.config.origins[slot.key()] = slot.origin;
    if (slot.group == "model") out_.config.model = component(slot);
    if (slot.group == "data") out_.config.data = component(slot);
    if (slot.group == "callback") out_.config.callbacks.push_back(component(slot));
    if (slot.group == "logger") out_.config.loggers.push_back(component(slot));
  }
}

void Builder::loader() {
  for (const auto& option : loader_options()) {
    const std::string key = "data." + option.name;
    const Setting* said = last_setting(settings(), key);
    json value = option.deflt;
    const auto own = out_.values.find(key);  // the data module has an option of this name: its default holds
    if (own != out_.values.end()) value = own->second.value;
    if (said != nullptr) value = said->value;
    value = check_option(option, value, said != nullptr ? place_of(*said) : key);
    if (own == out_.values.end()) show(key, value, said != nullptr ? said->origin : "default");
    out_.config.loader[option.name] = std::move(value);
  }
  auto& loader = out_.config.loader;
  if (loader["eval_batch_size"].is_null()) loader["eval_batch_size"] = loader["batch_size"];
}

std::optional<std::string> checkpoint_path(const Setting* said) {
  if (said == nullptr || said->value.is_null()) return std::nullopt;
  if (!said->value.is_string())
    throw Error(ErrorKind::usage, place_of(*said) + ": " + show(said->value) + " is not best, last or a path");
  const std::string text = said->value.get<std::string>();
  if (text == "best" || text == "last") return text;
  const auto path = absolute_path(text);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path.string();
  throw Error(ErrorKind::checkpoint, place_of(*said) + ": there is no checkpoint '" + path.string() +
                                         "'; give best, last or a checkpoint file");
}

void Builder::finish() {
  RunConfig& config = out_.config;
  config.command = request_.command;
  config.trust = request_.trust;
  config.plugin_dirs = request_.plugin_dirs;
  const Setting* said = last_setting(settings(), "ckpt_path");
  config.ckpt_path = checkpoint_path(said);
  show("ckpt_path", config.ckpt_path ? json(*config.ckpt_path) : json(nullptr),
       said != nullptr ? said->origin : "default");
  for (const auto& found : source_.all(LEVIN_KIND_OPTIMIZER)) {
    config.optimizers.push_back({found.component->id, found.file, found.component->id, json::object()});
  }
}

}  // namespace

void require_model(const Composition& composition, ComponentSource& source) {
  if (composition.find("model") != nullptr) return;
  std::vector<std::string> ids;
  for (const auto& found : source.all(LEVIN_KIND_MODEL)) ids.push_back(found.component->id);
  throw Error(ErrorKind::usage, "no --model is named; " + (ids.empty() ? "and none is found: see host plugins"
                                                                       : "found: " + join(ids, ", ")));
}

BuiltRun build_run(RunRequest request, ComponentSource& source) { return Builder(std::move(request), source).build(); }

}  // namespace levin::core
