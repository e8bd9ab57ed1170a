#include "core/trainer/disk_space.hpp"

#include <optional>
#include <string>
#include <system_error>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

std::string kibibytes(uint64_t bytes) { return std::to_string(bytes >> 10) + " KiB"; }

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
  throw Error(ErrorCode::disk_full,
              folder.string() + ": a checkpoint of this run needs " + kibibytes(needed + 1023) + ", and there are " +
                  kibibytes(free) +
                  " free; make room there, or write elsewhere (--trainer.default_root_dir, or the "
                  "callback's option for its folder)");
}

void check_disk_space(const std::vector<fs::path>& folders, const Model& model, OptimizerSet& optimizers) {
  const uint64_t needed = checkpoint_bytes(model, optimizers);
  for (const fs::path& folder : folders)
    if (const auto free = free_bytes(folder)) check_room(folder, needed, *free);
}

}  // namespace levin::core
