// Arguments of log calls for tests.
#pragma once
#include "sdk/include/levin/abi.h"

inline levin_log log_call(const char* name, double value, int on_step = -1, int on_epoch = -1) {
  levin_log l{};
  l.size = sizeof l;
  l.name = name;
  l.number = value;
  l.on_step = static_cast<int8_t>(on_step);
  l.on_epoch = static_cast<int8_t>(on_epoch);
  l.logger = 1;
  l.prog_bar = 1;
  l.add_dataloader_idx = 1;
  l.batch_size = -1;
  return l;
}
