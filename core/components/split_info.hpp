// A data module's description of one loader: its number of rows and their fields.
#pragma once
#include <string>
#include <vector>

#include "sdk/include/levin/abi.h"

namespace levin::core {

const char* split_name(uint32_t split);  // "train", "val", "test", "predict"

// A copy of levin_field that owns its strings.
struct FieldInfo {
  std::string name;
  levin_dtype dtype{};
  std::vector<int64_t> shape;
  uint32_t role = LEVIN_ROLE_INPUT;
  int64_t classes = 0;
  std::vector<std::string> class_names;

  bool ragged() const;  // true if the shape differs from row to row
};
struct SplitInfo {
  int64_t rows = 0;  // -1 = unknown
  std::string name;
  std::vector<FieldInfo> fields;

  bool ragged() const;
  double row_bytes() const;  // size of a row over all fields; dimensions that differ from row to row are not counted
};

// Returns a text with the old and the new form of the first field that has changed, or "" if none has.
std::string changed_field(const std::vector<FieldInfo>& before, const std::vector<FieldInfo>& now);

// Copies and checks the description. Throws Error{plugin}, whose message begins with `where`, if it is invalid.
SplitInfo split_info_from(const levin_split& raw, const std::string& where);

// The fields as the C structs that plugins get.
class RawFields {
 public:
  explicit RawFields(std::vector<FieldInfo> fields);
  RawFields(const RawFields&) = delete;
  RawFields& operator=(const RawFields&) = delete;
  // Shows the fields in a levin_split or levin_data_info.
  template <class Description>
  void show(Description& out) const {
    out.fields = raw_.data();
    out.n_fields = static_cast<uint32_t>(raw_.size());
    out.field_size = sizeof(levin_field);
  }

 private:
  std::vector<FieldInfo> fields_;
  std::vector<std::vector<const char*>> class_names_;
  std::vector<levin_field> raw_;
};

}  // namespace levin::core
