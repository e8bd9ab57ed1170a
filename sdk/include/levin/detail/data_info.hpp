// levin::DataInfo: the description of the data, available in a model's constructor.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "levin/data_module.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Returns the shape as "[1, 28, 28]".
inline std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

class DataInfo {
 public:
  DataInfo() = default;
  explicit DataInfo(const levin_data_info* raw) {
    if (!raw) return;
    for (uint32_t i = 0; i < raw->n_fields; ++i)
      fields_.push_back(detail::field_from(*LEVIN_AT(levin_field, raw->fields, raw->field_size, i)));
    for (uint32_t s = 0; s < LEVIN_SPLITS; ++s) rows_[s] = raw->rows[s];
  }
  const std::vector<Field>& fields() const { return fields_; }
  // Returns the first field with the role input. Throws Error if the data has none.
  const Field& input() const { return first(LEVIN_ROLE_INPUT, "an input"); }
  const Field& target() const { return first(LEVIN_ROLE_TARGET, "a target"); }
  // Returns the position in a batch of the first field with this role. Throws Error if the data has none.
  size_t index_of(uint32_t role) const {
    for (size_t i = 0; i < fields_.size(); ++i)
      if (fields_[i].role == role) return i;
    throw Error(LEVIN_E_INVALID, "the data has no field of the role that this model needs");
  }
  // Returns the number of classes of the target. Throws Error if the data does not declare it.
  int64_t classes() const {
    if (target().classes <= 0)
      throw Error(LEVIN_E_INVALID, "field '" + target().name + "' of the data does not say how many classes it has");
    return target().classes;
  }
  // Returns the number of elements of the input in one row. Throws Error if rows differ in shape.
  int64_t input_size() const {
    int64_t n = 1;
    for (int64_t d : input().shape) {
      if (d < 0)
        throw Error(LEVIN_E_INVALID, "field '" + input().name +
                                         "' of the data differs in shape from row to row, and this " +
                                         "model needs rows of one size");
      n *= d;
    }
    return n;
  }
  // Returns the same description with this target in place of the data's first one, or in addition if it has none.
  DataInfo with_target(Field target) const {
    DataInfo out = *this;
    for (Field& field : out.fields_)
      if (field.role == LEVIN_ROLE_TARGET) {
        field = std::move(target);
        return out;
      }
    out.fields_.push_back(std::move(target));
    return out;
  }
  // Returns the number of rows of all loaders of the split; -1 = unknown, 0 = none.
  int64_t rows(Split split) const { return rows_[static_cast<uint32_t>(split)]; }

 private:
  const Field& first(uint32_t role, const char* what) const {
    for (const Field& field : fields_)
      if (field.role == role) return field;
    throw Error(LEVIN_E_INVALID, std::string("this model needs ") + what + " field, and " +
                                     (fields_.empty() ? "there is no data" : "the data describes none"));
  }
  std::vector<Field> fields_;
  int64_t rows_[LEVIN_SPLITS] = {0, 0, 0, 0};
};

// Returns the number of outputs that a target needs: its classes, or else the numbers of a row.
inline int64_t outputs_of(const DataInfo& data) {
  const Field& target = data.target();
  if (target.classes > 0) return target.classes;
  int64_t n = 1;
  for (const int64_t size : target.shape) n *= size;
  if (n < 1)
    throw Error(LEVIN_E_INVALID, "field '" + target.name + "' of the data has the shape " + shape_text(target.shape) +
                                     ", and this model needs rows of one size");
  return n;
}

}  // namespace levin
#pragma GCC visibility pop
