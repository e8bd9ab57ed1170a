// LibTorch datasets as data modules, with their transforms and collations.
#include "levin/dataset.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <torch/data/datasets/stateful.h>
#include <torch/data/datasets/tensor.h>
#include <torch/data/transforms/lambda.h>

#include "levin/random_split.hpp"

// LibTorch headers also define CHECK, so Catch2 is included after them.
#include "catch.hpp"
#include "levin/testing.hpp"

using levin::Split;
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Rows;
namespace data = torch::data;

namespace {

// Row i is {i, i + 0.5}, of class i % 3.
struct Counting : data::datasets::Dataset<Counting> {
  size_t rows;
  explicit Counting(size_t n) : rows(n) {}
  data::Example<> get(size_t i) override {
    return {at::arange(2, at::kFloat) / 2 + static_cast<double>(i),
            at::full({}, static_cast<int64_t>(i % 3), at::kLong)};
  }
  torch::optional<size_t> size() const override { return rows; }
};

torch::optional<Counting> plain(Split split) {
  if (split == Split::predict) return {};
  return Counting(split == Split::train ? 5 : 2);
}
const levin_component of_function = levin::dataset<plain, 3>("plain", "for tests");

// Doubled rows, stacked by its own collation; split randomly.
struct Doubled {
  static constexpr levin_option options[] = {levin::number("factor", "2", "", 0, 99)};
  static constexpr bool concurrent = true;
  const double factor;
  explicit Doubled(const levin::Args& o) : factor(o.number("factor")) {}
  std::vector<levin::Field> fields() {
    return {levin::input("pixels", levin::float32, {2}), levin::target("label", 3)};
  }
  auto dataset(Split split) {
    const auto parts = levin::random_split(8, {6, 2}, 1);
    return levin::subset(Counting(8), parts[split == Split::train ? 0 : 1])
        .map(data::transforms::Lambda<data::Example<>>(
            [this](data::Example<> e) { return data::Example<>(e.data * factor, e.target); }))
        .map(data::transforms::Stack<>());
  }
};
const levin_component of_class = levin::dataset<Doubled>("doubled", "for tests");

// Five rows per epoch.
struct Ticks : data::datasets::StatefulDataset<Ticks, std::vector<at::Tensor>> {
  size_t left = 0;
  torch::optional<std::vector<at::Tensor>> get_batch(size_t n) override {
    n = std::min(n, left);
    left -= n;
    if (n == 0) return torch::nullopt;
    return std::vector<at::Tensor>{at::full({static_cast<int64_t>(n)}, 1.0, at::kFloat)};
  }
  void reset() override { left = 5; }
  torch::optional<size_t> size() const override { return torch::nullopt; }
  void save(torch::serialize::OutputArchive&) const override {}
  void load(torch::serialize::InputArchive&) override {}
};
Ticks ticks(Split) { return {}; }
const levin_component of_stream = levin::dataset<ticks>("ticks", "for tests");

struct Unlabelled {
  auto dataset(Split) { return data::datasets::TensorDataset(at::arange(6, at::kDouble).reshape({3, 2})); }
};
const levin_component of_tensor = levin::dataset<Unlabelled>("tensor", "for tests");

std::vector<double> numbers(const Rows& rows, size_t field) {
  std::vector<double> out;
  for (int64_t i = 0; i < levin::testing::element_count(rows.views.at(field)); ++i) out.push_back(rows.at(field, i));
  return out;
}

}  // namespace

TEST_CASE("a function that makes datasets is a data module in one line") {
  FakeHost host;
  Component module(host, of_function);
  const levin_split train = levin::testing::describe(module, Split::train);
  CHECK(train.rows == 5);
  REQUIRE(train.n_fields == 2);
  CHECK(std::string(train.fields[0].name) == "x");
  CHECK(train.fields[0].shape[0] == 2);
  CHECK(train.fields[1].role == LEVIN_ROLE_TARGET);
  CHECK(train.fields[1].ndim == 0);
  CHECK(train.fields[1].classes == 3);
  CHECK(levin::testing::describe(module, Split::val).rows == 2);
  CHECK_THROWS_AS(levin::testing::describe(module, Split::predict), levin::Error);
  const Rows rows = levin::testing::batch(module, Split::train, {4, 1});
  CHECK(numbers(rows, 0) == std::vector<double>{4, 4.5, 1, 1.5});
  CHECK(numbers(rows, 1) == std::vector<double>{1, 1});
}

TEST_CASE("a class has options, transforms, a collation and a part of the rows") {
  FakeHost host;
  Component module(host, of_class, {{"factor", 10}});
  CHECK((module.description().flags & LEVIN_F_CONCURRENT) != 0);
  CHECK(std::string(levin::testing::describe(module, Split::train).fields[0].name) == "pixels");
  CHECK(levin::testing::describe(module, Split::train).rows == 6);
  std::vector<double> seen;
  for (const Split split : {Split::train, Split::val})
    for (int64_t i = 0; i < levin::testing::describe(module, split).rows; ++i)
      seen.push_back(numbers(levin::testing::batch(module, split, {i}), 0)[0]);
  std::sort(seen.begin(), seen.end());
  CHECK(seen == std::vector<double>{0, 10, 20, 30, 40, 50, 60, 70});
}

TEST_CASE("a stateful dataset is a stream that is asked for batches of a size") {
  FakeHost host;
  Component module(host, of_stream);
  CHECK(levin::testing::describe(module, Split::train).rows == -1);
  for (int epoch = 0; epoch < 2; ++epoch) {
    levin::testing::rewind(module, Split::train, 3);
    CHECK(numbers(*levin::testing::next(module, Split::train, 3), 0).size() == 3);
    CHECK(numbers(*levin::testing::next(module, Split::train, 3), 0).size() == 2);
    CHECK_FALSE(levin::testing::next(module, Split::train, 3));
  }
}

TEST_CASE("a dataset without targets has one field") {
  FakeHost host;
  Component module(host, of_tensor);
  const levin_split train = levin::testing::describe(module, Split::train);
  REQUIRE(train.n_fields == 1);
  CHECK(train.fields[0].dtype.bits == 64);
  CHECK(numbers(levin::testing::batch(module, Split::train, {2, 0}), 0) == std::vector<double>{4, 5, 0, 1});
}
