#include "conformance/plugins/recorder.hpp"

#include <cmath>

namespace scripted {
namespace {

std::string text_of(double value) {
  if (value == std::floor(value)) return std::to_string(static_cast<int64_t>(value));
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string items(const levin_host* host, levin_tensor* tensor) {
  std::string out;
  for (double v : values_of(host, tensor)) out += (out.empty() ? "" : ",") + text_of(v);
  return "batch[" + out + "]";
}

}  // namespace

std::vector<double> values_of(const levin_host* host, levin_tensor* tensor) {
  levin_view view{};
  if (!tensor || host->tensor_view(host, tensor, &view) != LEVIN_OK) return {};
  int64_t n = 1;
  for (int32_t d = 0; d < view.ndim; ++d) n *= view.shape[d];
  std::vector<double> out;
  const char* data = static_cast<const char*>(view.data) + view.byte_offset;
  for (int64_t i = 0; i < n; ++i) {
    if (view.dtype.code == LEVIN_FLOAT && view.dtype.bits == 64)
      out.push_back(reinterpret_cast<const double*>(data)[i]);
    else if (view.dtype.code == LEVIN_FLOAT && view.dtype.bits == 32)
      out.push_back(static_cast<double>(reinterpret_cast<const float*>(data)[i]));
  }
  return out;
}

json batch_text(const levin_host* host, const levin_batch* batch) {
  if (!batch || batch->n == 0) return nullptr;
  return items(host, batch->tensors[0]);
}

}  // namespace scripted
