// Where a run is: what every event says.
#pragma once
#include <cstdint>

#include "sdk/include/levin/abi.h"

namespace levin::core {

struct Position {
  uint32_t stage = LEVIN_STAGE_FIT;
  int64_t epoch = 0;        // completed epochs
  int64_t global_step = 0;  // optimizer steps
  int64_t batch_idx = -1, dataloader_idx = -1, optimizer_idx = -1;
  int64_t n_batches = -1;
  int64_t num_dataloaders = 1;  // of the loop that runs
  uint64_t seed = 0;
};

}  // namespace levin::core
