// Where a run computes and with which numbers.
#pragma once
#include <memory>

#include "core/precision/precision.hpp"
#include "core/strategies/strategy.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

struct RunDevice {
  // Sets LibTorch's own switches and seeds its generators. A precision that needs a GPU becomes that of a CPU in the
  // plan, which warn is told of. Throws Error{usage} for hardware that is not there and for more than one process.
  RunDevice(RunSettings& settings, const std::function<void(const std::string&)>& warn);

  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Precision> precision;
};

}  // namespace levin::core
