// Rows provided by a class: one by one with their own random numbers, ragged, a whole split, a stream.
#include "catch.hpp"
#include "levin/data_module.hpp"
#include "levin/testing.hpp"

using levin::Split;
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Rows;

namespace {

struct Noisy : levin::DataModule {
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float64, {})}; }
  int64_t rows(Split) { return 9; }
  void get(Split, int64_t index, levin::Row& row, const levin::Draw& draw) {
    CHECK(draw.index == index);
    row.data<double>(0)[0] = draw.random().uniform();
  }
};
const levin_component noisy_rows = levin::data_module<Noisy>("noisy", "for tests");

// Row i is a sentence of i + 1 words, with a label for each word, and a number.
struct Words : levin::DataModule {
  static constexpr levin_option options[] = {levin::text("fault", "\"\"", "what goes wrong")};
  const std::string fault;
  explicit Words(const levin::Args& o) : fault(o.text("fault")) {}
  std::vector<levin::Field> fields() {
    levin::Field labels = levin::target("labels", 5);
    labels.shape = {-1};
    labels.padding = -100;
    return {levin::input("words", levin::float32, {-1, 2}), labels, levin::input("length", levin::int64, {})};
  }
  int64_t rows(Split) { return 4; }
  int64_t row_length(Split, int64_t index) {
    if (fault == "length") throw levin::Error(LEVIN_E_IO, "no length");
    return index + 1;
  }
  void get(Split, int64_t index, levin::Sample& row) {
    const int64_t n = index + 1;
    float* words = row.resize<float>(0, {n, fault == "shape" ? 3 : 2});
    for (int64_t i = 0; i < 2 * n; ++i) words[i] = static_cast<float>(10 * index + i);
    if (fault != "missing") row.set(1, std::vector<int64_t>(static_cast<size_t>(n), index));
    if (fault == "type") row.set(2, 1.5);
    row.set(fault == "name" ? "size" : "length", n);
  }
};
const levin_component words = levin::data_module<Words>("words", "for tests");

// Accesses its fields by name.
struct FieldsByName : levin::DataModule {
  static constexpr levin_option options[] = {levin::text("field", "\"y\"", "which is written")};
  const std::string field;
  explicit FieldsByName(const levin::Args& o) : field(o.text("field")) {}
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {2}), levin::target("y", 9)}; }
  int64_t rows(Split) { return 4; }
  void get(Split, int64_t index, levin::Row& row) {
    row.data<float>("x")[1] = static_cast<float>(index);
    row.data<float>(size_t{0})[0] = -1;
    *row.data<int64_t>(field) = index;
  }
};
const levin_component named_fields = levin::data_module<FieldsByName>("named_fields", "for tests");

struct Joined : Words {
  using Words::Words;
  void collate(const std::vector<levin::Sample>& rows, std::vector<levin_managed*>& batch) {
    std::vector<int64_t> lengths;
    for (const levin::Sample& row : rows) lengths.push_back(row.data<int64_t>("length")[0]);
    const auto n = static_cast<int64_t>(rows.size());
    batch = {levin::managed(lengths, {n})};
    if (fault == "throws") throw levin::Error(LEVIN_E_INVALID, "no batch");
  }
};
const levin_component joined_words = levin::data_module<Joined>("joined", "for tests");

struct Whole : levin::DataModule {
  std::vector<levin::Field> fields() { return {levin::input("x", levin::uint8, {2})}; }
  int64_t rows(Split) { return 2; }
  void resident(Split split, std::vector<levin_managed*>& all) {
    all = {levin::managed<uint8_t>({1, 2, 3, static_cast<uint8_t>(split)}, {2, 2})};
  }
};
const levin_component whole_split = levin::data_module<Whole>("whole", "for tests");

struct Told : levin::DataModule {
  int64_t left = 0;
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {})}; }
  int64_t rows(Split) { return -1; }
  void rewind(const levin::Fill& in) { left = in.epoch + static_cast<int64_t>(in.seed); }
  bool next(const levin::Fill& in, std::vector<levin_managed*>& batch) {
    if (left <= 0) return false;
    const int64_t n = std::min(left, in.n);
    batch = {levin::managed<float>(std::vector<float>(static_cast<size_t>(n), 1), {n})};
    left -= n;
    return true;
  }
};
const levin_component told = levin::data_module<Told>("told", "for tests");

struct Untold : Told {
  bool next(Split, std::vector<levin_managed*>&) { return false; }
};
const levin_component untold = levin::data_module<Untold>("untold", "for tests");

std::vector<double> numbers(const Rows& rows, size_t field) {
  std::vector<double> out;
  for (int64_t i = 0; i < levin::testing::element_count(rows.views.at(field)); ++i) out.push_back(rows.at(field, i));
  return out;
}

}  // namespace

TEST_CASE("a row's random numbers are its own, and the same in every batch") {
  FakeHost host;
  Component data(host, noisy_rows);
  const auto of = [&](std::vector<int64_t> indices, int64_t epoch, uint64_t seed) {
    return numbers(levin::testing::fill(data, Split::train, indices, epoch, seed), 0);
  };
  const std::vector<double> all = of({0, 1, 2}, 4, 5);
  CHECK(all[0] != all[1]);
  CHECK(of({2}, 4, 5)[0] == all[2]);
  CHECK(of({2}, 5, 5)[0] != all[2]);
  CHECK(of({2}, 4, 6)[0] != all[2]);
}

TEST_CASE("a row's fields are found by name, as by number") {
  FakeHost host;
  Component data(host, named_fields), mistaken(host, named_fields, {{"field", "z"}});
  const Rows rows = levin::testing::fill(data, Split::train, {2, 3}, 0, 0);
  CHECK(numbers(rows, 0) == std::vector<double>{-1, 2, -1, 3});
  CHECK(numbers(rows, 1) == std::vector<double>{2, 3});
  CHECK_THROWS_WITH(levin::testing::fill(mistaken, Split::train, {2}, 0, 0), "a row has no field 'z'; it has: x, y");
}

TEST_CASE("ragged rows are padded to the longest of their batch") {
  FakeHost host;
  Component data(host, words);
  const Rows rows = levin::testing::batch(data, Split::train, {0, 2});
  CHECK(rows.shapes == std::vector<std::vector<int64_t>>{{2, 3, 2}, {2, 3}, {2}});
  CHECK(numbers(rows, 0) == std::vector<double>{0, 1, 0, 0, 0, 0, 20, 21, 22, 23, 24, 25});
  CHECK(numbers(rows, 1) == std::vector<double>{0, -100, -100, 2, 2, 2});
  CHECK(numbers(rows, 2) == std::vector<double>{1, 3});
  CHECK(data.table<levin_data>().fill == nullptr);
}

TEST_CASE("a ragged row says all of its fields, in types and shapes that they have") {
  FakeHost host;
  const std::pair<const char*, const char*> faults[] = {
      {"shape", "field 0 ('words') of a row is of shape [-1, 2] in fields(), and was given one of [1, 3]"},
      {"missing", "field 1 ('labels') of a row was not given"},
      {"name", "a row has no field 'size'; it has: words, labels, length"},
      {"type", "field 2 ('length') of a row is of int64, and was given numbers of float64"}};
  for (const auto& [fault, text] : faults) {
    Component data(host, words, {{"fault", fault}});
    CHECK_THROWS_WITH(levin::testing::batch(data, Split::train, {0}), text);
  }
}

TEST_CASE("a ragged row's length is given without reading the row") {
  FakeHost host;
  Component data(host, words), failing(host, words, {{"fault", "length"}}), plain(host, noisy_rows);
  const auto* table = static_cast<const levin_row_lengths*>(data.extension(LEVIN_ROW_LENGTHS));
  REQUIRE(table);
  std::vector<int64_t> lengths(4);
  REQUIRE(table->lengths(data.self(), LEVIN_TRAIN, 0, 4, lengths.data()) == LEVIN_OK);
  CHECK(lengths == std::vector<int64_t>{1, 2, 3, 4});
  CHECK(table->lengths(failing.self(), LEVIN_TRAIN, 0, 4, lengths.data()) == LEVIN_E_IO);
  CHECK(plain.extension(LEVIN_ROW_LENGTHS) == nullptr);
}

TEST_CASE("a class collates rows in a way of its own") {
  FakeHost host;
  Component data(host, joined_words), failing(host, joined_words, {{"fault", "throws"}});
  CHECK(numbers(levin::testing::batch(data, Split::train, {3, 1}), 0) == std::vector<double>{4, 2});
  CHECK_THROWS_WITH(levin::testing::batch(failing, Split::train, {3, 1}), "no batch");
}

TEST_CASE("a class hands a whole split over") {
  FakeHost host;
  Component data(host, whole_split);
  CHECK(numbers(levin::testing::resident(data, Split::val), 0) == std::vector<double>{1, 2, 3, 1});
}

TEST_CASE("a stream is told how many rows are wanted, the epoch and the seed") {
  FakeHost host;
  Component data(host, told);
  levin::testing::rewind(data, Split::train, 4, 2, 3);
  CHECK(numbers(*levin::testing::next(data, Split::train, 4), 0).size() == 4);
  CHECK(numbers(*levin::testing::next(data, Split::train, 4), 0).size() == 1);
  CHECK_FALSE(levin::testing::next(data, Split::train, 4));
  CHECK(data.table<levin_data>().dataloader == nullptr);
}

TEST_CASE("a stream that is not told how many rows are wanted says so") {
  FakeHost host;
  Component data(host, untold);
  levin_loader loader{};
  loader.size = sizeof loader;
  loader.batch_size = 32;
  data.check(data.table<levin_data>().dataloader(data.self(), &loader));
  CHECK(loader.batch_size == 0);
}
