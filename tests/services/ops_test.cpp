// levin.ops/1: every kind of argument, defaults, several results, gradients, and mistakes.
#include "core/services/services.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"

using namespace levin::core;

namespace {

const levin_ops& ops() { return *ops_service(); }

levin_value none() { return {LEVIN_T_NONE, 0, {0}}; }
levin_value value(const at::Tensor& t) {
  levin_value v{LEVIN_T_TENSOR, 0, {0}};
  v.v.t = borrow(t);
  return v;
}
levin_value value(int64_t i) {
  levin_value v{LEVIN_T_INT, 0, {0}};
  v.v.i = i;
  return v;
}
levin_value value(double f) {
  levin_value v{LEVIN_T_FLOAT, 0, {0}};
  v.v.f = f;
  return v;
}
levin_value value(bool b) {
  levin_value v = value(int64_t{b});
  v.type = LEVIN_T_BOOL;
  return v;
}
levin_value value(const char* s) {
  levin_value v{LEVIN_T_STRING, 0, {0}};
  v.v.s = s;
  return v;
}
levin_value value(const std::vector<int64_t>& ints) {
  levin_value v{LEVIN_T_INTS, static_cast<uint32_t>(ints.size()), {0}};
  v.v.p = ints.data();
  return v;
}
levin_value value(const std::vector<levin_tensor*>& tensors) {
  levin_value v{LEVIN_T_TENSORS, static_cast<uint32_t>(tensors.size()), {0}};
  v.v.p = tensors.data();
  return v;
}

levin_op* find(const char* name, const char* overload = nullptr) {
  levin_op* op = nullptr;
  REQUIRE(ops().find(nullptr, name, overload, &op) == LEVIN_OK);
  return op;
}

std::vector<at::Tensor> call(levin_op* op, const std::vector<levin_value>& in, uint32_t n_out = 1) {
  std::vector<levin_tensor*> out(n_out);
  const levin_status status = ops().call(nullptr, op, in.data(), static_cast<uint32_t>(in.size()), out.data(), n_out);
  INFO(service_failure());
  REQUIRE(status == LEVIN_OK);
  std::vector<at::Tensor> tensors;
  for (levin_tensor* t : out) tensors.push_back(own(t));
  return tensors;
}

std::string refusal(levin_op* op, const std::vector<levin_value>& in, uint32_t n_out = 1) {
  std::vector<levin_tensor*> out(n_out);
  CHECK(ops().call(nullptr, op, in.data(), static_cast<uint32_t>(in.size()), out.data(), n_out) < 0);
  return service_failure();
}

}  // namespace

TEST_CASE("an operator is called with tensors, numbers, flags, lists and texts") {
  const at::Tensor x = at::arange(6, at::kFloat).reshape({2, 3}), y = at::ones({2, 3});
  CHECK(at::equal(call(find("add", "Tensor"), {value(x), value(y), value(2.0)})[0], x + 2));
  CHECK(at::equal(call(find("add", "Tensor"), {value(x), value(y), value(int64_t{3})})[0], x + 3));
  CHECK(at::equal(call(find("reshape"), {value(x), value(std::vector<int64_t>{3, 2})})[0], x.reshape({3, 2})));
  CHECK(at::equal(call(find("sum", "dim_IntList"), {value(x), value(std::vector<int64_t>{1}), value(true)})[0],
                  x.sum(1, true)));
  const std::vector<levin_tensor*> both = {borrow(x), borrow(y)};
  CHECK(call(find("cat"), {value(both), value(int64_t{1})})[0].sizes() == at::IntArrayRef({2, 6}));
  CHECK(call(find("div", "Tensor_mode"), {value(x), value(at::full({2, 3}, 2.0)), value("floor")})[0]
            .sum()
            .item<double>() == 6);
  CHECK(call(find("clamp"), {value(x), none(), value(2.0)})[0].max().item<double>() == 2);
}

TEST_CASE("missing trailing arguments take the schema's defaults, and several results come in order") {
  const at::Tensor x = at::arange(6, at::kFloat).reshape({2, 3});
  CHECK(at::equal(call(find("add", "Tensor"), {value(x), value(x)})[0], 2 * x));
  const auto both = call(find("max", "dim"), {value(x), value(int64_t{1})}, 2);
  CHECK(both[0].sum().item<double>() == 7);
  CHECK(both[1].sum().item<int64_t>() == 4);
  CHECK(call(find("split", "Tensor"), {value(x), value(int64_t{1})}, 2)[1].sum().item<double>() == 12);
  CHECK_THAT(ops().schema(nullptr, find("add", "Tensor")), ContainsSubstring("Scalar alpha=1"));
}

TEST_CASE("gradients flow through operators to parameters") {
  float data[] = {1, 2, 3};
  int64_t shape[] = {3};
  levin_view view{data, {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 32, 1}, shape, nullptr, 0};
  levin_tensor* handle = nullptr;
  REQUIRE(ops().parameter(nullptr, &view, &handle) == LEVIN_OK);
  const at::Tensor parameter = own(handle);
  data[0] = 100;  // the parameter is a copy
  levin_tensor* grad = nullptr;
  CHECK(ops().grad(nullptr, borrow(parameter), &grad) == LEVIN_E_NOT_FOUND);
  const at::Tensor square = call(find("mul", "Tensor"), {value(parameter), value(parameter)})[0];
  call(find("sum"), {value(square)})[0].backward();
  REQUIRE(ops().grad(nullptr, borrow(parameter), &grad) == LEVIN_OK);
  CHECK(own(grad).sum().item<double>() == 12);
}

TEST_CASE("mistakes are said in words") {
  const at::Tensor x = at::ones({2});
  levin_op* op = nullptr;
  CHECK(ops().find(nullptr, "no_such_operator", "", &op) < 0);
  CHECK_THAT(service_failure(), ContainsSubstring("no operator 'aten::no_such_operator'"));
  CHECK_THAT(refusal(find("add", "Tensor"), {value(x)}), ContainsSubstring("argument 'other' is missing"));
  CHECK_THAT(refusal(find("relu"), {value(x), value(x)}), ContainsSubstring("takes 1 arguments, and 2 were given"));
  CHECK_THAT(refusal(find("relu"), {value(x)}, 2), ContainsSubstring("returns 1 tensors, and 2 were requested"));
  CHECK_THAT(refusal(find("softmax", "int"), {value(x), value(0.5)}), ContainsSubstring("argument 'dim'"));
  CHECK_FALSE(refusal(find("mm"), {value(x), value(x)}).empty());
  CHECK_FALSE(refusal(find("relu"), {value(int64_t{1})}).empty());
}
