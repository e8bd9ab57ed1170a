// Gathers the predictions of all processes in rank 0.
#pragma once
#include "core/distributed/process_group.hpp"
#include "core/run_folder/prediction_file.hpp"

namespace levin::core {

// Collective. Tensors are sent one by one, so that no process but rank 0 holds more than its own. in_turns: as in
// PredictionFile::put_in_order.
void gather_predictions(PredictionFile& file, ProcessGroup& group, bool in_turns);

}  // namespace levin::core
