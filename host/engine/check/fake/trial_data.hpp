// Data to try models with: its description, a batch for a single step, and a component for runs.
#pragma once
#include <string>

#include "core/components/plugin_set.hpp"
#include "core/data/source/batch.hpp"

namespace levin::core {

class TrialData {
 public:
  virtual ~TrialData() = default;
  virtual const std::string& name() const = 0;  // for the report
  virtual const levin_data_info& info() const = 0;
  virtual Batch batch(int64_t rows) const = 0;
  virtual ComponentConfig part(PluginSet& plugins) const = 0;
};

}  // namespace levin::core
