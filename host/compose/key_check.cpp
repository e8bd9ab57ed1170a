#include "host/compose/key_check.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

[[noreturn]] void unknown_key(const Setting& s, const Composition& composition, const KnownOptions& known) {
  const size_t dot = s.key.rfind('.');
  const std::string owner = s.key.substr(0, dot);
  const std::string group = group_of(s.key);
  const bool instance = group == "callback" || group == "logger";
  if (instance && composition.find(owner) == nullptr) {
    const auto names = composition.instance_names(group);
    const std::string name = after_group(owner);
    std::string hint = did_you_mean(name, names, 0);
    if (hint.empty()) hint = "; --" + group + " " + name + "=COMPONENT adds one";
    throw Error(ErrorKind::usage, place_of(s) + ": there is no " + group + " named '" + name + "'" + hint);
  }
  if ((group == "model" || group == "data") && composition.find(group) == nullptr) {
    throw Error(ErrorKind::usage, place_of(s) + ": no --" + group + " is named");
  }
  std::vector<std::string> names;
  for (const auto& key : known.keys()) {
    if (starts_with(key, owner + ".")) names.push_back(key.substr(owner.size() + 1));
  }
  const ChosenComponent* chosen = composition.find(owner);
  const std::string what = chosen != nullptr ? chosen->schema().id : "the " + owner;
  throw Error(ErrorKind::usage, place_of(s) + ": " + what + " has no option '" + s.key.substr(dot + 1) + "'" +
                                    did_you_mean(s.key.substr(dot + 1), names));
}

}  // namespace

void check_keys(const Composition& composition, const KnownOptions& known) {
  for (const auto& s : composition.settings) {
    const std::string group = group_of(s.key);
    const std::string rest = after_group(s.key);
    const bool chooses =
        kind_of_group(group) != 0 &&
        (rest.empty() || (rest.find('.') == std::string::npos && (group == "callback" || group == "logger")));
    if (chooses || s.key == "ckpt_path" || known.find(s.key) != nullptr) continue;
    const ChosenComponent* chosen = composition.find(s.key.substr(0, s.key.rfind('.')));
    // Ignores options for a component that a later setting replaced, and recommended options of a missing component.
    const bool lapsed =
        (chosen != nullptr && s.rank < chosen->rank) || (!s.by_user() && chosen == nullptr && group != "trainer");
    if (!lapsed) unknown_key(s, composition, known);
  }
}

}  // namespace levin::core
