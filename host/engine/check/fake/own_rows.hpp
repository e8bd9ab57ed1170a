// Rows of a data module of the same plugin, to try its models with if no fake data fits them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/components/data_module.hpp"
#include "core/data/source/row_source.hpp"
#include "host/engine/check/common/subject.hpp"
#include "host/engine/check/fake/trial_data.hpp"

namespace levin::core {

class OwnRows : public TrialData {
 public:
  // Throws Error if the data module cannot be created or has no training rows on this machine.
  OwnRows(const Subject& model, const ComponentSchema& schema);

  const std::string& name() const override { return name_; }
  const levin_data_info& info() const override { return *info_->raw(); }
  Batch batch(int64_t rows) const override;
  ComponentConfig part(PluginSet&) const override { return part_; }

 private:
  const std::string name_;
  const ComponentConfig part_;
  std::unique_ptr<DataModule> data_;
  std::unique_ptr<DataInfo> info_;
  SplitInfo split_;
  std::unique_ptr<RowSource> rows_;
  std::vector<const char*> fields_;
};

}  // namespace levin::core
