// The state of model_checkpoint in a checkpoint.
#pragma once
#include <string>

#include "levin/state.hpp"
#include "top_k.hpp"

namespace levin::model_checkpoint {

struct State {
  std::string monitor, dirpath, best_path, last_path;
  TopK::State top;
};

void write_state(const Writer& writer, const State& state);
State read_state(const Reader& reader);

}  // namespace levin::model_checkpoint
