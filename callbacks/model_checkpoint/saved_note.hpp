// The run and the step of a checkpoint, from its manifest (docs/checkpoint-format.md).
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace levin::model_checkpoint {

struct SavedNote {
  std::string run;     // the random name of the run that saved it
  uint64_t saves = 0;  // number of checkpoints that the run had saved, including this one
  int64_t global_step = 0;
};

// Reads the header only and checks no checksum. Returns nullopt if the file has no note or cannot be read.
std::optional<SavedNote> read_note(const std::string& path);

}  // namespace levin::model_checkpoint
