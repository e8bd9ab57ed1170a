#include "host/compose/composition.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/schema.hpp"
#include "host/compose/opened_files.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Returns the key if the setting chooses a component, or "" if it sets an option.
std::string component_key(const Setting& s) {
  const std::string group = group_of(s.key);
  if (kind_of_group(group) == 0) return "";
  const std::string rest = after_group(s.key);
  const bool single = group == "model" || group == "data";
  if (single) return rest.empty() ? s.key : "";
  return rest.find('.') == std::string::npos ? s.key : "";
}

Error with_origin(const Setting& s, const Error& e) { return Error(e.code(), s.origin + ": " + e.what()); }

bool is_no_plugin(const std::string& written) {
  return !ends_with(written, ".so") && is_present(absolute_path(written));
}

class Composer {
 public:
  Composer(Composition& out, ComponentSource& source) : out_(out), source_(source) {}

  void apply(const Setting& s) {
    const std::string key = component_key(s);
    if (key.empty()) return;
    if (s.value.is_null() && group_of(key) == "data") return remove(key);
    const bool instance = !after_group(key).empty();
    if (s.value == false || (instance && s.value == "false")) return switch_off(key, s);
    if (s.value.is_null() || (instance && (s.value == true || s.value == "true"))) return keep_or_add(key, s);
    if (!s.value.is_string())
      throw Error(ErrorCode::option_value_invalid,
                  s.origin + ": " + key + ": " + s.value.dump() + " is not a component");
    choose(key, s.value.get<std::string>(), s);
  }

 private:
  void remove(const std::string& key) {
    auto& all = out_.components;
    const auto has_key = [&](const ChosenComponent& chosen) { return chosen.key() == key; };
    all.erase(std::remove_if(all.begin(), all.end(), has_key), all.end());
  }

  void switch_off(const std::string& key, const Setting& s) {
    ChosenComponent* chosen = out_.find(key);
    if (chosen == nullptr)
      throw Error(ErrorCode::component_unknown,
                  unknown_name(s.origin + ": there is nothing to switch off, no " + group_of(key), after_group(key),
                               out_.instance_names(group_of(key))));
    chosen->off = s.origin;
    chosen->removed = true;
  }

  // Handles a setting that has options for an instance but names no component. Keeps the instance if it exists;
  // otherwise creates an instance of the component with the same name.
  void keep_or_add(const std::string& key, const Setting& s) {
    if (out_.find(key) == nullptr) choose(key, after_group(key), s);
  }

  void choose(const std::string& key, const std::string& written, const Setting& s) {
    const std::string group = group_of(key);
    const FoundComponent found = look_up(written, kind_of_group(group), s);
    if (found.component == nullptr) return;
    const bool single = group == "model" || group == "data";
    std::string name = after_group(key);
    if (name.empty()) name = found.component->id;
    if (!is_name(name))
      throw Error(ErrorCode::name_invalid,
                  s.origin + ": '" + name + "' cannot be the name of an instance: use letters, digits, _ and -");
    ChosenComponent chosen{group, name, written, found, s.origin, s.rank, s.rank, s.by_user()};
    ChosenComponent* before = out_.find(chosen.key());
    if (before == nullptr) {
      // Options in files that name no model belong to the model that the command line names.
      if (single && chosen.by_user) chosen.rank = rank_file;
      out_.components.push_back(std::move(chosen));
      return;
    }
    if (!single) refuse_twice(*before, chosen);
    if (same_component(before->found, found)) chosen.rank = before->rank;
    const bool first_time = chosen.by_user && !before->by_user && !single;
    chosen.by_user = chosen.by_user || before->by_user;
    *before = std::move(chosen);
    // A default that the user also names moves to the end, in the order of the user's settings.
    if (first_time) move_to_end(before - out_.components.data());
  }

  void move_to_end(std::ptrdiff_t index) {
    const auto place = out_.components.begin() + index;
    std::rotate(place, place + 1, out_.components.end());
  }

  // A later source may name an instance again, which replaces it. Naming it twice in the same source is an error.
  static void refuse_twice(const ChosenComponent& first, const ChosenComponent& second) {
    if (!second.by_user || second.named != first.named || !first.off.empty()) return;
    throw Error(ErrorCode::name_ambiguous, second.origin + ": two " + second.group + "s are named '" + second.name +
                                               "'; name them: --" + second.group + " a=" + first.written + " --" +
                                               second.group + " b=" + second.written);
  }

  FoundComponent look_up(const std::string& written, uint32_t kind, const Setting& s) {
    try {
      return source_.find(written, kind);
    } catch (const Error& e) {
      if (s.by_user() && is_no_plugin(written) && !is_id(written, kind)) refuse_file(written, kind, s);
      if (s.by_user()) throw with_origin(s, e);
      out_.warnings.push_back(s.origin + ": " + e.what());
      return {};
    }
  }

  bool is_id(const std::string& written, uint32_t kind) {
    const auto all = source_.all(kind);
    return std::any_of(all.begin(), all.end(), [&](const FoundComponent& f) { return f.component->id == written; });
  }

  // A data file or folder belongs in an option of a component, a file for a model among its weights.
  [[noreturn]] void refuse_file(const std::string& written, uint32_t kind, const Setting& s) {
    const std::string group = group_of(s.key);
    std::vector<std::string> ways;
    const bool folder = is_folder(written), weights = kind == LEVIN_KIND_MODEL && !folder;
    if (weights) ways = {"--ckpt_path " + written, "--model X --model.init_from " + written};
    for (const FoundComponent& found : source_.all(kind))
      for (const OptionSchema& option : found.component->options)
        if (option.type == LEVIN_T_PATH && (option.name == "dir" || ends_with(option.name, "_dir")) == folder &&
            (!weights || option.name == "file"))
          ways.push_back("--" + group + " " + found.component->id + " --" + group + "." + option.name + " " + written);
    throw Error(ErrorCode::option_value_invalid,
                s.origin + ": '" + written + "' is a file or folder that is no plugin, and --" + group +
                    " names a plugin; what it reads is another option" +
                    (ways.empty() || kind == LEVIN_KIND_CALLBACK ? "" : ", such as " + join_some(ways, 3)));
  }

  Composition& out_;
  ComponentSource& source_;
};

void sort_settings(std::vector<Setting>& settings) {
  // Within one source, settings that choose components are moved before settings of options.
  std::stable_sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
    return a.rank != b.rank ? a.rank < b.rank : !component_key(a).empty() && component_key(b).empty();
  });
}

bool serves_a_flag_of(const ComponentSchema& a, const ComponentSchema& b) {
  for (const auto& claim : a.claims) {
    for (const auto& other : b.claims) {
      if (claim.option.empty() && other.option.empty() && claim.name == other.name) return true;
    }
  }
  return false;
}

bool is_overridden(const ChosenComponent& by_default, const ChosenComponent& user) {
  if (user.group != by_default.group || !user.off.empty()) return false;
  if (by_default.group == "logger") return true;
  return same_component(by_default.found, user.found) || serves_a_flag_of(by_default.schema(), user.schema());
}

void sort_by_group(std::vector<ChosenComponent>& components) {
  using Chosen = ChosenComponent;  // the kinds are numbered in the order of the groups
  std::stable_sort(components.begin(), components.end(),
                   [](const Chosen& a, const Chosen& b) { return kind_of_group(a.group) < kind_of_group(b.group); });
}

// Returns 0 for a component named by the user, 1 if a trainer flag added it, 2 for a default.
int place_in_order(const ChosenComponent& chosen) { return chosen.by_user ? 0 : chosen.rank >= rank_file ? 1 : 2; }

}  // namespace

void sort_by_choice(Composition& composition) {
  using Chosen = ChosenComponent;
  std::stable_sort(composition.components.begin(), composition.components.end(),
                   [](const Chosen& a, const Chosen& b) { return place_in_order(a) < place_in_order(b); });
}

uint32_t kind_of_group(const std::string& group) {
  if (group == "model") return LEVIN_KIND_MODEL;
  if (group == "data") return LEVIN_KIND_DATA;
  if (group == "callback") return LEVIN_KIND_CALLBACK;
  return group == "logger" ? LEVIN_KIND_LOGGER : 0;
}

const ChosenComponent* Composition::find(const std::string& key) const {
  for (const auto& chosen : components) {
    if (chosen.key() == key) return &chosen;
  }
  return nullptr;
}

ChosenComponent* Composition::find(const std::string& key) {
  return const_cast<ChosenComponent*>(std::as_const(*this).find(key));
}

std::vector<std::string> Composition::instance_names(const std::string& group) const {
  std::vector<std::string> names;
  for (const auto& chosen : components) {
    if (chosen.group == group) names.push_back(chosen.name);
  }
  return names;
}

Composition compose(std::vector<Setting> settings, ComponentSource& source, bool recommendations) {
  open_files(settings);
  sort_settings(settings);
  Composition first;  // model and data module only, to get their recommendations
  for (const auto& s : settings) {
    const std::string group = group_of(s.key);
    if (group == "model" || group == "data") Composer(first, source).apply(s);
  }
  for (const char* group : {"model", "data"}) {
    const ChosenComponent* chosen = first.find(group);
    if (chosen == nullptr || !recommendations) continue;
    const ComponentSchema& schema = chosen->schema();
    for (auto& s : settings_from_defaults(schema.defaults, schema.id)) settings.push_back(std::move(s));
  }
  sort_settings(settings);
  Composition out;
  for (const auto& s : settings) Composer(out, source).apply(s);
  sort_by_group(out.components);
  out.settings = std::move(settings);
  return out;
}

void drop_overridden_defaults(Composition& composition) {
  for (auto& chosen : composition.components) {
    if (chosen.by_user || chosen.group == "model" || chosen.group == "data") continue;
    for (const auto& user : composition.components) {
      if (user.by_user && is_overridden(chosen, user)) chosen.off = "in favour of " + user.key();
    }
  }
}

}  // namespace levin::core
