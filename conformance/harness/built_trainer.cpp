#include "conformance/harness/built_trainer.hpp"

#include <algorithm>
#include <cctype>

#include "conformance/harness/names.hpp"
#include "core/base/json.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/cli/embedded.hpp"
#include "host/compose/claims.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

core::Setting said(const std::string& key, json value) {
  return {key, std::move(value), "--" + key, core::rank_command_line};
}

void add_callbacks(std::vector<core::Setting>& settings, const json& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string key = "callback.c" + std::to_string(i);
    for (const auto& [option, value] : list[i].items()) {
      if (option == "name")
        settings.push_back(said(key, component_id(value.get<std::string>())));
      else
        settings.push_back(said(key + "." + option, value));
    }
  }
}

std::vector<core::Setting> settings_of(const json& flags, const std::string& root) {
  std::vector<core::Setting> out = core::settings_from_config(
      core::parse_json_document(core::default_config_text, "default.json"), "default.json", core::rank_default);
  out.push_back(said("model", "scalar"));
  out.push_back(said("model.script", {{"data", json::object()}}));
  json all = {{"accelerator", "cpu"}, {"default_root_dir", root}};
  all.update(flags);
  for (const auto& [flag, value] : all.items()) {
    if (flag == "callbacks")
      add_callbacks(out, value);
    else
      out.push_back(said("trainer." + flag, value));
  }
  return out;
}

std::vector<std::string> trainer_names(const core::Composition& composition) {
  std::vector<std::string> names;
  for (const auto& option : core::trainer_options()) names.push_back(option.schema.name);
  for (const auto& claim : core::find_claims(composition, plugins())) names.push_back(claim.first);
  return names;
}

std::string class_name(const std::string& id) {
  const std::map<std::string, std::string> irregular = {{"tensorboard", "TensorBoardLogger"}, {"csv", "CSVLogger"}};
  const auto found = irregular.find(id);
  if (found != irregular.end()) return found->second;
  std::string out;
  bool upper = true;
  for (const char c : id) {
    if (c != '_') out += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return out;
}

bool is_there(const core::ChosenComponent& chosen) {
  return chosen.off.empty() || chosen.off == core::off_in_fast_dev_run;
}

}  // namespace

BuiltTrainer::BuiltTrainer(const json& flags, const std::map<std::string, std::string>& environment) {
  core::RunRequest request;
  request.command = core::Command::fit;
  request.settings = settings_of(flags, root_.path().string());
  request.old = core::LightningAliases(core::parse_json(core::lightning_aliases_text, "lightning_aliases.json"));
  std::vector<std::string> unknown;
  const core::Composition named = core::compose(request.settings, plugins());
  for (auto& s : core::settings_from_environment(environment, trainer_names(named), unknown))
    request.settings.push_back(std::move(s));
  core::BuiltRun built = core::build_run(std::move(request), plugins());
  composition_ = std::move(built.composition);
  trainer_ = std::make_unique<core::Trainer>(std::move(built.config), console_);
}

json BuiltTrainer::callbacks() const {
  json names = json::array();
  const auto add = [&](const core::ChosenComponent& chosen) {
    if (chosen.by_user || !chosen.schema().claims.empty()) names.push_back(class_name(chosen.schema().id));
  };
  for (const auto& callback : trainer_->assembly().hooks.callbacks())
    if (const core::ChosenComponent* chosen = composition_.find("callback." + callback->instance())) add(*chosen);
  for (const auto& chosen : composition_.components)
    if (chosen.group == "callback" && chosen.off == core::off_in_fast_dev_run) add(chosen);
  return names;
}

json BuiltTrainer::loggers() const {
  if (trainer_->assembly().settings.config.trainer.at("logger") == false) return json::array();
  std::vector<const core::ChosenComponent*> there;
  for (const auto& chosen : composition_.components)
    if (chosen.group == "logger" && is_there(chosen)) there.push_back(&chosen);
  const auto fuller = std::find_if(there.begin(), there.end(), [](auto* s) { return s->schema().id == "tensorboard"; });
  if (fuller != there.end() && !(*fuller)->by_user) there = {*fuller};
  json names = json::array();
  for (const core::ChosenComponent* chosen : there)
    names.push_back(chosen->off.empty() ? class_name(chosen->schema().id) : "DummyLogger");
  return names;
}

json with_component_ids(json expected) {
  for (json& text : expected["must_name"]) {
    if (!text.is_string()) continue;
    const std::string id = component_id(text.get<std::string>());
    if (id != text) text = json::array({text, id});
  }
  return expected;
}

}  // namespace conformance
