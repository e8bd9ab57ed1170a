#include "core/data/source/label_check.hpp"

#include <algorithm>

namespace levin::core {
namespace {

template <class T>
std::optional<BadLabel> first_bad(const at::Tensor& values, int64_t classes) {
  const T* const begin = static_cast<const T*>(values.data_ptr());
  const T* const end = begin + values.numel();
  const T* const bad = std::find_if(begin, end, [classes](T value) {
    const auto label = static_cast<int64_t>(value);
    return (label < 0 || label >= classes) && label != ignored_label;
  });
  if (bad == end) return std::nullopt;
  const int64_t in_row = values.dim() == 0 ? 1 : values.numel() / values.size(0);
  return BadLabel{(bad - begin) / in_row, static_cast<int64_t>(*bad)};
}

}  // namespace

std::optional<BadLabel> find_bad_label(const at::Tensor& values, int64_t classes) {
  if (!values.device().is_cpu()) return std::nullopt;
  const at::Tensor t = values.contiguous();
  switch (t.scalar_type()) {
    case at::kLong:
      return first_bad<int64_t>(t, classes);
    case at::kInt:
      return first_bad<int32_t>(t, classes);
    case at::kShort:
      return first_bad<int16_t>(t, classes);
    case at::kChar:
      return first_bad<int8_t>(t, classes);
    case at::kByte:
    case at::kBool:
      return first_bad<uint8_t>(t, classes);
    default:
      return std::nullopt;
  }
}

void check_labels(const LoaderPlace& place, const char* call, const std::vector<at::Tensor>& tensors,
                  const int64_t* ids) {
  for (size_t f = 0; f < tensors.size(); ++f) {
    const int64_t classes = place.info.fields[f].classes;
    if (classes <= 0) continue;
    const auto bad = find_bad_label(tensors[f], classes);
    if (!bad) continue;
    const std::string row =
        ids ? "row " + std::to_string(ids[bad->row]) : "row " + std::to_string(bad->row) + " of the batch";
    throw place.error(ErrorCode::label_out_of_range, call,
                      place.field_text(f) + ": " + row + " is " + std::to_string(bad->value) + ", and there are " +
                          std::to_string(classes) + " classes: labels are 0 to " + std::to_string(classes - 1) +
                          ", or -100 for a label to be ignored");
  }
}

}  // namespace levin::core
