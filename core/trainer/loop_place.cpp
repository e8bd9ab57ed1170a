#include "core/trainer/loop_place.hpp"

namespace levin::core {
namespace {

std::string batch_words(int64_t batch, const Counter& counted) {
  const bool between = counted.completed == counted.ready;
  return (between ? "after batch " : "batch ") + std::to_string(batch);
}

std::string with_loader(std::string batch, const Position& at) {
  if (at.num_dataloaders > 1 && at.dataloader_idx >= 0) batch += " of dataloader " + std::to_string(at.dataloader_idx);
  return batch;
}

const char* stage_words(uint32_t stage) {
  switch (stage) {
    case LEVIN_STAGE_SANITY:
      return "sanity check";
    case LEVIN_STAGE_VALIDATE:
      return "validation";
    case LEVIN_STAGE_TEST:
      return "test";
    default:
      return "prediction";
  }
}

}  // namespace

std::string loop_place(const RunContext& c) {
  const Position& at = c.at();
  const bool evaluating = c.log.evaluating();
  const std::string counted = batch_words(at.batch_idx, c.progress.val_batch.current);
  if (at.stage == LEVIN_STAGE_PREDICT && at.batch_idx >= 0)
    return with_loader(std::string(stage_words(at.stage)) + ", batch " + std::to_string(at.batch_idx), at);
  // Before its first batch an evaluation within a fit still shows the fit's.
  const bool within = evaluating && at.batch_idx >= 0 && c.progress.val_batch.current.ready > 0;
  if (at.stage != LEVIN_STAGE_FIT)
    return within ? with_loader(std::string(stage_words(at.stage)) + ", " + counted, at) : stage_words(at.stage);
  const bool epoch_runs = c.progress.epoch_start != std::chrono::steady_clock::time_point{};
  std::string place = "epoch " + std::to_string(at.epoch);
  if (!evaluating && epoch_runs && at.batch_idx >= 0)
    place += ", " + batch_words(at.batch_idx, c.progress.batch.current);
  place += ", step " + std::to_string(at.global_step);
  if (within) return with_loader(place + ", validation " + counted, at);
  return evaluating ? place + ", validation" : place;
}

}  // namespace levin::core
