#include "core/trainer/disk_space.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

std::string mebibytes(uint64_t bytes) { return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB"; }

bool saves(const Dispatcher& hooks) {
  const auto& callbacks = hooks.callbacks();
  return std::any_of(callbacks.begin(), callbacks.end(), [](const auto& c) { return c->flags() & LEVIN_F_LAST; });
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
  throw Error(ErrorKind::run, folder.string() + ": a checkpoint of this run needs " + mebibytes(needed) +
                                  ", and there are " + mebibytes(free) +
                                  " free; make room there, or write elsewhere (--trainer.default_root_dir)");
}

void check_disk_space(Assembly& assembly) {
  if (!assembly.output.folder || !saves(assembly.hooks)) return;
  std::error_code unknown;
  const auto space = std::filesystem::space(assembly.output.folder->path(), unknown);
  if (unknown) return;
  check_room(assembly.output.folder->checkpoints(),
             checkpoint_bytes(*assembly.components.model, assembly.loops.optimizers), space.available);
}

}  // namespace levin::core
