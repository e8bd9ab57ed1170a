#include "host/compose/saved_run.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/weights/torch_file.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class SavedSettings {
 public:
  explicit SavedSettings(const RunConfig& saved) : saved_(saved) {}

  std::vector<Setting> read() {
    component("model", saved_.model);
    if (saved_.data) component("data", *saved_.data);
    for (const auto& c : saved_.callbacks) component("callback." + c.name, c);
    for (const auto& c : saved_.loggers) component("logger." + c.name, c);
    const auto& given = saved_.loader_given;
    for (const auto& [name, value] : saved_.loader.items()) {
      add("data." + name, value);
      if (std::find(given.begin(), given.end(), name) == given.end()) out_.back().saved = Saved::by_default;
    }
    for (const auto& [name, value] : saved_.weights.items()) add("model." + name, value);
    for (const auto& [name, value] : saved_.trainer.items()) add("trainer." + name, value);
    return std::move(out_);
  }

 private:
  void component(const std::string& key, const ComponentConfig& c) {
    add(key, written_as(c));
    for (const auto& [name, value] : c.options.items()) {
      add(key + "." + name, value);
      out_.back().given = std::find(c.given.begin(), c.given.end(), name) != c.given.end();
    }
  }

  void add(const std::string& key, json value) {
    const auto origin = saved_.origins.find(key);
    const bool chosen = origin != saved_.origins.end();
    out_.push_back({key, std::move(value), chosen ? origin->second : saved_run_origin, rank_file,
                    chosen ? Saved::chosen : Saved::by_default});
  }

  const RunConfig& saved_;
  std::vector<Setting> out_;
};

// Changes two trainer values back to the form that a user may write. Trainer options are saved in resolved form.
void unresolve(std::vector<Setting>& settings) {
  for (auto& s : settings) {
    if (s.key == "trainer.seed_everything" && s.value.is_null()) s.value = false;
    if (s.key == "trainer.val_check_interval" && s.value.is_number_float() && s.value == 1.0) s.value = nullptr;
  }
}

bool is_checkpoint(const std::string& path) {
  if (!is_file(path)) return false;
  return !looks_like_torch_file(FileBytes(path)) && looks_like_checkpoint(path);
}

void require_objects(const RunConfig& saved, const std::string& where) {
  const std::pair<const char*, const nlohmann::json*> parts[] = {
      {"trainer", &saved.trainer},
      {"loader", &saved.loader},
      {"model.options", &saved.model.options},
      {"data.options", saved.data ? &saved.data->options : &saved.loader}};
  for (const auto& [name, value] : parts)
    if (!value->is_object()) throw Error(ErrorCode::checkpoint_damaged, where + "." + name + " is not an object");
}

RunConfig evaluated_part(const RunConfig& saved) {
  RunConfig out;
  out.model = saved.model;
  out.data = saved.data;
  out.loader = saved.loader;
  out.loader_given = saved.loader_given;
  out.origins = saved.origins;
  for (const char* name : {"precision", "seed_everything"})
    if (saved.trainer.contains(name)) out.trainer[name] = saved.trainer[name];
  return out;
}

}  // namespace

std::string written_as(const ComponentConfig& saved) { return saved.file + ":" + saved.component; }

std::vector<Setting> settings_from_run(const RunConfig& saved) {
  auto settings = SavedSettings(saved).read();
  unresolve(settings);
  return settings;
}

std::optional<RunConfig> run_of_checkpoint(const std::string& ckpt_path) {
  if (ckpt_path.empty() || ckpt_path == "best" || ckpt_path == "last") return std::nullopt;
  const std::string path = absolute_path(ckpt_path).string();
  if (!is_checkpoint(path)) return std::nullopt;
  const SafetensorsReader file(path);
  const auto config = file.manifest().find("config");
  if (config == file.manifest().end() || !is_run_config(*config)) return std::nullopt;
  try {
    const RunConfig saved = run_config_from_json(*config, path + ": config");
    require_objects(saved, path + ": config");
    return evaluated_part(saved);
  } catch (const std::exception& e) {
    throw Error(ErrorCode::checkpoint_damaged, e.what());
  }
}

}  // namespace levin::core
