#include "core/abi/handle_table.hpp"

#include <ATen/ops/arange.h>

#include "catch.hpp"
#include "core/abi/plugin_watch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

TEST_CASE("a handle may be used while its tensor lives, and its address is not that of another one afterwards") {
  HandleTable table;
  at::Tensor tensor = at::arange(3);
  levin_tensor* handle = borrow(tensor);
  CHECK_THAT(table.use(handle, true), ContainsSubstring("the host did not give it this handle"));
  CHECK(table.use(handle, false).empty());
  table.lend(handle);
  CHECK(table.use(handle, true).empty());
  tensor.reset();
  CHECK_THAT(table.use(handle, false),
             ContainsSubstring("the tensor (Long [3]) is gone: it was lent for an earlier call"));
  for (int i = 0; i < 100; ++i) CHECK(borrow(at::arange(3)) != handle);
  CHECK_THAT(table.use(nullptr, false), ContainsSubstring("NULL"));
}

TEST_CASE("only references that a plugin holds can be handed back, and what it holds is counted") {
  HandleTable table;
  const at::Tensor tensor = at::arange(3);
  levin_tensor* handle = borrow(tensor);
  table.hand_over(handle, "a.so");
  table.hand_over(handle, "a.so");
  CHECK_THAT(table.hand_back(handle, "b.so", "b.so: y.call", true), ContainsSubstring("is borrowed; retain it first"));
  CHECK(table.hand_back(handle, "a.so", "a.so: x.first", true).empty());
  CHECK(table.held_by("a.so") == std::map<std::string, int64_t>{{"Long [3]", 1}});
  CHECK(table.hand_back(handle, "a.so", "a.so: x.second", true).empty());
  CHECK(table.held_by("a.so").empty());
  CHECK_THAT(table.hand_back(handle, "a.so", "a.so: x.third", true),
             ContainsSubstring("released its last one in a.so: x.second"));
}

TEST_CASE("what a watched plugin does wrong is told at once, and again when its call returns") {
  PluginWatch watch;
  watch.portable("a.so");
  const BlameScope blame("a.so", "on_fit_start", "x");
  at::Tensor tensor = at::arange(3);
  levin_tensor* handle = borrow(tensor);
  tensor.reset();
  CHECK_THROWS_WITH(retain(handle), ContainsSubstring("a.so: x.on_fit_start: uses a tensor that it must not"));
  CHECK_THROWS_WITH(watch.returned(), ContainsSubstring("a.so: x.on_fit_start"));
  CHECK_NOTHROW(watch.returned());
}
