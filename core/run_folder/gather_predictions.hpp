// Brings the predictions of all processes to the first one.
#pragma once
#include "core/distributed/process_group.hpp"
#include "core/run_folder/prediction_file.hpp"

namespace levin::core {

// Collective. Tensors travel one by one, so that no process but the first one holds more than its own. in_turns: as in
// PredictionFile::put_in_order.
void gather_predictions(PredictionFile& file, ProcessGroup& group, bool in_turns);

}  // namespace levin::core
