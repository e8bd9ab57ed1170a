// The device and the precision of a run.
#pragma once
#include <memory>

#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/precision/precision.hpp"
#include "core/strategies/common/strategy.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

struct RunDevice {
  // Sets LibTorch's global options and seeds its generators. On the CPU, a precision that needs a GPU is replaced in
  // the plan, with a warning; bf16 there says what it costs. Throws Error{usage} if a device does not exist, or if the
  // launcher started a different number of processes than the options say. processes must outlive this object.
  RunDevice(RunSettings& settings, Processes& processes, Console& console);

  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Precision> precision;
};

}  // namespace levin::core
