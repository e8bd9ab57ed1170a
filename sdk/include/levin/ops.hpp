// levin::Ops: ATen operators by name, on any device and any LibTorch, for components without LibTorch.
//
//   const levin::Ops ops(event.run());
//   const levin::OwnedTensor sum = ops("sum", "", {weight});            // aten::sum(Tensor self, *, dtype=None)
//   ops("mul_", "Scalar", {weight, 0.5});                               // aten::mul_.Scalar
//
// A parameter that requires a gradient is passed through ops("detach", "", {parameter}), which shares its memory.
#pragma once
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// An argument of an operator; borrowed for the call.
class OpArgument {
 public:
  OpArgument(levin_tensor* tensor) : value_{LEVIN_T_TENSOR, 0, {0}} { value_.v.t = tensor; }
  OpArgument(const OwnedTensor& tensor) : OpArgument(tensor.get()) {}
  OpArgument(std::nullptr_t) : value_{LEVIN_T_NONE, 0, {0}} {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  OpArgument(T number) : value_{std::is_same_v<T, bool> ? LEVIN_T_BOOL : LEVIN_T_INT, 0, {0}} {
    if constexpr (std::is_floating_point_v<T>)
      value_.type = LEVIN_T_FLOAT, value_.v.f = number;
    else
      value_.v.i = static_cast<int64_t>(number);
  }
  OpArgument(const std::vector<int64_t>& numbers) : value_{LEVIN_T_INTS, static_cast<uint32_t>(numbers.size()), {0}} {
    value_.v.p = numbers.data();
  }
  OpArgument(const std::vector<levin_tensor*>& tensors)
      : value_{LEVIN_T_TENSORS, static_cast<uint32_t>(tensors.size()), {0}} {
    value_.v.p = tensors.data();
  }
  const levin_value& raw() const { return value_; }

 private:
  levin_value value_;
};

class Ops {
 public:
  explicit Ops(const Run& run)
      : host_(run.host()), ops_(static_cast<const levin_ops*>(host_->service(host_, "levin.ops/1"))) {
    if (!ops_) throw Error(LEVIN_E_UNSUPPORTED, "this host does not offer levin.ops/1");
  }

  // Returns the first output. Arguments that are left out have the defaults of the operator. Throws Error if there is
  // no such operator, or if it fails.
  OwnedTensor operator()(const char* name, const char* overload, std::initializer_list<OpArgument> in) const {
    return std::move(call(name, overload, in, 1).front());
  }
  // Returns the first n outputs.
  std::vector<OwnedTensor> call(const char* name, const char* overload, std::initializer_list<OpArgument> in,
                                uint32_t n) const {
    levin_op* op = nullptr;
    detail::check(ops_->find(host_, name, overload, &op), name);
    std::vector<levin_value> values;
    for (const OpArgument& argument : in) values.push_back(argument.raw());
    std::vector<levin_tensor*> handed_over(n);
    detail::check(ops_->call(host_, op, values.data(), static_cast<uint32_t>(values.size()), handed_over.data(), n),
                  name);
    std::vector<OwnedTensor> out;
    for (levin_tensor* tensor : handed_over) out.emplace_back(host_, tensor);
    return out;
  }
  // Returns the gradient of a parameter; empty = none.
  OwnedTensor grad(levin_tensor* parameter) const {
    levin_tensor* out = nullptr;
    const levin_status status = ops_->grad(host_, parameter, &out);
    if (status != LEVIN_E_NOT_FOUND) detail::check(status, "grad");
    return status == LEVIN_OK ? OwnedTensor(host_, out) : OwnedTensor();
  }
  // Returns the only element, which waits for the device.
  double item(const OwnedTensor& tensor) const {
    double out = 0;
    detail::check(host_->tensor_item(host_, tensor.get(), &out), "tensor_item");
    return out;
  }
  // Returns the values as a dense tensor of real numbers, without a gradient; a complex number becomes two.
  OwnedTensor real_values(const OwnedTensor& tensor) const {
    OwnedTensor out = (*this)("detach", "", {tensor});
    levin_view view{};
    if (host_->tensor_view(host_, out.get(), &view) == LEVIN_OK) return out;
    try {
      return (*this)("view_as_real", "", {(*this)("resolve_conj", "", {out})});
    } catch (const Error&) {  // it is sparse
      return (*this)("to_dense", "", {out});
    }
  }
  std::vector<int64_t> shape(levin_tensor* tensor) const {
    levin_view view{};
    detail::check(host_->tensor_view(host_, tensor, &view), "tensor_view");
    return {view.shape, view.shape + view.ndim};
  }

 private:
  const levin_host* host_;
  const levin_ops* ops_;
};

}  // namespace levin
#pragma GCC visibility pop
