// What a data module says of one loader: its rows and their fields.
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

  bool ragged() const;  // whether the shape differs from row to row
};
struct SplitInfo {
  int64_t rows = 0;  // -1: unknown
  std::string name;
  std::vector<FieldInfo> fields;

  bool ragged() const;
  double row_bytes() const;  // of a row of all fields; what differs from row to row is not counted
};

// Says of the first field that is another one than before what it was and what it is; "" if none is.
std::string changed_field(const std::vector<FieldInfo>& before, const std::vector<FieldInfo>& now);

// Throws Error{plugin}, whose message begins with `where`, for a description that no batch could follow.
SplitInfo split_info_from(const levin_split& raw, const std::string& where);

// The fields as the C structs that plugins get.
class RawFields {
 public:
  explicit RawFields(std::vector<FieldInfo> fields);
  RawFields(const RawFields&) = delete;
  RawFields& operator=(const RawFields&) = delete;
  const levin_field* data() const { return raw_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(raw_.size()); }

 private:
  std::vector<FieldInfo> fields_;
  std::vector<std::vector<const char*>> class_names_;
  std::vector<levin_field> raw_;
};

}  // namespace levin::core
