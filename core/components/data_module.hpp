// A data module of a plugin.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/components/component.hpp"

namespace levin::core {

// A copy of levin_field that owns its strings.
struct FieldInfo {
  std::string name;
  levin_dtype dtype{};
  std::vector<int64_t> shape;
  uint32_t role = LEVIN_ROLE_INPUT;
  int64_t classes = 0;
  std::vector<std::string> class_names;
};
struct SplitInfo {
  int64_t rows = 0;  // -1: unknown
  std::string name;
  std::vector<FieldInfo> fields;
};

class DataModule : public Component {
 public:
  DataModule(ComponentOrigin origin, const levin_object* table, void* self);
  void prepare() const;
  void setup(uint32_t stage) const;
  void teardown(uint32_t stage) const;
  uint32_t loaders(uint32_t split) const;
  std::optional<SplitInfo> describe(uint32_t split,
                                    uint32_t loader) const;  // nullopt: no such split; 0 rows: an empty loader
  std::string combined_mode(uint32_t split) const;           // "": the default of the split
  void dataloader(levin_loader& wish) const;
  void on(const levin_event& event) const;
  const levin_data& table() const { return *table_; }

 private:
  const levin_data* table_;
};

// The levin_data_info that a model gets at its creation: the rows of each split, and the fields of the first split that
// exists. Owns what the levin_data_info points to.
class DataInfo {
 public:
  explicit DataInfo(const DataModule& data);
  const levin_data_info* raw() const { return &raw_; }

 private:
  SplitInfo sample_;
  std::vector<std::vector<const char*>> class_names_;
  std::vector<levin_field> fields_;
  levin_data_info raw_{};
};

}  // namespace levin::core
