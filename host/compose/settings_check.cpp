#include "host/compose/settings_check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/compose/component_options.hpp"
#include "host/compose/suggestions.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// An option's key, split into the owner ("trainer", "callback.best") and the rest.
struct KeyParts {
  std::string owner, option;
};

KeyParts parts_of_key(const std::string& key) {
  const std::string group = group_of(key);
  const bool instance = group == "callback" || group == "logger";
  const size_t dot = key.find('.', instance ? group.size() + 1 : 0);
  return {key.substr(0, dot), dot == std::string::npos ? "" : key.substr(dot + 1)};
}

std::string meant_option(const std::string& option, const std::string& owner, const KnownOptions& known) {
  std::vector<std::string> names;
  for (const auto& key : known.keys())
    if (starts_with(key, owner + ".")) names.push_back(key.substr(owner.size() + 1));
  const std::string hint = did_you_mean_option(option, names, 30);
  return hint.empty() ? "; host help " + owner.substr(owner.rfind('.') + 1) + " lists all options" : hint;
}

Error unknown_instance(const Setting& s, const std::string& name, const Composition& composition,
                       ComponentSource& source) {
  const std::string group = group_of(s.key);
  std::vector<std::string> ids;
  for (const auto& found : source.all(kind_of_group(group))) ids.push_back(found.component->id);
  const auto id = nearest(name, ids);
  std::string hint = did_you_mean(name, composition.instance_names(group), 0);
  if (id == name || (hint.empty() && id)) hint = "; --" + group + " " + *id + " adds it";
  if (hint.empty()) hint = "; --" + group + " " + name + "=COMPONENT adds one";
  return Error(ErrorCode::component_unknown, place_of(s) + ": there is no " + group + " named '" + name + "'" + hint);
}

Error unknown_key(const Setting& s, const Composition& composition, const KnownOptions& known,
                  ComponentSource& source) {
  const auto [owner, option] = parts_of_key(s.key);
  const std::string group = group_of(s.key);
  const bool instance = group == "callback" || group == "logger";
  if (instance && composition.find(owner) == nullptr)
    return unknown_instance(s, after_group(owner), composition, source);
  if ((group == "model" || group == "data") && composition.find(group) == nullptr)
    return Error(group == "model" ? ErrorCode::model_not_named : ErrorCode::data_not_named,
                 place_of(s) + ": no --" + group + " is named");
  const std::string whole = owner + "." + option.substr(0, option.find('.'));
  if (known.find(whole) != nullptr)
    return Error(ErrorCode::option_value_invalid,
                 place_of(s) + ": " + whole + " is an option itself and has none; use --" + whole + " VALUE");
  const ChosenComponent* chosen = composition.find(owner);
  const std::string what = chosen != nullptr ? chosen->schema().id : "the " + owner;
  return Error(ErrorCode::option_unknown,
               place_of(s) + ": " + what + " has no option '" + option + "'" + meant_option(option, owner, known));
}

// Returns the items of a list option's value: none for null, two for "a,b" or ["a", "b"].
json items(const json& value) {
  const json parsed = value.is_string() ? scalar_from_text(value.get<std::string>()) : value;
  if (parsed.is_array()) return parsed;
  if (parsed.is_null()) return json::array();
  return value.is_string() ? json(split(value.get<std::string>(), ',')) : json::array({value});
}

[[noreturn]] void refuse_two_values(const Setting& first, const Setting& second, bool secret) {
  const auto value = [secret](const Setting& s) { return secret ? std::string("a secret") : show(s.value); };
  const std::string a = place_of(first), b = place_of(second);
  throw Error(ErrorCode::options_conflict, (a == b ? a + " is given twice, " + value(first) + " and " + value(second)
                                                   : a + " (" + value(first) + ") and " + b + " (" + value(second) +
                                                         ") are one option, " + first.key) +
                                               ": leave one of them out");
}

}  // namespace

std::vector<Error> key_errors(const Composition& composition, const KnownOptions& known, ComponentSource& source) {
  std::vector<Error> out;
  for (const auto& s : composition.settings) {
    const std::string group = group_of(s.key);
    const std::string rest = after_group(s.key);
    const bool chooses =
        kind_of_group(group) != 0 &&
        (rest.empty() || (rest.find('.') == std::string::npos && (group == "callback" || group == "logger")));
    if (chooses || s.key == "ckpt_path" || known.find(s.key) != nullptr) continue;
    const ChosenComponent* chosen = composition.find(s.key.substr(0, s.key.rfind('.')));
    // Options of a component that a later setting replaced are ignored, as are recommended options of a missing
    // component.
    const bool lapsed =
        (chosen != nullptr && s.rank < chosen->rank) || (!s.by_user() && chosen == nullptr && group != "trainer");
    if (!lapsed) out.push_back(unknown_key(s, composition, known, source));
  }
  return out;
}

void check_keys(const Composition& composition, const KnownOptions& known, ComponentSource& source) {
  for (const Error& error : key_errors(composition, known, source)) throw Error(error);
}

json check_value(const Setting& setting, const Composition& composition, const KnownOptions& known,
                 ComponentSource& source) {
  const KnownOption* option = known.find(setting.key);
  const ChosenComponent* owner = composition.find(setting.key.substr(0, setting.key.rfind('.')));
  if (!setting.by_user() || option == nullptr) return setting.value;
  // Options of every model or data module are not those of the replaced one.
  const bool is_own = owner != nullptr && find_option(owner->schema(), option->schema.name) != nullptr;
  if (is_own && setting.rank < owner->rank) return setting.value;
  const bool of_trainer = group_of(setting.key) == "trainer";
  if (const TrainerOption* own = of_trainer ? find_trainer_option(after_group(setting.key)) : nullptr)
    return check_trainer_option(*own, setting.value, place_of(setting));
  return checked_value(option->schema, setting, [&source] { return source.all(LEVIN_KIND_OPTIMIZER); });
}

void gather_lists(std::vector<Setting>& settings, const KnownOptions& known) {
  const auto is_option = [&](const Setting& s) {
    return s.rank == rank_command_line && (s.key == "ckpt_path" || known.find(s.key) != nullptr);
  };
  std::vector<Setting> out;
  for (Setting& s : settings) {
    const auto first =
        std::find_if(out.begin(), out.end(), [&](const Setting& o) { return is_option(o) && o.key == s.key; });
    if (!is_option(s) || first == out.end()) {
      out.push_back(std::move(s));
      continue;
    }
    const KnownOption* option = known.find(s.key);
    if (option == nullptr || !option->list)
      refuse_two_values(*first, s, option != nullptr && (option->schema.flags & LEVIN_OPT_SECRET) != 0);
    json all = items(first->value);
    for (json& item : items(s.value)) all.push_back(std::move(item));
    first->value = std::move(all);
  }
  settings = std::move(out);
}

}  // namespace levin::core
