// Data to try models with: its description, a batch for a single step, and a component for runs.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/components/data_module.hpp"
#include "core/components/plugin_set.hpp"
#include "core/data/source/batch.hpp"
#include "core/data/source/row_source.hpp"
#include "host/engine/check/common/subject.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

class TrialData {
 public:
  virtual ~TrialData() = default;
  virtual const std::string& name() const = 0;  // for the report
  virtual const levin_data_info& info() const = 0;
  virtual Batch batch(int64_t rows) const = 0;
  virtual ComponentConfig part(PluginSet& plugins) const = 0;
};

// Invented data: its description and its batches.
class FakeData : public TrialData {
 public:
  struct Form {
    std::string name;
    std::vector<int64_t> shape;         // shape of field x
    int64_t classes = 0;                // classes of field y; 0 = y has float32 numbers
    int64_t tokens = 0;                 // x has int64 numbers below this; 0 = float32
    std::vector<int64_t> target_shape;  // shape of y; empty = one value a row
  };
  explicit FakeData(Form form);
  FakeData(const FakeData&) = delete;
  FakeData& operator=(const FakeData&) = delete;

  const std::string& name() const override { return form_.name; }
  const levin_data_info& info() const override { return info_; }
  Batch batch(int64_t rows) const override;
  ComponentConfig part(PluginSet& plugins) const override;

 private:
  const Form form_;
  levin_field fields_[2];
  levin_data_info info_;
};

// Rows of a data module of the same plugin, for models that no fake data fits.
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
