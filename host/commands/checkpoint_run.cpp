#include "host/commands/checkpoint_run.hpp"

#include <filesystem>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/weights/torch_file.hpp"

namespace levin::core {
namespace {

bool is_checkpoint(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  return !looks_like_torch_file(FileBytes(path)) && looks_like_checkpoint(path);
}

void require_objects(const RunConfig& saved, const std::string& where) {
  const std::pair<const char*, const nlohmann::json*> parts[] = {
      {"trainer", &saved.trainer},
      {"loader", &saved.loader},
      {"model.options", &saved.model.options},
      {"data.options", saved.data ? &saved.data->options : &saved.loader}};
  for (const auto& [name, value] : parts)
    if (!value->is_object()) throw Error(ErrorKind::checkpoint, where + "." + name + " is no object");
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
    throw Error(ErrorKind::checkpoint, e.what());
  }
}

}  // namespace levin::core
