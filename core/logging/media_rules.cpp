#include "core/logging/media_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

struct KindRule {
  const char* kind;
  int32_t ndim;
  levin_dtype dtype;
  const char* wants;
  bool pixels, rated;  // pixels: the last dimension is of 1, 3 or 4 channels; rated: there is a rate
};
const KindRule view_rules[] = {
    {"image", 3, {LEVIN_UINT, 8, 1}, "uint8 [height, width, 1, 3 or 4 channels]", true, false},
    {"figure", 3, {LEVIN_UINT, 8, 1}, "uint8 [height, width, 1, 3 or 4 channels]", true, false},
    {"video", 4, {LEVIN_UINT, 8, 1}, "uint8 [frames, height, width, 1, 3 or 4 channels]", true, true},
    {"audio", 2, {LEVIN_FLOAT, 32, 1}, "float32 [samples, channels]", false, true},
    {"histogram", 1, {LEVIN_FLOAT, 64, 1}, "float64 [samples]", false, false},
};

std::string type_text(levin_dtype type) {
  constexpr const char* names[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  return (type.code < sizeof names / sizeof *names ? names[type.code] : "type ") + std::to_string(type.bits);
}

std::string view_text(const levin_view& view) {
  std::string text = type_text(view.dtype) + " [";
  for (int32_t d = 0; d < view.ndim; ++d) text += (d ? ", " : "") + std::to_string(view.shape[d]);
  return text + "]";
}

[[noreturn]] void refuse(const levin_media& m, const std::string& why) {
  throw Error(ErrorCode::call_invalid, std::string(m.kind) + " '" + m.tag + "': " + why);
}

bool fits(const KindRule& rule, const levin_view& view) {
  const bool same_type = view.dtype.code == rule.dtype.code && view.dtype.bits == rule.dtype.bits;
  if (!same_type || view.dtype.lanes != 1 || view.ndim != rule.ndim) return false;
  for (int32_t d = 0; d < view.ndim; ++d)
    if (view.shape[d] < 1) return false;
  const int64_t last = view.shape[view.ndim - 1];
  return !rule.pixels || last == 1 || last == 3 || last == 4;
}

void check_view(const KindRule& rule, const levin_media& m) {
  if (!m.view) refuse(m, std::string("it has no view; it has to be ") + rule.wants);
  if (!m.view->data) refuse(m, "its view has no data");
  if (!fits(rule, *m.view)) refuse(m, std::string("it has to be ") + rule.wants + ", not " + view_text(*m.view));
  if (rule.rated && !(m.rate > 0 && std::isfinite(m.rate)))
    refuse(m, rule.ndim == 4 ? "rate has to be the number of frames per second"
                             : "rate has to be the number of samples per second");
}

void check_table(const levin_media& m) {
  constexpr const char* form = R"(a table is {"columns": ["a", ...], "rows": [[1, ...], ...]})";
  const nlohmann::json table = parse_json(m.text, std::string("table '") + m.tag + "'");
  if (!table.is_object() || !table.contains("columns") || !table.contains("rows") || !table["columns"].is_array() ||
      !table["rows"].is_array())
    refuse(m, form);
  for (const auto& column : table["columns"])
    if (!column.is_string()) refuse(m, form);
  for (const auto& row : table["rows"])
    if (!row.is_array() || row.size() != table["columns"].size())
      refuse(m, "every row has to have as many cells as there are columns: " + std::to_string(table["columns"].size()));
}

void check(const levin_media& m) {
  if (!m.kind || !*m.kind || !m.tag || !*m.tag)
    throw Error(ErrorCode::call_invalid, "media needs a kind and a tag, and size has to be sizeof(levin_media)");
  if (m.step < -1)
    refuse(m, "the step is " + std::to_string(m.step) + "; it has to be 0 or more, or -1 for the current step");
  const auto rule = std::find_if(std::begin(view_rules), std::end(view_rules),
                                 [&](const KindRule& r) { return std::strcmp(r.kind, m.kind) == 0; });
  if (rule != std::end(view_rules)) return check_view(*rule, m);
  const std::string kind = m.kind;
  if ((kind == "text" || kind == "table" || kind == "graph") && !m.text) refuse(m, "it has no text");
  if (kind == "table") check_table(m);
}

bool is_row_major(const levin_view& view) {
  if (!view.strides) return true;
  int64_t stride = 1;
  for (int32_t d = view.ndim; d-- > 0; stride *= view.shape[d])
    if (view.shape[d] != 1 && view.strides[d] != stride) return false;
  return true;
}

}  // namespace

CheckedMedia::CheckedMedia(const levin_media& given, int64_t step_now) {
  std::memcpy(&media_, &given, std::min<size_t>(given.size, sizeof media_));
  media_.size = sizeof media_;
  check(media_);
  if (media_.step < 0) media_.step = step_now;
  if (media_.view) take_view(*media_.view);
}

void CheckedMedia::take_view(const levin_view& view) {
  view_ = view;
  if (view.device.type == LEVIN_CUDA || !is_row_major(view)) {
    copy_ = copy_of(view).cpu().contiguous();
    view_ = view_of(copy_);
  }
  view_.strides = nullptr;
  media_.view = &view_;
}

}  // namespace levin::core
