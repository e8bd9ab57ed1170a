#include "core/trainer/disk_space.hpp"

#include <optional>
#include <string>
#include <system_error>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

std::string kibibytes(uint64_t bytes) { return std::to_string(bytes >> 10) + " KiB"; }

// Returns the folder that a callback saves to: its option dirpath, else the run's folder.
fs::path folder_of(const Callback& callback, const SavedParts& parts) {
  for (const ComponentConfig& config : parts.settings.config.callbacks) {
    const auto dirpath = config.options.find("dirpath");
    if (config.name == callback.instance() && dirpath != config.options.end() && dirpath->is_string() &&
        !dirpath->get<std::string>().empty())
      return dirpath->get<std::string>();
  }
  return parts.output.folder->checkpoints();
}

// Returns the bytes available to the user in a folder, which need not exist yet; nullopt = unknown.
std::optional<uint64_t> free_bytes(fs::path folder) {
  std::error_code unknown;
  while (!fs::exists(folder, unknown) && folder.has_relative_path()) folder = folder.parent_path();
  const auto space = fs::space(folder, unknown);
  return unknown ? std::nullopt : std::optional<uint64_t>(space.available);
}

}  // namespace

uint64_t checkpoint_bytes(const Model& model, OptimizerSet& optimizers) {
  uint64_t bytes = 0;
  for (const auto* tensors : {&model.parameters(), &model.buffers()})
    for (const NamedTensor& t : *tensors) bytes += t.tensor.nbytes();
  for (const auto& optimizer : optimizers.optimizers()) bytes += optimizer->expected_state_bytes();
  return bytes;
}

void check_room(const std::filesystem::path& folder, uint64_t needed, uint64_t free) {
  if (free >= needed) return;
  throw Error(ErrorKind::run,
              folder.string() + ": a checkpoint of this run needs " + kibibytes(needed + 1023) + ", and there are " +
                  kibibytes(free) +
                  " free; make room there, or write elsewhere (--trainer.default_root_dir, or the callback's dirpath)");
}

void check_disk_space(const SavedParts& parts) {
  if (!parts.output.folder || !parts.output.folder->writes()) return;
  const uint64_t needed = checkpoint_bytes(parts.model, parts.optimizers);
  for (const auto& callback : parts.hooks.callbacks()) {
    if (!(callback->flags() & LEVIN_F_LAST)) continue;
    const fs::path folder = folder_of(*callback, parts);
    if (const auto free = free_bytes(folder)) check_room(folder, needed, *free);
  }
}

}  // namespace levin::core
