#include "core/abi/tensor_handle.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include "catch.hpp"
#include "core/abi/breadcrumb.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

TEST_CASE("handles count references as they say") {
  const at::Tensor tensor = at::arange(4);
  levin_tensor* borrowed = borrow(tensor);
  CHECK(tensor.use_count() == 1);
  {
    const at::Tensor second = retain(borrowed);
    CHECK(second.is_same(tensor));
    CHECK(tensor.use_count() == 2);
  }
  levin_tensor* handed = release(tensor);
  CHECK(tensor.use_count() == 2);
  CHECK(own(handed).is_same(tensor));
  CHECK(tensor.use_count() == 1);
  CHECK(borrow(at::Tensor()) == nullptr);
}

TEST_CASE("every element type goes through a view and back") {
  for (const at::ScalarType type :
       {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong}) {
    const at::Tensor tensor = at::arange(6, type).reshape({2, 3});
    const at::Tensor transposed = tensor.t();
    const at::Tensor copy = copy_of(view_of(transposed));
    CHECK(copy.scalar_type() == type);
    CHECK(at::equal(copy.to(at::kDouble), transposed.to(at::kDouble)));
    CHECK(scalar_type(dtype_of(type)) == type);
  }
  CHECK_THROWS_WITH(scalar_type({LEVIN_FLOAT, 24, 1}), ContainsSubstring("24 bits"));
  CHECK_THROWS_WITH(scalar_type({LEVIN_FLOAT, 32, 4}), ContainsSubstring("4 lanes"));
}

TEST_CASE("a managed tensor is not copied, and its deleter runs with the last reference") {
  static int deleted;
  static std::string running;
  deleted = 0;
  float data[] = {1, 2, 3};
  int64_t shape[] = {2};
  levin_managed managed{};
  managed.view = {data, {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 32, 1}, shape, nullptr, sizeof(float)};
  managed.deleter = [](levin_managed*) {
    ++deleted;
    running = std::string(breadcrumb.plugin) + ": " + breadcrumb.instance + "." + breadcrumb.call;
  };
  at::Tensor tensor = adopt(&managed, {"libx.so", "x"});
  CHECK(tensor.data_ptr() == data + 1);
  at::Tensor part = tensor.narrow(0, 1, 1);
  tensor.reset();
  CHECK(deleted == 0);
  CHECK(part.item<double>() == 3);
  part.reset();
  CHECK(deleted == 1);
  CHECK(running == "libx.so: x.deleter");
  CHECK(breadcrumb.plugin == nullptr);
}
