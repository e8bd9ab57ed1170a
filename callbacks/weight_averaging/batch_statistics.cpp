#include "batch_statistics.hpp"

#include <cstring>
#include <exception>
#include <map>
#include <set>

#include "levin/host_tensor.hpp"
#include "levin/processes.hpp"
#include "levin/util/text.hpp"

namespace levin::weight_averaging {
namespace {

using Values = std::map<std::string, std::vector<double>>;  // by the buffer's name

// Returns the names of the BatchNorm modules in training mode; empty = the model does not describe its modules.
std::set<std::string> training_modules(const Run& run) {
  std::set<std::string> out;
  const auto each = [](void* ctx, const char* name, const char* type, uint32_t, uint32_t training) {
    if (training && std::strstr(type, "BatchNorm")) static_cast<std::set<std::string>*>(ctx)->insert(name);
  };
  run.modules().visit(run.raw(), each, &out);
  return out;
}

// A bfloat16 is the upper half of a float.
float widened(uint16_t value) {
  const uint32_t bits = static_cast<uint32_t>(value) << 16;
  float out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

std::vector<double> elements(const HostTensor& tensor) {
  const levin_dtype type = tensor.view().dtype;
  const auto n = tensor.elements();
  if (type.code == LEVIN_FLOAT && type.bits == 32) {
    const auto* data = static_cast<const float*>(tensor.data());
    return {data, data + n};
  }
  if (type.code == LEVIN_FLOAT && type.bits == 64) {
    const auto* data = static_cast<const double*>(tensor.data());
    return {data, data + n};
  }
  if (type.code == LEVIN_BFLOAT && type.bits == 16) {
    const auto* data = static_cast<const uint16_t*>(tensor.data());
    std::vector<double> out;
    for (int64_t i = 0; i < n; ++i) out.push_back(widened(data[i]));
    return out;
  }
  throw Error(LEVIN_E_UNSUPPORTED,
              "the statistics of batch normalization cannot be computed anew in half precision; take another "
              "trainer.precision, 32-true or bf16-true");
}

// Returns the values of the buffers that `wanted` accepts.
template <class Wanted>
Values read(const Run& run, const Wanted& wanted) {
  struct Context {
    const Run& run;
    const Wanted& wanted;
    Values out;
    std::exception_ptr failure;
  } context{run, wanted, {}, nullptr};
  levin_visitor visitor{sizeof visitor, 0, &context, nullptr};
  visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t kind) -> levin_status {
    auto& c = *static_cast<Context*>(v->ctx);
    if (kind != LEVIN_BUFFER || !c.wanted(name)) return LEVIN_OK;
    try {
      c.out[name] = elements(HostTensor(c.run, tensor));
      return LEVIN_OK;
    } catch (...) {
      c.failure = std::current_exception();
      return LEVIN_E_EXCEPTION;
    }
  };
  const levin_status status = run.params().visit(run.raw(), &visitor);
  if (context.failure) std::rethrow_exception(context.failure);
  detail::check(status, "the model's buffers cannot be visited");
  return context.out;
}

void write(const Run& run, const std::string& name, std::vector<double> values) {
  int64_t n = static_cast<int64_t>(values.size());
  const levin_view view{values.data(), {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 64, 1}, &n, nullptr, 0};
  levin_tensor* made = nullptr;
  detail::check(run.host()->tensor_from_view(run.host(), &view, &made), "tensor_from_view");
  const levin_status status = run.params().assign(run.raw(), name.c_str(), made);
  run.host()->tensor_release(run.host(), made);
  detail::check(status, name.c_str());
}

}  // namespace

bool BatchStatistics::needed(const Run& run) { return !training_modules(run).empty(); }

BatchStatistics::BatchStatistics(const Run& run, double momentum) : momentum_(momentum) {
  const std::set<std::string> modules = training_modules(run);
  const auto wanted = [&](const std::string& name) {
    const bool statistic = ends_with(name, "running_mean") || ends_with(name, "running_var");
    const size_t dot = name.rfind('.');
    return statistic && modules.count(dot == std::string::npos ? "" : name.substr(0, dot)) != 0;
  };
  for (const auto& [name, values] : read(run, wanted)) {
    buffers_.push_back({name, sums_.size(), values.size()});
    sums_.resize(sums_.size() + values.size());
  }
}

void BatchStatistics::before_batch(const Run& run) const {
  for (const Buffer& buffer : buffers_) write(run, buffer.name, std::vector<double>(buffer.size, 0.0));
}

void BatchStatistics::after_batch(const Run& run) {
  ++batches_;
  std::set<std::string> names;
  for (const Buffer& buffer : buffers_) names.insert(buffer.name);
  const Values now = read(run, [&](const std::string& name) { return names.count(name) != 0; });
  std::vector<double> of_batch;
  for (const Buffer& buffer : buffers_)
    of_batch.insert(of_batch.end(), now.at(buffer.name).begin(), now.at(buffer.name).end());
  if (run.world_size() > 1) of_batch = numbers_over_processes(run, std::move(of_batch), LEVIN_REDUCE_MEAN);
  for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += of_batch[i] / momentum_;
  for (const Buffer& buffer : buffers_) {
    std::vector<double> mean(buffer.size);
    for (size_t i = 0; i < mean.size(); ++i) mean[i] = sums_[buffer.first + i] / static_cast<double>(batches_);
    write(run, buffer.name, std::move(mean));
  }
}

void BatchStatistics::save(const Writer& writer) const {
  writer.put("statistics_sums", sums_);
  writer.put("statistics_batches", batches_);
}

void BatchStatistics::load(const std::vector<double>& sums, int64_t batches) {
  if (sums.size() != sums_.size()) return;
  sums_ = sums;
  batches_ = batches;
}

}  // namespace levin::weight_averaging
