// A few fake components, found by id.
#pragma once
#include <deque>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/schema.hpp"
#include "host/compose/run_builder.hpp"

namespace levin::core {

inline OptionSchema make_option(const std::string& name, uint32_t type, nlohmann::json deflt, uint32_t flags = 0) {
  OptionSchema option;
  option.name = name;
  option.type = type;
  option.deflt = std::move(deflt);
  option.flags = flags;
  return option;
}

inline OptionSchema make_choice(const std::string& name, const std::string& deflt, std::vector<std::string> choices) {
  OptionSchema option = make_option(name, LEVIN_T_CHOICE, deflt);
  option.choices = std::move(choices);
  return option;
}

class FakeSource : public ComponentSource {
 public:
  FakeSource() {
    auto& net = add(LEVIN_KIND_MODEL, "net");
    net.options = {make_choice("depth", "small", {"small", "18", "34"}), make_option("lr", LEVIN_T_FLOAT, 0.1),
                   make_option("token", LEVIN_T_STRING, "", LEVIN_OPT_SECRET)};
    auto& tuned = add(LEVIN_KIND_MODEL, "tuned");
    tuned.options = {make_choice("optimizer", "adamw", {"sgd", "adamw"})};
    tuned.options[0].type = LEVIN_T_STRING;
    tuned.options[0].flags = LEVIN_OPT_OPTIMIZER;
    auto& line = add(LEVIN_KIND_MODEL, "line");
    line.options = {make_option("width", LEVIN_T_INT, nullptr, LEVIN_OPT_REQUIRED)};
    auto& coach = add(LEVIN_KIND_MODEL, "coach");
    coach.defaults = {{"trainer.max_epochs", 12},
                      {"data.batch_size", 64},
                      {"callback.stopper.patience", 9},
                      {"callback.absent.x", 1}};
    auto& digits = add(LEVIN_KIND_DATA, "digits");
    digits.options = {make_option("dir", LEVIN_T_PATH, ""), make_option("lr", LEVIN_T_FLOAT, 1.0)};
    auto& stopper = add(LEVIN_KIND_CALLBACK, "stopper");
    stopper.options = {make_option("monitor", LEVIN_T_STRING, "val_loss"), make_option("patience", LEVIN_T_INT, 3),
                       make_choice("mode", "min", {"min", "max"})};
    stopper.flags = LEVIN_F_MONITOR;
    auto& keeper = add(LEVIN_KIND_CALLBACK, "keeper");
    keeper.options = {make_option("monitor", LEVIN_T_STRING, "")};
    keeper.claims = {{"enable_checkpointing", "", "save checkpoints"}};
    auto& clock = add(LEVIN_KIND_CALLBACK, "clock");
    clock.options = {make_option("duration", LEVIN_T_STRING, nullptr, LEVIN_OPT_NULLABLE)};
    clock.claims = {{"max_time", "duration", "stop after so much time"}};
    for (const char* id : {"bar", "dots"}) {
      auto& bar = add(LEVIN_KIND_CALLBACK, id);
      bar.claims = {{"enable_progress_bar", "", "show progress"}};
      bar.flags = LEVIN_F_ONE_ONLY;
    }
    add(LEVIN_KIND_LOGGER, "table").flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;
    auto& board = add(LEVIN_KIND_LOGGER, "board");
    board.flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;
    board.options = {make_option("rows", LEVIN_T_INT, 5)};
    add(LEVIN_KIND_LOGGER, "remote").options = {make_option("key", LEVIN_T_STRING, "", LEVIN_OPT_SECRET)};
    add(LEVIN_KIND_OPTIMIZER, "lion");
    for (const char* plugin : {"org.a", "org.b"}) add(LEVIN_KIND_OPTIMIZER, "tiger").plugin = plugin;
    auto& foreign = add(LEVIN_KIND_CALLBACK, "stopper");  // from another plugin than the one above
    foreign.plugin = "org.example";
    foreign.options = {make_option("patience", LEVIN_T_INT, 7)};
  }

  // An id without a plugin finds the first component; the real index of plugins would reject it.
  FoundComponent find(const std::string& written, uint32_t kind) override {
    std::vector<std::string> known;
    for (const auto& component : components_) {
      if (component.kind != kind) continue;
      if (component.answers_to(written) || file_of(component) + ":" + component.id == written)
        return {file_of(component), &component};
      known.push_back(component.id);
    }
    throw Error(ErrorCode::plugin_not_found,
                std::string("no ") + kind_name(kind) + " '" + written + "'" + did_you_mean(written, known));
  }

  std::vector<FoundComponent> all(uint32_t kind) override {
    std::vector<FoundComponent> out;
    for (const auto& component : components_) {
      if (component.kind == kind) out.push_back({file_of(component), &component});
    }
    return out;
  }

 private:
  static std::string file_of(const ComponentSchema& component) {
    return "/fake/" + (component.plugin.empty() ? "" : component.plugin + ".") + component.id + ".so";
  }
  ComponentSchema& add(uint32_t kind, const std::string& id) {
    components_.emplace_back();
    components_.back().kind = kind;
    components_.back().id = id;
    components_.back().version = "1";
    return components_.back();
  }
  std::deque<ComponentSchema> components_;
};

inline constexpr const char* fake_defaults = R"({
  "callback": {"stopper": {"patience": 5}, "bar": {}, "keeper": {"monitor": "val_loss"}},
  "logger": {"table": {}, "board": {}}
})";

inline Setting said(const std::string& key, nlohmann::json value, int rank = rank_command_line) {
  return {key, std::move(value), "--" + key, rank};
}

// A run of net on digits, with the default configuration and the given settings.
inline RunRequest request_of(std::vector<Setting> settings) {
  RunRequest request;
  request.settings =
      settings_from_config(parse_json_document(fake_defaults, "default.json"), "default.json", rank_default);
  request.settings.push_back(said("model", "net"));
  request.settings.push_back(said("data", "digits"));
  for (auto& s : settings) request.settings.push_back(std::move(s));
  return request;
}

inline BuiltRun built(FakeSource& source, std::vector<Setting> settings) {
  return build_run(request_of(std::move(settings)), source);
}

inline std::vector<Setting> from_file(const std::string& text, int rank = rank_file) {
  return settings_from_config(parse_json_document(text, "run.json"), "run.json", rank);
}

inline std::vector<std::string> names(const std::vector<ComponentConfig>& list) {
  std::vector<std::string> out;
  for (const auto& item : list) out.push_back(item.name);
  return out;
}

}  // namespace levin::core
