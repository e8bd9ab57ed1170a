#include "core/trainer/roll_back.hpp"

#include <vector>

#include "core/base/error.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

constexpr int most_times = 5;  // to the same file: another attempt would fail again

}  // namespace

// Tries the newest first. Older checkpoints serve if newer ones are damaged, not finite, or contain only weights.
std::optional<CheckpointReader> RollBack::newest_good() const {
  if (!parts_.output.folder) return std::nullopt;
  parts_.state.wait();
  const std::vector<RunCheckpoint> files = parts_.output.folder->list();
  for (auto c = files.rbegin(); c != files.rend(); ++c) try {
      const CheckpointReader file(c->path);
      if (file.weights_only()) continue;
      parts_.state.load_learned(file);
      if (first_non_finite(parts_.model.parameters()).empty()) return file;
    } catch (const Error& e) {
      parts_.output.console.warn("skipped a checkpoint: " + std::string(e.what()));
    }
  return std::nullopt;
}

// All processes load the file that rank 0 has chosen: other ranks may not see yet what rank 0 has just saved. The hooks
// are fired afterwards in all processes, because callbacks may call collectives in them.
std::string RollBack::agreed_good() const {
  const bool is_first = parts_.processes.world().is_first();
  std::optional<CheckpointReader> file = is_first ? newest_good() : std::nullopt;
  const std::string path = parts_.processes.of_first(file ? file->path() : "");
  if (path.empty()) return "";
  if (!file) parts_.state.load_learned(file.emplace(path));
  parts_.state.tell_loaded(*file);
  return path;
}

std::string RollBack::operator()(const std::string& why) {
  const std::string file = agreed_good();
  if (file.empty())
    throw PlacedError(ErrorCode::roll_back_failed, why + "; this run has no checkpoint to roll back to yet");
  times_ = file == last_ ? times_ + 1 : 1;
  last_ = file;
  if (times_ > most_times)
    throw PlacedError(ErrorCode::roll_back_failed, why + "; the run rolled back to " + file + " " +
                                                       std::to_string(most_times) +
                                                       " times; check the data and the learning rate");
  for (const auto& optimizer : parts_.optimizers.optimizers()) optimizer->zero_grad();
  return why + "; restored weights and optimizers from " + file + " (trainer.non_finite=roll_back)";
}

}  // namespace levin::core
