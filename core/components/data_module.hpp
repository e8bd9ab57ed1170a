// A data module of a plugin.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/components/component.hpp"
#include "core/components/split_info.hpp"
#include "sdk/include/levin/data_extensions.h"

namespace levin::core {

class DataModule : public Component {
 public:
  DataModule(ComponentOrigin origin, const levin_object* table, void* self);
  void prepare() const;
  void setup(uint32_t stage) const;
  void teardown(uint32_t stage) const;
  uint32_t loaders(uint32_t split) const;
  // nullopt: no such split; 0 rows: an empty loader. Throws Error{plugin} if the fields are others than they were the
  // last time, with neither setup() nor forget_fields() in between.
  std::optional<SplitInfo> describe(uint32_t split, uint32_t loader) const;
  void forget_fields(uint32_t split) const;         // the loaders of the split are about to be made again
  std::string combined_mode(uint32_t split) const;  // "": the default of the split
  void dataloader(levin_loader& wish) const;
  void on(const levin_event& event) const;
  // By what people know these rows; empty if the data module has no names for them.
  std::vector<std::string> row_names(uint32_t split, uint32_t loader, const std::vector<int64_t>& rows);
  void tell_run_dir(const std::string& path);  // does nothing if the data module does not ask for it
  // Of the target of a split; empty if its classes have no names.
  std::vector<std::string> class_names(uint32_t split) const;
  bool loads_state_before_setup() { return extension(LEVIN_STATE_BEFORE_SETUP) != nullptr; }
  bool plans_loaders() const { return LEVIN_HAS(levin_data, table_, dataloader); }
  const levin_data& table() const { return *table_; }
  // Held around every call for rows. Those calls come one at a time, from whatever loader, unless the data module says
  // that they may come on several threads at once.
  std::unique_lock<std::recursive_mutex> turn() const;
  bool concurrent() const { return (flags() & LEVIN_F_CONCURRENT) != 0; }

 private:
  const levin_data* table_;
  mutable std::recursive_mutex turn_;
  mutable std::mutex described_mutex_;
  mutable std::map<std::pair<uint32_t, uint32_t>, std::vector<FieldInfo>> described_;  // by split and loader
};

// The levin_data_info that a model gets at its creation: the rows of each split, and the fields of the first split that
// exists. Owns what the levin_data_info points to.
class DataInfo {
 public:
  explicit DataInfo(const DataModule& data);
  const levin_data_info* raw() const { return &raw_; }

 private:
  std::optional<RawFields> fields_;
  levin_data_info raw_{};
};

}  // namespace levin::core
