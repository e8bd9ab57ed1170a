// The run's data, as callbacks see it.
#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "tests/services/service_scene.hpp"

using namespace levin::core;

TEST_CASE("a callback counts loaders, and sees what their rows are") {
  ToyNet net;
  ServiceScene scene(net, 6, 4);
  const levin_run_data& data = *run_data_service();
  uint32_t n = 9;
  CHECK(data.loaders(&scene.run, LEVIN_VAL, &n) == LEVIN_OK);
  CHECK(n == 1);
  CHECK(data.loaders(&scene.run, LEVIN_PREDICT, &n) == LEVIN_OK);
  CHECK(n == 0);
  CHECK(data.loaders(&scene.run, 77, &n) == LEVIN_OK);
  CHECK(n == 0);
  levin_split split{}, again{};
  split.size = again.size = sizeof split;
  REQUIRE(data.describe(&scene.run, LEVIN_VAL, 0, &split) == LEVIN_OK);
  CHECK(split.rows == 4);
  REQUIRE(split.n_fields == 1);
  CHECK(std::string(split.fields[0].name) == "x");
  CHECK(split.fields[0].shape[0] == 2);
  REQUIRE(data.describe(&scene.run, LEVIN_VAL, 0, &again) == LEVIN_OK);
  CHECK(again.fields == split.fields);
  CHECK(data.describe(&scene.run, LEVIN_VAL, 1, &split) == LEVIN_E_NOT_FOUND);
  CHECK(service_failure() == "the data has no loader 1 of split val");
  CHECK(data.describe(&scene.run, 77, 0, &split) == LEVIN_E_NOT_FOUND);
}

TEST_CASE("a callback gets rows by their index") {
  ToyNet net;
  ServiceScene scene(net, 6, 4);
  const levin_run_data& data = *run_data_service();
  const int64_t rows[] = {3, 0, 3}, wrong[] = {4};
  levin_tensor* out[2] = {};
  uint32_t n = 0;
  REQUIRE(data.rows(&scene.run, LEVIN_VAL, 0, rows, 3, out, 2, &n) == LEVIN_OK);
  REQUIRE(n == 1);
  const at::Tensor x = own(out[0]);
  CHECK(x.sizes() == at::IntArrayRef({3, 2}));
  CHECK(x.data_ptr<float>()[0] == 3);
  CHECK(x.data_ptr<float>()[2] == 0);
  CHECK(data.rows(&scene.run, LEVIN_VAL, 0, wrong, 1, out, 2, &n) == LEVIN_E_INVALID);
  CHECK(service_failure() == "split val has no row 4: it has 4 rows, numbered from 0");
  CHECK(data.rows(&scene.run, LEVIN_VAL, 0, rows, 0, out, 2, &n) == LEVIN_E_INVALID);
  CHECK(data.rows(&scene.run, LEVIN_VAL, 0, rows, 3, out, 0, &n) == LEVIN_E_INVALID);
  CHECK(service_failure() == "a row has 1 fields, and there is room for 0");
  CHECK(data.rows(&scene.run, LEVIN_TEST, 0, rows, 3, out, 2, &n) == LEVIN_E_NOT_FOUND);
  CHECK(data.rows(nullptr, LEVIN_VAL, 0, rows, 3, out, 2, &n) < 0);
}
