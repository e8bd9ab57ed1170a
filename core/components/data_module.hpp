// A plugin's data module.
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
  // Returns nullopt if there is no such split; a loader with 0 rows is empty. Throws Error{plugin} if the fields have
  // changed since the last call without a setup() or forget_fields() in between.
  std::optional<SplitInfo> describe(uint32_t split, uint32_t loader) const;
  void forget_fields(uint32_t split) const;         // call it before the split's loaders are made again
  std::string combined_mode(uint32_t split) const;  // "" = the split's default
  void dataloader(levin_loader& wish) const;
  void on(const levin_event& event) const;
  // Returns the display names of these rows; empty if the data module does not name rows.
  std::vector<std::string> row_names(uint32_t split, uint32_t loader, const std::vector<int64_t>& rows);
  // Returns the length of each of the loader's rows, or nullopt if the data module does not give lengths. rows: their
  // number. Throws Error{plugin} for a negative length.
  std::optional<std::vector<int64_t>> row_lengths(uint32_t split, uint32_t loader, int64_t rows) const;
  struct ByteScale {
    std::vector<float> scale, shift;  // one per channel
  };
  // Returns nullopt if the data module does not write this field as bytes.
  std::optional<ByteScale> byte_scale(uint32_t field) const;
  void tell_run_dir(const std::string& path);  // does nothing if the data module does not implement levin_run_dir
  // Returns the class names of the split's target field; empty if its classes have no names.
  std::vector<std::string> class_names(uint32_t split) const;
  bool loads_state_before_setup() { return extension(LEVIN_STATE_BEFORE_SETUP) != nullptr; }
  bool plans_loaders() const { return LEVIN_HAS(levin_data, table_, dataloader); }
  const levin_data& table() const { return *table_; }
  // Returns the lock to hold around every call that reads rows. It serializes these calls over all loaders and threads.
  // If the data module allows concurrent calls (concurrent()), the returned lock is empty.
  std::unique_lock<std::recursive_mutex> turn() const;
  bool concurrent() const { return (flags() & LEVIN_F_CONCURRENT) != 0; }

 private:
  const levin_data* table_;
  mutable std::recursive_mutex turn_;
  mutable std::mutex described_mutex_;
  mutable std::map<std::pair<uint32_t, uint32_t>, std::vector<FieldInfo>> described_;  // by split and loader
};

// The levin_data_info that a model gets at its creation: the number of rows of each split, and the fields of the first
// loader that has fields. Owns everything that the levin_data_info points to.
class DataInfo {
 public:
  explicit DataInfo(const DataModule& data);
  const levin_data_info* raw() const { return &raw_; }

 private:
  std::optional<RawFields> fields_;
  levin_data_info raw_{};
};

}  // namespace levin::core
