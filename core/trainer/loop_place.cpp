#include "core/trainer/loop_place.hpp"

namespace levin::core {
namespace {

std::string batch_words(int64_t batch, const Counter& counted) {
  const bool between = counted.completed == counted.ready;
  return (between ? "after batch " : "batch ") + std::to_string(batch);
}

std::string with_loader(std::string batch, const LoopPlace& place) {
  if (place.num_dataloaders > 1 && place.dataloader_idx >= 0)
    batch += " of dataloader " + std::to_string(place.dataloader_idx);
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

std::string describe_place(const RunProgress& progress, bool evaluating) {
  const LoopPlace& place = progress.place;
  const int64_t batch_idx = progress.batch_idx();
  const std::string counted = batch_words(batch_idx, progress.of(Counted::val_batch).current);
  if (place.stage == LEVIN_STAGE_PREDICT && batch_idx >= 0)
    return with_loader(std::string(stage_words(place.stage)) + ", batch " + std::to_string(batch_idx), place);
  // Before the first batch of a validation within a fit, batch_idx() is still that of the training batch.
  const bool within = evaluating && batch_idx >= 0 && progress.of(Counted::val_batch).current.ready > 0;
  if (place.stage != LEVIN_STAGE_FIT)
    return within ? with_loader(std::string(stage_words(place.stage)) + ", " + counted, place)
                  : stage_words(place.stage);
  std::string text = "epoch " + std::to_string(progress.current_epoch());
  if (!evaluating && progress.epoch_runs() && batch_idx >= 0)
    text += ", " + batch_words(batch_idx, progress.of(Counted::batch).current);
  text += ", step " + std::to_string(progress.global_step());
  if (within) return with_loader(text + ", validation " + counted, place);
  return evaluating ? text + ", validation" : text;
}

}  // namespace levin::core
