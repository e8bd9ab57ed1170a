#include "core/data/source/tensor_call.hpp"

#include <ATen/Context.h>

#include <mutex>
#include <unordered_set>

#include "core/abi/tensor_handle.hpp"

namespace levin::core {

// The levin_managed of one loader that the host holds. Thread-safe.
class HeldTensors {
 public:
  // Returns false if it is already held.
  bool add(const levin_managed* tensor) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return held_.insert(tensor).second;
  }
  void remove(const levin_managed* tensor) {
    const std::lock_guard<std::mutex> lock(mutex_);
    held_.erase(tensor);
  }

 private:
  std::mutex mutex_;
  std::unordered_set<const levin_managed*> held_;
};

namespace {

constexpr int32_t most_dimensions = 7;  // at most 6 of the field, and one for the rows

// Owns the tensors of one call until the host adopts them.
class Received {
 public:
  Received(std::shared_ptr<HeldTensors> held, TensorMaker maker) : held_(std::move(held)), maker_(std::move(maker)) {}
  ~Received() {
    for (levin_managed* m : mine_) {
      held_->remove(m);
      delete_managed(m, maker_);
    }
  }
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;

  // Returns false for a tensor that was added before, or that is in a batch which the host still holds.
  bool add(levin_managed* tensor) {
    if (!held_->add(tensor)) return false;
    mine_.push_back(tensor);
    return true;
  }
  std::vector<at::Tensor> adopt_all() {
    std::vector<at::Tensor> out;
    while (!mine_.empty()) {
      levin_managed* const m = mine_.front();
      out.push_back(adopt(m, maker_, [held = held_, m] { held->remove(m); }));
      mine_.erase(mine_.begin());
    }
    return out;
  }

 private:
  std::shared_ptr<HeldTensors> held_;
  TensorMaker maker_;
  std::vector<levin_managed*> mine_;
};

TensorMaker maker_of(const LoaderPlace& place) { return {place.data.plugin(), place.data.instance()}; }

std::string sizes_text(std::string rows, const int64_t* begin, const int64_t* end) {
  std::string out = "[" + std::move(rows);
  for (; begin != end; ++begin) out += (out.size() > 1 ? ", " : "") + (*begin < 0 ? "any" : std::to_string(*begin));
  return out + "]";
}

std::string wanted_text(const FieldInfo& field, int64_t rows) {
  const int64_t* sizes = field.shape.data();
  return dtype_text(field.dtype) + " " +
         sizes_text(rows < 0 ? "rows" : std::to_string(rows), sizes, sizes + field.shape.size());
}

std::string got_text(const levin_view& view) {
  return dtype_text(view.dtype) + " " + sizes_text("", view.shape, view.shape + view.ndim);
}

bool fits_field(const levin_view& view, const FieldInfo& field, int64_t rows) {
  const auto same_dtype = [](levin_dtype a, levin_dtype b) {
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
  };
  if (!same_dtype(view.dtype, field.dtype) || static_cast<size_t>(view.ndim) != field.shape.size() + 1) return false;
  if (rows < 0 ? view.shape[0] < 0 : view.shape[0] != rows) return false;
  for (size_t d = 0; d < field.shape.size(); ++d)
    if (view.shape[d + 1] < 0 || (field.shape[d] >= 0 && view.shape[d + 1] != field.shape[d])) return false;
  return true;
}

// Returns the number of bytes; -1 if it exceeds an int64_t.
int64_t bytes_of(const levin_view& view) {
  int64_t n = std::max(1, view.dtype.bits / 8);
  for (int32_t d = 0; d < view.ndim; ++d)
    if (__builtin_mul_overflow(n, view.shape[d], &n)) return -1;
  return n;
}

std::string memory_fault(const levin_view& view) {
  const int64_t bytes = bytes_of(view);
  if (bytes < 0)
    return "its shape " + sizes_text("", view.shape, view.shape + view.ndim) + " is larger than any memory";
  if (bytes > 0 && !view.data) return "'data' is null";
  for (int32_t d = 0; view.strides && d < view.ndim; ++d)
    if (view.strides[d] < 0)
      return "stride " + std::to_string(d) + " is negative; strides are in elements, and 0 or more";
  const bool host = view.device.type == LEVIN_CPU || view.device.type == LEVIN_CUDA_HOST;
  const bool cuda = view.device.type == LEVIN_CUDA && at::hasCUDA() && view.device.id >= 0 && view.device.id < 128;
  if (!host && !cuda)
    return "it is on device type " + std::to_string(view.device.type) + ", number " + std::to_string(view.device.id) +
           "; it has to be in CPU memory (device type 1)";
  return "";
}

// Returns "" if the tensor matches the field.
std::string fault_of(const levin_managed& tensor, const FieldInfo& field, int64_t rows) {
  const levin_view& view = tensor.view;
  if (tensor.major > 1) return "its layout is of DLPack " + std::to_string(tensor.major) + "; 'major' has to be 1";
  if (view.ndim < 0 || view.ndim > most_dimensions)
    return "wanted " + wanted_text(field, rows) + ", got a tensor of " + std::to_string(view.ndim) + " dimensions";
  if (view.ndim > 0 && !view.shape) return "'shape' is null";
  if (!fits_field(view, field, rows)) return "wanted " + wanted_text(field, rows) + ", got " + got_text(view);
  return memory_fault(view);
}

}  // namespace

TensorCall::TensorCall(const LoaderPlace& place, const char* name)
    : place_(place), name_(name), held_(std::make_shared<HeldTensors>()) {}

std::vector<at::Tensor> TensorCall::take(levin_managed* const* tensors, uint32_t n, int64_t rows) const {
  Received received(held_, maker_of(place_));
  if (n > std::max<size_t>(capacity, place_.info.fields.size() + 1))
    fail(place_.text() + ": reports " + std::to_string(n) + " tensors, more than there is room for");
  uint32_t twice = n;
  for (uint32_t i = 0; i < n; ++i)
    if (tensors[i] && !received.add(tensors[i])) twice = std::min(twice, i);
  if (n == place_.info.fields.size() && twice < n)
    fail(place_.field_text(twice) +
         ": the host already has its levin_managed; give each field of each batch one of its own, because the host "
         "deletes each of them once");
  check(tensors, n, rows);
  return received.adopt_all();
}

void TensorCall::discard(levin_managed* const* tensors, uint32_t n) const {
  Received received(held_, maker_of(place_));
  for (uint32_t i = 0; i < std::min(n, capacity); ++i)
    if (tensors[i]) received.add(tensors[i]);
}

void TensorCall::check(levin_managed* const* tensors, uint32_t n, int64_t rows) const {
  const std::vector<FieldInfo>& fields = place_.info.fields;
  if (n != fields.size())
    fail(place_.text() + ": returned " + std::to_string(n) + " tensors, and a row has " +
         std::to_string(fields.size()) + " fields");
  for (uint32_t i = 0; i < n; ++i) {
    const std::string fault = tensors[i] ? fault_of(*tensors[i], fields[i], rows) : "returned a null pointer";
    if (!fault.empty()) fail(place_.field_text(i) + ": " + fault);
    if (rows < 0) rows = tensors[i]->view.shape[0];  // all fields must have as many rows as the first
    if (rows == 0) fail(place_.text() + ": a batch of 0 rows; 'next' returns LEVIN_STOP at the end of an epoch");
  }
}

}  // namespace levin::core
