#include "core/abi/tensor_handle.hpp"

#include <exception>
#include <iterator>
#include <utility>
#include <vector>

#include "core/abi/breadcrumb.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

struct TypePair {
  at::ScalarType torch;
  uint8_t code, bits;
};
constexpr TypePair types[] = {
    {at::kFloat, LEVIN_FLOAT, 32}, {at::kDouble, LEVIN_FLOAT, 64},    {at::kHalf, LEVIN_FLOAT, 16},
    {at::kByte, LEVIN_UINT, 8},    {at::kBFloat16, LEVIN_BFLOAT, 16}, {at::kChar, LEVIN_INT, 8},
    {at::kShort, LEVIN_INT, 16},   {at::kInt, LEVIN_INT, 32},         {at::kLong, LEVIN_INT, 64},
    {at::kBool, LEVIN_BOOL, 8},
};

}  // namespace

at::ScalarType scalar_type(levin_dtype dtype) {
  for (const TypePair& t : types)
    if (t.code == dtype.code && t.bits == dtype.bits && dtype.lanes == 1) return t.torch;
  throw Error(ErrorCode::element_type_unsupported,
              "LibTorch has no element type of code " + std::to_string(dtype.code) + " with " +
                  std::to_string(dtype.bits) + " bits and " + std::to_string(dtype.lanes) + " lanes");
}

levin_dtype dtype_of(at::ScalarType type) {
  for (const TypePair& t : types)
    if (t.torch == type) return {t.code, t.bits, 1};
  throw Error(ErrorCode::element_type_unsupported,
              std::string("plugins have no element type like ") + c10::toString(type));
}

std::string dtype_text(levin_dtype dtype) {
  constexpr const char* kinds[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  if (dtype.lanes != 1 || dtype.code >= std::size(kinds))
    return "an element type of code " + std::to_string(dtype.code) + " with " + std::to_string(dtype.bits) +
           " bits and " + std::to_string(dtype.lanes) + " lanes";
  return kinds[dtype.code] + (dtype.code == LEVIN_BOOL && dtype.bits == 8 ? "" : std::to_string(dtype.bits));
}

levin_device device_of(at::Device device) {
  if (device.is_cuda()) return {LEVIN_CUDA, device.index() < 0 ? 0 : static_cast<int32_t>(device.index())};
  return {LEVIN_CPU, 0};
}

at::Device device_of(levin_device device) {
  if (device.type == LEVIN_CUDA) return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.id));
  return at::Device(at::kCPU);
}

void refuse_null_handle() { throw Error(ErrorCode::call_invalid, "the handle of a tensor is null"); }

levin_view view_of(const at::Tensor& tensor) {
  levin_view view{};
  view.data = tensor.data_ptr();
  view.device = device_of(tensor.device());
  view.ndim = static_cast<int32_t>(tensor.dim());
  view.dtype = dtype_of(tensor.scalar_type());
  view.shape = const_cast<int64_t*>(tensor.sizes().data());
  view.strides = const_cast<int64_t*>(tensor.strides().data());
  return view;
}

namespace {

at::Tensor wrap(const levin_view& view, std::function<void(void*)> deleter) {
  const std::vector<int64_t> shape(view.shape, view.shape + view.ndim);
  const auto options = at::TensorOptions().dtype(scalar_type(view.dtype)).device(device_of(view.device));
  void* data = static_cast<char*>(view.data) + view.byte_offset;
  if (!view.strides) return at::from_blob(data, shape, std::move(deleter), options);
  const std::vector<int64_t> strides(view.strides, view.strides + view.ndim);
  return at::from_blob(data, shape, strides, std::move(deleter), options);
}

}  // namespace

at::Tensor copy_of(const levin_view& view) {
  return wrap(view, [](void*) {}).clone();
}

void delete_managed(levin_managed* managed, const TensorMaker& maker) noexcept {
  if (!managed->deleter) return;
  const BlameScope blame(maker.plugin.c_str(), "deleter", maker.instance.empty() ? nullptr : maker.instance.c_str());
  try {
    managed->deleter(managed);
  } catch (...) {
    std::terminate();  // here, where the breadcrumb still names the tensor's maker
  }
}

at::Tensor adopt(levin_managed* managed, TensorMaker maker, std::function<void()> released) {
  return wrap(managed->view, [managed, maker = std::move(maker), released = std::move(released)](void*) {
    if (released) released();
    delete_managed(managed, maker);
  });
}

}  // namespace levin::core
