// Fake data to try models with: its description and its batches.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/engine/check/fake/trial_data.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

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

}  // namespace levin::core
