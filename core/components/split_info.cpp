#include "core/components/split_info.hpp"

#include <algorithm>
#include <set>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/machine.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

constexpr int64_t largest_size = int64_t{1} << 56;  // so that sums over loaders do not overflow int64_t

[[noreturn]] void refuse_description(const std::string& where, const std::string& what) {
  throw Error(ErrorCode::plugin_answer_invalid, where + ": " + what);
}

std::string described_name(const levin_field& field, uint32_t index) {
  return "field " + std::to_string(index) + (field.name && *field.name ? " '" + std::string(field.name) + "'" : "");
}

bool has_indices(const levin_field& field) {
  return field.dtype.code == LEVIN_INT || field.dtype.code == LEVIN_UINT || field.dtype.code == LEVIN_BOOL;
}
bool has_probabilities(const levin_field& field) {
  return field.dtype.code == LEVIN_FLOAT && field.ndim > 0 && field.shape[0] == field.classes;
}

void check_described_field(const levin_field& field, const std::string& where) {
  if (field.ndim < 0 || field.ndim > 6)
    refuse_description(where, "has " + std::to_string(field.ndim) + " dimensions; 0 to 6 are possible");
  for (int32_t d = 0; d < field.ndim; ++d)
    if (field.shape[d] < -1 || field.shape[d] == 0 || field.shape[d] > largest_size)
      refuse_description(where, "has the size " + std::to_string(field.shape[d]) + " in dimension " +
                                    std::to_string(d) +
                                    "; sizes are positive, or -1 where they differ from row to row");
  if (field.classes > 0 && !has_indices(field) && !has_probabilities(field))
    refuse_description(where,
                       "names classes, but is neither of an integer type nor of probabilities: a field of floats "
                       "whose first dimension is the number of classes");
  if (field.classes < 0)
    refuse_description(where, "has " + std::to_string(field.classes) + " classes; 0 stands for none");
  try {
    scalar_type(field.dtype);
  } catch (const Error& e) {
    refuse_description(where, e.what());
  }
}

FieldInfo field_info_from(const levin_field& f, const std::string& where) {
  check_described_field(f, where);
  FieldInfo field{f.name ? f.name : "", f.dtype, {f.shape, f.shape + f.ndim}, f.role, f.classes, {}};
  for (int64_t c = 0; f.class_names && c < f.classes; ++c) {
    if (!f.class_names[c])
      refuse_description(where, "has no name for class " + std::to_string(c) + " of its class_names");
    field.class_names.push_back(f.class_names[c]);
  }
  return field;
}

}  // namespace

const char* split_name(uint32_t split) {
  constexpr const char* names[LEVIN_SPLITS] = {"train", "val", "test", "predict"};
  return split < LEVIN_SPLITS ? names[split] : "unknown";
}

bool FieldInfo::ragged() const {
  return std::any_of(shape.begin(), shape.end(), [](int64_t d) { return d < 0; });
}

bool SplitInfo::ragged() const {
  return std::any_of(fields.begin(), fields.end(), [](const FieldInfo& f) { return f.ragged(); });
}

double SplitInfo::row_bytes() const {
  double sum = 0;
  for (const FieldInfo& f : fields) {
    double bytes = f.dtype.bits / 8.0;
    for (const int64_t d : f.shape) bytes *= static_cast<double>(d < 0 ? 1 : d);
    sum += bytes;
  }
  return sum;
}

namespace {

std::string field_text(const FieldInfo& f) {
  std::vector<std::string> shape;
  for (const int64_t d : f.shape) shape.push_back(std::to_string(d));
  return "'" + f.name + "' " + dtype_text(f.dtype) + " [" + join(shape, ", ") + "]" +
         (f.classes > 0 ? " of " + std::to_string(f.classes) + " classes" : "");
}

bool is_same_field(const FieldInfo& a, const FieldInfo& b) {
  const bool same_type = a.dtype.code == b.dtype.code && a.dtype.bits == b.dtype.bits && a.dtype.lanes == b.dtype.lanes;
  return same_type && a.name == b.name && a.shape == b.shape && a.role == b.role && a.classes == b.classes &&
         a.class_names == b.class_names;
}

void refuse_huge_rows(const SplitInfo& info, const std::string& where) {
  if (memory_of_machine() <= 0 || info.row_bytes() <= memory_of_machine()) return;
  std::vector<std::string> fields;
  for (const FieldInfo& f : info.fields) fields.push_back(field_text(f));
  refuse_description(where, "out of memory: a row of " + join_some(fields, 4) + " would need " +
                                gibibytes(info.row_bytes()) + ", and this machine has " +
                                gibibytes(memory_of_machine()));
}

}  // namespace

std::string changed_field(const std::vector<FieldInfo>& before, const std::vector<FieldInfo>& now) {
  if (before.size() != now.size())
    return "a row had " + std::to_string(before.size()) + " fields, and has " + std::to_string(now.size());
  for (size_t i = 0; i < now.size(); ++i) {
    if (is_same_field(before[i], now[i])) continue;
    const std::string was = field_text(before[i]), is = field_text(now[i]);
    return "field " + std::to_string(i) + " was " + was +
           (was == is ? ", and has another role or other names of classes" : ", and is " + is);
  }
  return "";
}

SplitInfo split_info_from(const levin_split& raw, const std::string& where) {
  SplitInfo info;
  info.rows = raw.rows;
  info.name = raw.name ? raw.name : "";
  if (raw.rows < -1 || raw.rows > largest_size)
    refuse_description(where, "there are " + std::to_string(raw.rows) +
                                  " rows; 0 stands for a loader that is empty, -1 for a stream of unknown length");
  if (raw.n_fields > 0 && !raw.fields) refuse_description(where, "'fields' is null");
  if (raw.n_fields > 0 && raw.field_size < sizeof(levin_field))
    refuse_description(where, "'field_size' is " + std::to_string(raw.field_size) + "; set it to sizeof(levin_field)");
  std::set<std::string> names;
  for (uint32_t i = 0; i < raw.n_fields; ++i) {
    const levin_field& field = *LEVIN_AT(levin_field, raw.fields, raw.field_size, i);
    info.fields.push_back(field_info_from(field, where + ": " + described_name(field, i)));
    const std::string& name = info.fields.back().name;
    if (!name.empty() && !names.insert(name).second)
      refuse_description(where,
                         "two fields are called '" + name + "'; a batch has its fields by name, so each needs its own");
  }
  if (info.fields.empty() && info.rows != 0) refuse_description(where, "a row has no fields");
  refuse_huge_rows(info, where);
  return info;
}

RawFields::RawFields(std::vector<FieldInfo> fields) : fields_(std::move(fields)) {
  for (const FieldInfo& f : fields_) {
    class_names_.emplace_back();
    for (const std::string& name : f.class_names) class_names_.back().push_back(name.c_str());
    levin_field raw{};
    raw.name = f.name.c_str();
    raw.dtype = f.dtype;
    raw.ndim = static_cast<int32_t>(f.shape.size());
    for (size_t d = 0; d < f.shape.size(); ++d) raw.shape[d] = f.shape[d];
    raw.role = f.role;
    raw.classes = f.classes;
    raw.class_names = class_names_.back().empty() ? nullptr : class_names_.back().data();
    raw_.push_back(raw);
  }
}

}  // namespace levin::core
