// "levin.ops/1": ATen operators by name.
#include "core/services/services.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <map>
#include <mutex>
#include <sstream>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

struct Op {
  c10::OperatorHandle handle;
  std::string schema;
};

// The returned operator is never destroyed, like LibTorch's operators.
levin_op* find_op(const std::string& name, const std::string& overload) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::unique_ptr<Op>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  auto& entry = known[{name, overload}];
  if (!entry) {
    const std::string full = name.find("::") == std::string::npos ? "aten::" + name : name;
    const auto handle = c10::Dispatcher::singleton().findSchema({full, overload});
    if (!handle) {
      known.erase({name, overload});
      throw Error(ErrorCode::call_invalid,
                  "this LibTorch has no operator '" + full + (overload.empty() ? "" : "." + overload) + "'");
    }
    std::ostringstream schema;
    schema << handle->schema();
    entry.reset(new Op{*handle, schema.str()});
  }
  return reinterpret_cast<levin_op*>(entry.get());
}

const Op& op_of(levin_op* op) { return *reinterpret_cast<const Op*>(op); }

[[noreturn]] void wrong_argument(const c10::Argument& argument, const levin_value& value) {
  throw Error(ErrorCode::call_invalid, "argument '" + argument.name() + "' is of type " + argument.type()->str() +
                                           ", and a value of type " + std::to_string(value.type) + " was given");
}

c10::IValue scalar_argument(const levin_value& value, const c10::TypePtr& type, const c10::Argument& argument) {
  const bool integral = value.type == LEVIN_T_INT || value.type == LEVIN_T_BOOL;
  if (!integral && value.type != LEVIN_T_FLOAT) wrong_argument(argument, value);
  switch (type->kind()) {
    case c10::TypeKind::FloatType:
      return integral ? static_cast<double>(value.v.i) : value.v.f;
    case c10::TypeKind::BoolType:
      return value.v.i != 0;
    case c10::TypeKind::NumberType:
      return integral ? at::Scalar(value.v.i) : at::Scalar(value.v.f);
    default:
      break;
  }
  if (!integral) wrong_argument(argument, value);
  return value.v.i;
}

c10::IValue to_ivalue(const levin_value& value, const c10::Argument& argument) {
  c10::TypePtr type = argument.type();
  if (value.type == LEVIN_T_NONE) return {};
  if (type->kind() == c10::TypeKind::OptionalType) type = type->castRaw<c10::OptionalType>()->getElementType();
  switch (value.type) {
    case LEVIN_T_TENSOR:
      return value.v.t ? c10::IValue(retain(value.v.t)) : c10::IValue();
    case LEVIN_T_STRING:
      return std::string(value.v.s);
    case LEVIN_T_INTS: {
      const auto* data = static_cast<const int64_t*>(value.v.p);
      return std::vector<int64_t>(data, data + value.len);
    }
    case LEVIN_T_TENSORS: {
      const auto* handles = static_cast<levin_tensor* const*>(value.v.p);
      std::vector<at::Tensor> tensors;
      for (uint32_t i = 0; i < value.len; ++i) tensors.push_back(retain(handles[i]));
      return tensors;
    }
    default:
      return scalar_argument(value, type, argument);
  }
}

torch::jit::Stack arguments(const c10::FunctionSchema& schema, const levin_value* in, uint32_t n_in) {
  if (n_in > schema.arguments().size())
    throw Error(ErrorCode::call_invalid, schema.name() + " takes " + std::to_string(schema.arguments().size()) +
                                             " arguments, and " + std::to_string(n_in) + " were given");
  torch::jit::Stack stack;
  for (uint32_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (i < n_in) {
      stack.push_back(to_ivalue(in[i], argument));
    } else if (argument.default_value()) {
      stack.push_back(*argument.default_value());
    } else {
      throw Error(ErrorCode::call_invalid, schema.name() + ": argument '" + argument.name() + "' is missing");
    }
  }
  return stack;
}

levin_status call_op(const levin_host*, levin_op* op, const levin_value* in, uint32_t n_in, levin_tensor** out,
                     uint32_t n_out) {
  return serve([&] {
    if (BorderWatch* watch = border_watch()) watch->on_training_thread("levin.ops/1 call");
    torch::jit::Stack stack = arguments(op_of(op).handle.schema(), in, n_in);
    op_of(op).handle.callBoxed(stack);
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : stack) {
      if (value.isTensor())
        tensors.push_back(value.toTensor());
      else if (value.isTensorList())
        for (const at::Tensor& t : value.toTensorVector()) tensors.push_back(t);
    }
    if (n_out > tensors.size())
      throw Error(ErrorCode::call_invalid, op_of(op).handle.schema().name() + " returns " +
                                               std::to_string(tensors.size()) + " tensors, and " +
                                               std::to_string(n_out) + " were requested");
    for (uint32_t i = 0; i < n_out; ++i) out[i] = release(std::move(tensors[i]));
  });
}

levin_status make_parameter(const levin_host*, const levin_view* init, levin_tensor** out) {
  return serve([&] { *out = release(copy_of(*init).set_requires_grad(true)); });
}

levin_status grad_of(const levin_host*, levin_tensor* parameter, levin_tensor** out) {
  return serve([&]() -> levin_status {
    if (BorderWatch* watch = border_watch()) watch->on_training_thread("levin.ops/1 grad");
    const at::Tensor grad = retain(parameter).grad();
    if (!grad.defined()) return LEVIN_E_NOT_FOUND;
    *out = release(grad);
    return LEVIN_OK;
  });
}

}  // namespace

const levin_ops* ops_service() {
  static const levin_ops table = [] {
    levin_ops t{};
    t.size = sizeof t;
    t.find = [](const levin_host*, const char* name, const char* overload, levin_op** out) {
      return serve([&] { *out = find_op(name, overload ? overload : ""); });
    };
    t.schema = [](const levin_host*, levin_op* op) { return op_of(op).schema.c_str(); };
    t.call = &call_op;
    t.parameter = &make_parameter;
    t.grad = &grad_of;
    return t;
  }();
  return &table;
}

}  // namespace levin::core
