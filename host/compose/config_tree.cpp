#include "host/compose/config_tree.hpp"

#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Lines = std::vector<ConfigLine>;

class TreeOfRun {
 public:
  explicit TreeOfRun(const BuiltRun& run) : run_(run) {}

  ConfigLine build() const {
    ConfigLine root;
    const auto section = [](const char* key, Lines members) {
      ConfigLine out{key};
      out.members = std::move(members);
      return out;
    };
    root.members.push_back(component("model", "model"));
    root.members.push_back(run_.config.data ? component("data", "data") : ConfigLine{"data", nullptr});
    for (const char* group : {"callback", "logger"}) root.members.push_back(section(group, {}));
    for (size_t i : {2, 3}) add_instances(root.members[i]);
    root.members.push_back(section("trainer", trainer()));
    const auto& ckpt = run_.values.at("ckpt_path");
    root.members.push_back({"ckpt_path", ckpt.value, ckpt.origin});
    return root;
  }

 private:
  ConfigLine component(const std::string& name, const std::string& key) const {
    const ChosenComponent& chosen = *run_.composition.find(key);
    ConfigLine out{name};
    Lines& lines = out.members;
    lines.push_back({"component", json(chosen.found.file + ":" + chosen.schema().id), chosen.origin});
    for (const auto& option : chosen.schema().options) {
      if (option.flags & LEVIN_OPT_SECRET)
        lines[0].notes.push_back(option.name +
                                 " is a secret and not shown: " + run_.values.at(key + "." + option.name).origin);
      else
        add(lines, key, option.name);
    }
    for (const OptionSchema* option : options_of_host(key))
      if (find_option(chosen.schema(), option->name) == nullptr) add(lines, key, option->name);
    return out;
  }

  void add(Lines& lines, const std::string& key, const std::string& name) const {
    const auto& shown = run_.values.at(key + "." + name);
    lines.push_back({name, shown.value, shown.origin});
  }

  void add_instances(ConfigLine& group) const {
    for (const auto& chosen : run_.composition.components) {
      if (chosen.group != group.key) continue;
      if (chosen.off.empty()) group.members.push_back(component(chosen.name, chosen.key()));
      if (chosen.removed) group.members.push_back({chosen.name, json(false)});
      if (!chosen.off.empty() && !chosen.removed) group.notes.push_back(chosen.name + " is off: " + chosen.off);
    }
  }

  Lines trainer() const {
    Lines lines;
    for (const auto& option : trainer_options()) add(lines, "trainer", option.schema.name);
    for (const auto& [key, shown] : run_.values) {
      const std::string name = after_group(key);
      if (group_of(key) == "trainer" && find_trainer_option(name) == nullptr)
        lines.push_back({name, shown.value, shown.origin});
    }
    return lines;
  }

  const BuiltRun& run_;
};

}  // namespace

ConfigLine config_tree(const BuiltRun& run) { return TreeOfRun(run).build(); }

}  // namespace levin::core
