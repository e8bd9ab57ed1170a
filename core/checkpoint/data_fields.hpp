// The description of a run's data in its checkpoints, so that the model can be made again without the data.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/components/split_info.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// info: nullptr = the model brings its own data; then the result is null.
nlohmann::json data_to_json(const levin_data_info* info);

// Owns the memory that its levin_data_info points to.
class SavedDataInfo {
 public:
  // saved: the result of data_to_json(). Throws Error{checkpoint}, whose message begins with `where`, for anything
  // else.
  SavedDataInfo(const nlohmann::json& saved, const std::string& where);

  const levin_data_info* raw() const { return known_ ? &raw_ : nullptr; }
  const std::vector<FieldInfo>& fields() const { return fields_; }

 private:
  bool known_;
  std::vector<FieldInfo> fields_;
  std::optional<RawFields> raw_fields_;
  levin_data_info raw_{};
};

}  // namespace levin::core
