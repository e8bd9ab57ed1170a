#include "host/compose/saved_run.hpp"

#include <algorithm>

#include "host/compose/composition.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class SavedSettings {
 public:
  SavedSettings(const RunConfig& saved, ComponentSource& source) : saved_(saved), source_(source) {}

  std::vector<Setting> read() {
    component("model", "model", saved_.model);
    if (saved_.data) component("data", "data", *saved_.data);
    for (const auto& c : saved_.callbacks) component("callback", "callback." + c.name, c);
    for (const auto& c : saved_.loggers) component("logger", "logger." + c.name, c);
    for (const auto& [name, value] : saved_.loader.items()) add("data." + name, value);
    for (const auto& [name, value] : saved_.trainer.items()) add("trainer." + name, value);
    return std::move(out_);
  }

 private:
  void component(const std::string& group, const std::string& key, const ComponentConfig& c) {
    const std::string written = c.file + ":" + c.component;
    const auto found = source_.find(written, kind_of_group(group));
    add(key, written);
    for (const auto& option : found.component->options) {
      const auto value = c.options.find(option.name);
      if (value != c.options.end()) add(key + "." + option.name, *value);
    }
  }

  void add(const std::string& key, json value) {
    const auto origin = saved_.origins.find(key);
    out_.push_back(
        {key, std::move(value), origin == saved_.origins.end() ? saved_run_origin : origin->second, rank_file});
  }

  const RunConfig& saved_;
  ComponentSource& source_;
  std::vector<Setting> out_;
};

// The Trainer's options are saved in their resolved form. Changes two values back to what a user may write.
void unresolve(std::vector<Setting>& settings) {
  for (auto& s : settings) {
    if (s.key == "trainer.seed_everything" && s.value.is_null()) s.value = false;
    if (s.key == "trainer.val_check_interval" && s.value.is_number_float() && s.value == 1.0) s.value = nullptr;
  }
}

}  // namespace

std::vector<Setting> settings_from_run(const RunConfig& saved, ComponentSource& source) {
  auto settings = SavedSettings(saved, source).read();
  unresolve(settings);
  return settings;
}

}  // namespace levin::core
