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

  std::string of_option() {
    const KnownOption* known = known_.find(key_);  // nullptr for an option of the Trainer that a component serves
    const OptionSchema* schema = known != nullptr ? &known->schema : nullptr;
    secret_ = schema != nullptr && (schema->flags & LEVIN_OPT_SECRET) != 0;
    const ChosenComponent* owner = run_.composition.find(key_.substr(0, key_.rfind('.')));
    const bool is_own = owner != nullptr && find_option(owner->schema(), last_part(key_)) != nullptr;
    const ResolvedOption& now = run_.values.at(key_);
    begin(text(now.value), now.origin);
    bool first = now.origin != "default";
    for (const Setting* s : layers_) {
      const bool lapsed = is_own && s->rank < owner->rank;
      if (lapsed) add("not used: " + text(s->value) + ", " + from(s->origin) + ", which is for another component");
      if (!lapsed && !first) add("overrides " + text(s->value) + ", " + from(s->origin));
      if (!lapsed) first = false;
    }
    if (now.origin != "default" && (schema == nullptr || (schema->flags & LEVIN_OPT_REQUIRED) == 0))
      add("overrides " + text(schema != nullptr ? schema->deflt : json(nullptr)) + ", the default");
    add_resolved(now);
    return out_;
  }

  std::string of_component(const ChosenComponent& chosen) {
    begin(chosen.schema().full_name() + " (" + chosen.found.file + ")", chosen.origin);
    if (!chosen.off.empty()) add("is off: " + chosen.off);
    for (const Setting* s : layers_)
      if (s->origin != chosen.origin && s->value != nullptr)
        add("overrides " + text(s->value) + ", " + from(s->origin));
    return out_;
  }

 private:
  // Values of the command line and the environment are texts.
  std::string text(const json& value) const {
    return secret_ ? "a secret" : show(value.is_string() ? scalar_from_text(value.get<std::string>()) : value);
  }
  static std::string from(const std::string& origin) {
    if (origin == "default") return "the default";
    return starts_with(origin, "recommended by ") ? origin : "from " + origin;
  }
  void begin(const std::string& value, const std::string& origin) {
    out_ = key_ + " is " + value + ", " + from(origin) + "\n";
  }
  void add(const std::string& line) { out_ += "  " + line + "\n"; }

  // Other options, such as fast_dev_run, change what the run uses; null often stands for a value.
  void add_resolved(const ResolvedOption& now) {
    const json& trainer = run_.config.trainer;
    const std::string name = last_part(key_);
    if (group_of(key_) != "trainer" || !trainer.contains(name) || trainer.at(name) == now.value) return;
    add("the run uses " + text(trainer.at(name)));
  }

  const BuiltRun& run_;
  const KnownOptions& known_;
  const std::string& key_;
  std::vector<const Setting*> layers_;  // the strongest first
  bool secret_ = false;
  std::string out_;
};

}  // namespace

std::string explain_option(const BuiltRun& run, const std::string& given) {
  const std::string name = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  const KnownOptions known(run.composition, {});
  if (const ChosenComponent* chosen = run.composition.find(name))
    return Explanation(run, known, name).of_component(*chosen);
  std::string out;
  for (const std::string& key : keys_of(run, name)) out += Explanation(run, known, key).of_option();
  if (!out.empty()) return out;
  std::vector<std::string> names;
  for (const auto& item : run.values)
    names.push_back(name.find('.') == std::string::npos ? last_part(item.first) : item.first);
  throw Error(ErrorCode::option_unknown, "--explain " + given + ": the run has no such option" +
                                             did_you_mean_option(name, names, 0) +
                                             "; --print_config shows all options");
}

}  // namespace levin::core
