// The output of a data module is checked against its description before it is used.
#include <ATen/core/Tensor.h>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/data/loader.hpp"
#include "core/data/source/label_check.hpp"
#include "tests/data/handing_module.hpp"
#include "tests/data/toy_data.hpp"

using namespace levin::core;
using Tensors = std::vector<levin_managed*>;

namespace {

LoaderOptions pairs() {
  LoaderOptions options;
  options.batch_size = 2;
  options.seed = 11;
  return options;
}

// Returns the error of the first batch; "" if it is accepted.
std::string first_batch(HandingModule& module, LoaderOptions options = pairs()) {
  const DataModule data = module.module();
  try {
    Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options);
    loader.begin_epoch(3);
    loader.next();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// Returns the error text after the place. `break_it` modifies a valid tensor y.
template <class F>
std::string with_broken(F&& break_it) {
  HandingModule module(-1);
  module.by_next();
  module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
    HandingModule::Tensor& y = module.y(2);
    break_it(y.raw, y);
    batch = {&module.x(2).raw, &y.raw};
    return LEVIN_OK;
  };
  const std::string said = first_batch(module);
  for (const auto& t : module.made) CHECK(t.deleted == 1);
  const std::string place = "libhands.so: hands.next: split train, field 'y': ";
  INFO(said);
  CHECK(said.compare(0, place.size(), place) == 0);
  return said.substr(std::min(said.size(), place.size()));
}

}  // namespace

TEST_CASE("a tensor that is not what the field says is told with what was wanted and what came") {
  using Tensor = HandingModule::Tensor;
  CHECK(with_broken([](levin_managed& m, Tensor&) {
          m.view.dtype = {LEVIN_INT, 32, 1};
        }) == "wanted int64 [2], got int32 [2]");
  CHECK(with_broken([](levin_managed& m, Tensor& t) {
          t.shape = {2, 1};
          m.view.shape = t.shape.data();
          m.view.ndim = 2;
        }) == "wanted int64 [2], got int64 [2, 1]");
  CHECK(with_broken([](levin_managed&, Tensor& t) { t.shape[0] = 1; }) == "wanted int64 [2], got int64 [1]");
  CHECK(with_broken([](levin_managed& m, Tensor&) { m.view.ndim = 0; }) == "wanted int64 [2], got int64 []");
  CHECK(with_broken([](levin_managed& m, Tensor&) { m.view.ndim = -3; }) ==
        "wanted int64 [2], got a tensor of -3 dimensions");
  CHECK(with_broken([](levin_managed& m, Tensor&) { m.view.data = nullptr; }) == "'data' is null");
  CHECK(with_broken([](levin_managed& m, Tensor&) { m.view.shape = nullptr; }) == "'shape' is null");
  CHECK(with_broken([](levin_managed& m, Tensor&) { m.major = 7; }) ==
        "its layout is of DLPack 7; 'major' has to be 1");
  CHECK_THAT(with_broken([](levin_managed& m, Tensor& t) {
               t.strides = {-1};
               m.view.strides = t.strides.data();
             }),
             ContainsSubstring("stride 0 is negative"));
  CHECK_THAT(with_broken([](levin_managed& m, Tensor&) {
               m.view.device = {13, 0};
             }),
             ContainsSubstring("device type 13"));
  CHECK_THAT(with_broken([](levin_managed& m, Tensor&) {
               m.view.device = {LEVIN_CUDA, 1000};
             }),
             ContainsSubstring("device type 2, number 1000"));
}

TEST_CASE("too few and too many tensors, null pointers and a tensor that comes twice are told and given back") {
  struct Case {
    std::function<Tensors(HandingModule&)> batch;
    const char* says;
  };
  const Case cases[] = {
      {[](HandingModule& m) { return Tensors{&m.x(2).raw}; },
       "split train: returned 1 tensors, and a row has 2 fields"},
      {[](HandingModule& m) {
         return Tensors{&m.x(2).raw, &m.y(2).raw, &m.y(2).raw};
       },
       "returned 3 tensors, and a row has 2 fields"},
      {[](HandingModule& m) {
         return Tensors{&m.x(2).raw, nullptr};
       },
       "field 'y': returned a null pointer"},
      {[](HandingModule& m) {
         levin_managed* const x = &m.x(2).raw;
         return Tensors{x, x};
       },
       "field 'y': the host already has its levin_managed"},
      {[](HandingModule& m) {
         return Tensors{&m.x(3).raw, &m.y(2).raw};
       },
       "field 'y': wanted int64 [3], got int64 [2]"},
      {[](HandingModule& m) {
         return Tensors{&m.tensor({0, 2}, LEVIN_FLOAT, 32).raw, &m.y(0).raw};
       },
       "a batch of 0 rows"},
  };
  for (const Case& c : cases) {
    HandingModule module(-1);
    module.by_next();
    module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
      batch = c.batch(module);
      return LEVIN_OK;
    };
    CHECK_THAT(first_batch(module), ContainsSubstring("libhands.so: hands.next: ") && ContainsSubstring(c.says));
    for (const auto& t : module.made) CHECK(t.deleted == 1);
  }
}

TEST_CASE("a tensor that the host still has is not taken a second time") {
  HandingModule module(-1);
  module.by_next();
  HandingModule::Tensor &x = module.x(2), &y = module.y(2);
  module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
    batch = {&x.raw, &y.raw};
    return LEVIN_OK;
  };
  {
    const DataModule data = module.module();
    Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), pairs());
    loader.begin_epoch(0);
    REQUIRE(loader.next());
    CHECK_THROWS_WITH(loader.next(), ContainsSubstring("field 'x': the host already has its levin_managed"));
    CHECK(x.deleted == 0);
  }
  CHECK(x.deleted == 1);
  CHECK(y.deleted == 1);
}

TEST_CASE("a stream gets the batch size, the epoch and the seed of its run") {
  HandingModule module(-1);
  module.by_next();
  module.table.rewind = [](void* self, const levin_fill* in) -> levin_status {
    static_cast<HandingModule*>(self)->told.push_back(*in);
    return LEVIN_OK;
  };
  module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
    batch = {&module.x(2).raw, &module.y(2, 2).raw};
    return LEVIN_OK;
  };
  CHECK(first_batch(module) == "");
  REQUIRE(module.told.size() == 2);
  for (const levin_fill& told : module.told) {
    CHECK(told.n == 2);
    CHECK(told.epoch == 3);
    CHECK(told.seed == 11);
    CHECK(told.indices == nullptr);
  }
}

TEST_CASE("a stream may have larger batches only where the user did not ask for a size") {
  HandingModule module(-1);
  module.by_next();
  module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
    batch = {&module.x(5).raw, &module.y(5).raw};
    return LEVIN_OK;
  };
  CHECK(first_batch(module) == "");
  LoaderOptions given = pairs();
  given.batch_size_given = true;
  CHECK_THAT(first_batch(module, given), ContainsSubstring("a batch has 5 rows, and the option asks for 2") &&
                                             ContainsSubstring("leave --data.batch_size out"));
}

TEST_CASE("batches that are made from indices have as many rows") {
  HandingModule module(5);
  module.by_batch();
  int64_t rows = 2;
  module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
    batch = {&module.x(rows).raw, &module.y(rows).raw};
    return LEVIN_OK;
  };
  CHECK(first_batch(module) == "");
  rows = 3;
  CHECK_THAT(first_batch(module),
             ContainsSubstring("hands.batch: split train, field 'x': wanted float32 [2, 2], got float32 [3, 2]"));
}

TEST_CASE("rows that differ in shape come in batches of any length, padded by the module") {
  HandingModule module(4);
  module.by_batch();
  module.fields[0].shape[0] = -1;
  module.make = [&](const levin_fill& in, Tensors& batch) -> levin_status {
    batch = {&module.tensor({in.n, 7 + in.indices[0]}, LEVIN_FLOAT, 32).raw, &module.y(in.n).raw};
    return LEVIN_OK;
  };
  const DataModule data = module.module();
  Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), pairs());
  loader.begin_epoch(0);
  CHECK(loader.next()->tensors[0].size(1) == 7);
  CHECK(loader.next()->tensors[0].size(1) == 9);
  CHECK_FALSE(loader.next());
  module.table.batch = nullptr;
  module.by_resident();
  CHECK_THAT(first_batch(module), ContainsSubstring("rows differ in shape (-1)") && ContainsSubstring("'batch'"));
}

TEST_CASE("a whole split is held against the fields once") {
  HandingModule module(4);
  module.by_resident();
  int64_t rows = 4, label = 2;
  module.make = [&](const levin_fill&, Tensors& batch) -> levin_status {
    batch = {&module.x(rows).raw, &module.y(rows, label).raw};
    return LEVIN_OK;
  };
  CHECK(first_batch(module) == "");
  label = 3;
  CHECK_THAT(first_batch(module), ContainsSubstring("hands.resident: split train, field 'y': row 0 of the") &&
                                      ContainsSubstring("is 3, and there are 3 classes"));
  rows = 5;
  CHECK_THAT(first_batch(module), ContainsSubstring("wanted float32 [4, 2], got float32 [5, 2]"));
}

TEST_CASE("a label that names no class is told with its row") {
  for (const int64_t label : {int64_t{3}, int64_t{-1}, int64_t{1} << 40, ignored_label}) {
    HandingModule module(6);
    module.by_batch();
    module.make = [&](const levin_fill& in, Tensors& batch) -> levin_status {
      HandingModule::Tensor& y = module.y(in.n);
      y.numbers[1] = label;
      batch = {&module.x(in.n).raw, &y.raw};
      return LEVIN_OK;
    };
    const std::string said = first_batch(module);
    if (label == ignored_label) {
      CHECK(said == "");
      continue;
    }
    CHECK_THAT(said, ContainsSubstring("libhands.so: hands.batch: split train, field 'y': row 1 is " +
                                       std::to_string(label) + ", and there are 3 classes"));
  }
}

TEST_CASE("descriptions that no batch could follow are refused") {
  struct Case {
    std::function<void(HandingModule&)> change;
    const char* says;
  };
  static const char* const names[] = {"a", nullptr, "c"};
  const Case cases[] = {
      {[](HandingModule& m) { m.fields[1].name = "x"; }, "two fields are called 'x'"},
      {[](HandingModule& m) { m.rows = -2; }, "there are -2 rows"},
      {[](HandingModule& m) { m.rows = INT64_MAX; }, "there are 9223372036854775807 rows"},
      {[](HandingModule& m) { m.fields[0].ndim = 7; }, "field 0 'x': has 7 dimensions"},
      {[](HandingModule& m) { m.fields[0].shape[0] = -5; }, "field 0 'x': has the size -5 in dimension 0"},
      {[](HandingModule& m) { m.fields[0].shape[0] = 0; }, "field 0 'x': has the size 0 in dimension 0"},
      {[](HandingModule& m) { m.fields[0].classes = 3; },
       "field 0 'x': names classes, but is neither of an integer type nor of probabilities"},
      {[](HandingModule& m) { m.fields[1].classes = -1; }, "field 1 'y': has -1 classes"},
      {[](HandingModule& m) { m.fields[1].class_names = names; }, "no name for class 1"},
      {[](HandingModule& m) { m.fields[1].dtype.bits = 12; }, "field 1 'y': LibTorch has no element type"},
      {[](HandingModule& m) { m.fields.clear(); }, "a row has no fields"},
  };
  for (const Case& c : cases) {
    HandingModule module(4);
    module.by_batch();
    c.change(module);
    const DataModule data = module.module();
    CHECK_THROWS_WITH(data.describe(LEVIN_TRAIN, 0),
                      ContainsSubstring("libhands.so: hands.describe: ") && ContainsSubstring(c.says));
  }
}

TEST_CASE("sizes that no machine holds are told before anybody asks for the memory") {
  ToyData toy(int64_t{1} << 50);
  const DataModule data = toy.module();
  const auto loader = [&](int64_t batch_size) {
    LoaderOptions options;
    options.batch_size = batch_size;
    return Loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options).size();
  };
  CHECK_THROWS_WITH(loader(2), ContainsSubstring("the order of 1125899906842624 rows would need 8388608.0 GiB"));
  CHECK_THROWS_WITH(loader(int64_t{1} << 45), ContainsSubstring("a batch of 35184372088832 rows of 8 bytes would need "
                                                                "262144.0 GiB, and this machine has "));
  toy.toy.rows = 5;
  CHECK(loader(INT64_MAX) == 1);  // one batch of all rows
}

TEST_CASE("rows are looked at by their index while an epoch goes on") {
  for (const bool concurrent : {true, false}) {
    ToyData toy(10, concurrent);
    const DataModule data = toy.module();
    LoaderOptions options = pairs();
    options.num_workers = 2;
    Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options);
    loader.begin_epoch(0);
    REQUIRE(loader.next());
    const Batch rows = loader.rows({7, 7, 0}, 0);
    const float* x = rows.tensors[0].data_ptr<float>();
    CHECK(std::vector<float>(x, x + 6) == std::vector<float>{7, 70, 7, 70, 0, 0});
    CHECK(rows.raw()->sample_ids[1] == 7);
    CHECK_THROWS_WITH(loader.rows({10}, 0), ContainsSubstring("split train has no row 10: it has 10"));
    CHECK(loader.next()->sample_ids == std::vector<int64_t>{2, 3});
  }
}
