// What a checkpoint says of itself in its manifest (docs/checkpoint-format.md).
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace levin::model_checkpoint {

struct SavedNote {
  std::string run;     // the random name of the run that saved it
  uint64_t saves = 0;  // how many checkpoints that run had saved, this one among them
  int64_t global_step = 0;
};

// Reads the header alone and tests no checksum. nullopt: the file does not say so, or cannot be read.
std::optional<SavedNote> read_note(const std::string& path);

}  // namespace levin::model_checkpoint
