#include "host/compose/option_sources.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/suggestions.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }
bool is_of_instance(const std::string& key) {
  return kind_of_group(group_of(key)) != 0 && key.find('.', key.find('.') + 1) != std::string::npos;
}

// Returns the keys that a name stands for. As on the command line, options of callbacks and loggers count only if
// nothing else has the name.
std::vector<std::string> keys_of(const BuiltRun& run, const std::string& name) {
  if (run.values.count(name) != 0) return {name};
  std::vector<std::string> first, of_instances;
  for (const auto& item : run.values)
    if (last_part(item.first) == name) (is_of_instance(item.first) ? of_instances : first).push_back(item.first);
  return first.empty() ? of_instances : first;
}

class Explanation {
 public:
  Explanation(const BuiltRun& run, const KnownOptions& known, const std::string& key)
      : run_(run), known_(known), key_(key) {
    for (const Setting& s : run.composition.settings)
      if (s.key == key) layers_.push_back(&s);
    std::stable_sort(layers_.begin(), layers_.end(),
                     [](const Setting* a, const Setting* b) { return a->rank < b->rank; });
    std::reverse(layers_.begin(), layers_.end());
  }

  json of_option() {
    const KnownOption* known = known_.find(key_);  // nullptr for an option of the Trainer that a component serves
    const OptionSchema* schema = known != nullptr ? &known->schema : nullptr;
    secret_ = schema != nullptr && (schema->flags & LEVIN_OPT_SECRET) != 0;
    const ChosenComponent* owner = run_.composition.find(key_.substr(0, key_.rfind('.')));
    const bool is_own = owner != nullptr && find_option(owner->schema(), last_part(key_)) != nullptr;
    const ResolvedOption& now = run_.values.at(key_);
    begin(now.value, now.origin);
    bool first = now.origin != "default";
    for (const Setting* s : layers_) {
      const bool lapsed = is_own && s->rank < owner->rank;
      if (lapsed || !first) add(s->value, s->origin, !lapsed);
      if (!lapsed) first = false;
    }
    if (now.origin != "default" && (schema == nullptr || (schema->flags & LEVIN_OPT_REQUIRED) == 0))
      add(schema != nullptr ? schema->deflt : json(nullptr), "default", true);
    add_resolved(now);
    return out_;
  }

  json of_component(const ChosenComponent& chosen) {
    begin(chosen.schema().full_name(), chosen.origin);
    out_["file"] = chosen.found.file;
    if (!chosen.off.empty()) out_["off"] = chosen.off;
    for (const Setting* s : layers_)
      if (s->origin != chosen.origin && s->value != nullptr) add(s->value, s->origin, true);
    return out_;
  }

 private:
  // Values of the command line and the environment are texts.
  json sourced(const json& value, const std::string& origin) const {
    if (secret_) return {{"origin", origin}};
    return {{"value", value.is_string() ? scalar_from_text(value.get<std::string>()) : value}, {"origin", origin}};
  }
  void begin(const json& value, const std::string& origin) {
    out_ = sourced(value, origin);
    out_.update({{"option", key_}, {"others", json::array()}});
  }
  void add(const json& value, const std::string& origin, bool overridden) {
    out_["others"].push_back(sourced(value, origin));
    out_["others"].back()["overridden"] = overridden;
  }

  // Other options, such as fast_dev_run, change what the run uses; null often stands for a value.
  void add_resolved(const ResolvedOption& now) {
    const json& trainer = run_.config.trainer;
    const std::string name = last_part(key_);
    if (group_of(key_) != "trainer" || !trainer.contains(name) || trainer.at(name) == now.value) return;
    out_["used"] = trainer.at(name);
  }

  const BuiltRun& run_;
  const KnownOptions& known_;
  const std::string& key_;
  std::vector<const Setting*> layers_;  // the strongest first
  bool secret_ = false;
  json out_;
};

std::string from(const json& row) {
  const std::string origin = row.at("origin");
  if (origin == "default") return ", the default";
  return starts_with(origin, "recommended by ") ? ", " + origin : ", from " + origin;
}

std::string value_text(const json& row) { return row.contains("value") ? show(row.at("value")) : "a secret"; }

}  // namespace

std::string explanation_text(const json& row) {
  const std::string component =
      row.contains("file") ? row.at("value").get<std::string>() + " (" + row.at("file").get<std::string>() + ")"
                           : value_text(row);
  std::string out = row.at("option").get<std::string>() + " is " + component + from(row) + "\n";
  if (row.contains("off")) out += "  is off: " + row.at("off").get<std::string>() + "\n";
  for (const json& other : row.at("others")) {
    const std::string what = value_text(other) + from(other);
    out += other.at("overridden") ? "  overrides " + what + "\n"
                                  : "  not used: " + what + ", which is for another component\n";
  }
  if (row.contains("used")) out += "  the run uses " + show(row.at("used")) + "\n";
  return out;
}

json explain_option(const BuiltRun& run, const std::string& given) {
  const std::string name = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  const KnownOptions known(run.composition, {});
  if (const ChosenComponent* chosen = run.composition.find(name))
    return json::array({Explanation(run, known, name).of_component(*chosen)});
  json out = json::array();
  for (const std::string& key : keys_of(run, name)) out.push_back(Explanation(run, known, key).of_option());
  if (!out.empty()) return out;
  std::vector<std::string> names;
  for (const auto& item : run.values)
    names.push_back(name.find('.') == std::string::npos ? last_part(item.first) : item.first);
  throw Error(ErrorCode::option_unknown, "--explain " + given + ": the run has no such option" +
                                             did_you_mean_option(name, names, 0) +
                                             "; --print_config shows all options");
}

}  // namespace levin::core
