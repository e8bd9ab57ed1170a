// A batch on its way from the loader to the step: transfer hooks, element types, the device.
#pragma once
#include "core/components/model.hpp"
#include "core/data/batch.hpp"
#include "core/precision/precision.hpp"
#include "core/strategies/strategy.hpp"

namespace levin::core {

class BatchTransfer {
 public:
  BatchTransfer(const Model& model, const Precision& precision, const Strategy& strategy);
  // The loader's batch itself where there is nothing to do; else one that lives until the next call.
  Batch& operator()(Batch& batch, const std::vector<const char*>& names);

 private:
  using Hook = levin_status (*)(void*, const levin_batch*, levin_tensor**, uint32_t);
  void run_hook(const char* name, Hook hook, const std::vector<const char*>& names);
  void to_device(const std::vector<const char*>& names);
  void convert();

  const Model& model_;
  const Precision& precision_;
  const Strategy& strategy_;
  bool needed_;
  Batch moved_;
};

}  // namespace levin::core
