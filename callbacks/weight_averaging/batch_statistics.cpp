#include "batch_statistics.hpp"

#include <cstring>

namespace levin::weight_averaging {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
bool is_statistic(const std::string& name) { return ends_with(name, "running_mean") || ends_with(name, "running_var"); }

// The elements of a buffer on any device, as doubles; of other types than float: empty.
std::vector<double> read(const Run& run, levin_tensor* tensor) {
  levin_tensor* here = nullptr;
  detail::check(run.devices().to(run.host(), tensor, {LEVIN_CPU, 0}, &here), "to");
  levin_view view{};
  const levin_status status = run.host()->tensor_view(run.host(), here, &view);
  std::vector<double> out;
  if (status == LEVIN_OK && view.dtype.code == LEVIN_FLOAT && view.dtype.bits == 32) {
    int64_t n = 1;
    for (int32_t d = 0; d < view.ndim; ++d) n *= view.shape[d];
    const auto* data = reinterpret_cast<const float*>(static_cast<const char*>(view.data) + view.byte_offset);
    out.assign(data, data + n);
  }
  run.host()->tensor_release(run.host(), here);
  detail::check(status, "tensor_view");
  return out;
}

void write(const Run& run, const std::string& name, const std::vector<double>& values) {
  std::vector<float> data(values.begin(), values.end());
  int64_t n = static_cast<int64_t>(data.size());
  const levin_view view{data.data(), {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 32, 1}, &n, nullptr, 0};
  levin_tensor* made = nullptr;
  detail::check(run.host()->tensor_from_view(run.host(), &view, &made), "tensor_from_view");
  const levin_status status = run.params().assign(run.raw(), name.c_str(), made);
  run.host()->tensor_release(run.host(), made);
  detail::check(status, name.c_str());
}

std::map<std::string, std::vector<double>> statistics(const Run& run) {
  struct Context {
    const Run& run;
    std::map<std::string, std::vector<double>> out;
  } context{run, {}};
  levin_visitor visitor{sizeof visitor, 0, &context, nullptr};
  visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t kind) -> levin_status {
    auto& c = *static_cast<Context*>(v->ctx);
    if (kind != LEVIN_BUFFER || !is_statistic(name)) return LEVIN_OK;
    auto values = read(c.run, tensor);
    if (!values.empty()) c.out[name] = std::move(values);
    return LEVIN_OK;
  };
  detail::check(run.params().visit(run.raw(), &visitor), "visit");
  return context.out;
}

}  // namespace

bool BatchStatistics::needed(const Run& run) {
  bool found = false;
  const auto each = [](void* ctx, const char*, const char* type, uint32_t, uint32_t) {
    if (std::strstr(type, "BatchNorm")) *static_cast<bool*>(ctx) = true;
  };
  run.modules().visit(run.raw(), each, &found);
  return found;
}

void BatchStatistics::before_batch(const Run& run) const {
  for (const auto& [name, values] : statistics(run)) write(run, name, std::vector<double>(values.size(), 0.0));
}

void BatchStatistics::after_batch(const Run& run) {
  ++batches_;
  for (const auto& [name, values] : statistics(run)) {
    std::vector<double>& sum = sums_[name];
    sum.resize(values.size());
    std::vector<double> mean(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      sum[i] += values[i] / momentum_;
      mean[i] = sum[i] / static_cast<double>(batches_);
    }
    write(run, name, mean);
  }
}

}  // namespace levin::weight_averaging
