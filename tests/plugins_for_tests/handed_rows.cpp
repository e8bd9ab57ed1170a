// C++ data modules for every way of providing rows, and a callback that reads the run's data. The batches equal those
// of the data module "rows": x of four numbers, y of one.
#include <levin/host_tensor.hpp>
#include <levin/levin.hpp>
#include <levin/random_split.hpp>

#include "script.hpp"

namespace {

using levin::Split;
using scripted::record;

constexpr int64_t width = 4;

std::vector<levin::Field> fields() {
  levin::Field y = levin::target("y", 0);
  y.dtype = levin::float32;
  y.shape = {1};
  return {levin::input("x", levin::float32, {width}), y};
}

std::vector<levin_managed*> rows_of_ones(int64_t n) {
  const std::vector<float> x(static_cast<size_t>(n * width), 1), y(static_cast<size_t>(n), 1);
  return {levin::managed(x, {n, width}), levin::managed(y, {n, 1})};
}

// Records the random number of each row.
struct Drawn : levin::DataModule {
  std::vector<levin::Field> fields() { return ::fields(); }
  int64_t rows(Split split) { return split == Split::train ? 4 : 0; }
  void get(Split, int64_t index, levin::Row& row, const levin::Draw& draw) {
    record("drew " + std::to_string(draw.epoch) + " " + std::to_string(index) + " " +
           std::to_string(draw.random().below(1000000)));
    for (int64_t i = 0; i < width; ++i) row.data<float>(0)[i] = 1;
    row.data<float>(1)[0] = 1;
  }
};

struct Batches : levin::DataModule {
  static constexpr levin_option options[] = {levin::text("fault", "\"\"", "what goes wrong")};
  const std::string fault;
  int64_t asked = 0;
  explicit Batches(const levin::Args& o) : fault(o.text("fault")) {}
  std::vector<levin::Field> fields() {
    std::vector<levin::Field> out = ::fields();
    if (fault == "changes") out[0].shape = {4 + ++asked};
    if (fault == "huge") out[0].shape = {int64_t{1} << 40};
    return out;
  }
  int64_t rows(Split split) { return split == Split::predict ? 0 : 4; }
  void batch(const levin::Fill& in, std::vector<levin_managed*>& out) {
    record("batch of " + std::to_string(in.n));
    out = rows_of_ones(in.n + (fault == "rows" ? 1 : 0));
    if (fault == "dtype") out[1]->view.dtype = levin::float64;
    if (fault == "twice") out[0]->deleter(out[0]), out[0] = out[1];
    if (fault == "missing") out[1]->deleter(out[1]), out.pop_back();
    if (fault == "deleter")
      out[1]->deleter = [](levin_managed* self) { *static_cast<volatile int*>(self->ctx = nullptr) = 1; };
    if (fault == "device") out[0]->view.device = {LEVIN_CUDA, 99};
  }
};

struct Whole : levin::DataModule {
  std::vector<levin::Field> fields() { return ::fields(); }
  int64_t rows(Split split) { return split == Split::predict ? 0 : 4; }
  void resident(Split split, std::vector<levin_managed*>& out) {
    record("resident " + std::to_string(static_cast<int>(split)));
    out = rows_of_ones(4);
  }
};

// Its first setup sets a state. It records the state that it gets back, and the process.
struct Known : Whole {
  int64_t known = 0;
  void setup() { known = 7; }
  void save(levin::Writer out) const { out.put("known", known); }
  void load(levin::Reader in) {
    if (!in.get("known", known)) known = -1;
    const char* rank = std::getenv("RANK");
    record(std::string(rank ? rank : "0") + ": knows " + std::to_string(known));
  }
};

// Row i has i + 1 words. Records each row that is read.
struct Ragged : levin::DataModule {
  std::vector<levin::Field> fields() {
    std::vector<levin::Field> out = ::fields();
    out.push_back(levin::input("words", levin::int64, {-1}));
    return out;
  }
  int64_t rows(Split split) { return split == Split::train ? 8 : 0; }
  int64_t row_length(Split, int64_t index) { return index + 1; }
  void get(Split, int64_t index, levin::Sample& row) {
    record("row " + std::to_string(index));
    row.set(0, std::vector<float>(width, 1));
    row.set(1, std::vector<float>{1});
    row.set(2, std::vector<int64_t>(static_cast<size_t>(index + 1), index));
  }
};

struct Stream : levin::DataModule {
  static constexpr levin_option options[] = {
      levin::integer("epochs", "1000", "after which it has no rows any more"),
      levin::text("split", "\"train\"", "the split that is empty then; the others are streams as well")};
  const int64_t epochs;
  const std::string split;
  int64_t left = 0;
  explicit Stream(const levin::Args& o) : epochs(o.integer("epochs")), split(o.text("split")) {}
  std::vector<levin::Field> fields() { return ::fields(); }
  int64_t rows(Split of) { return of == Split::train || (of == Split::val && split == "val") ? -1 : 0; }
  void rewind(const levin::Fill& in) {
    if (in.split == Split::train) record("rewind " + std::to_string(in.n) + " in epoch " + std::to_string(in.epoch));
    const bool ends = split == (in.split == Split::train ? "train" : "val");
    left = ends && in.epoch >= epochs ? 0 : 5;
  }
  bool next(const levin::Fill& in, std::vector<levin_managed*>& out) {
    if (left == 0) return false;
    const int64_t n = std::min(left, in.n);
    record("next " + std::to_string(n) + " of seed " + std::to_string(in.seed));
    left -= n;
    out = rows_of_ones(n);
    return true;
  }
};

// Returns batches of three rows, regardless of the batch size.
struct Threes : levin::DataModule {
  int64_t batches = 0;
  std::vector<levin::Field> fields() { return ::fields(); }
  int64_t rows(Split split) { return split == Split::train ? -1 : 0; }
  void rewind(Split, int64_t) { batches = 2; }
  bool next(Split, std::vector<levin_managed*>& out) {
    if (batches-- == 0) return false;
    out = rows_of_ones(3);
    return true;
  }
};

struct Labels : levin::DataModule {
  static constexpr bool concurrent = true;
  static constexpr levin_option options[] = {levin::integer("bad", "-1", "row whose label is 7; -1: none"),
                                             levin::integer("rows", "4", "of training"),
                                             levin::flag("same", "false", "two fields of one name"),
                                             levin::flag("subset", "false", "wants row 9, which is not there")};
  const int64_t bad, n;
  const bool same, subset;
  explicit Labels(const levin::Args& o)
      : bad(o.integer("bad")), n(o.integer("rows")), same(o.flag("same")), subset(o.flag("subset")) {}
  void dataloader(levin::LoaderPlan& plan) {
    if (subset) plan.subset({1, 9});
  }
  std::vector<levin::Field> fields() {
    std::vector<levin::Field> out = ::fields();
    out.push_back(levin::target(same ? "x" : "class", 3));
    return out;
  }
  int64_t rows(Split split) { return split == Split::train ? n : 0; }
  void get(Split, int64_t index, levin::Row& row) {
    for (int64_t i = 0; i < width; ++i) row.data<float>(0)[i] = 1;
    row.data<float>(1)[0] = 1;
    row.data<int64_t>(2)[0] = index == bad ? 7 : index % 3;
  }
};

struct Looker : levin::Callback {
  void on_fit_start(const levin::Event& event) {
    const levin::RunData data = event.run().data();
    for (const Split split : {Split::train, Split::val, Split::test, Split::predict}) {
      const uint32_t n = data.loaders(split);
      std::string line = "split " + std::to_string(static_cast<int>(split)) + " loaders " + std::to_string(n);
      if (n > 0) line += " rows " + std::to_string(data.size(split)) + " of " + data.fields(split)[0].name;
      record(line);
    }
    try {
      const levin::TensorList rows = data.rows(Split::train, {1, 0, 1});
      for (size_t i = 0; i < rows.size(); ++i) {
        const levin::HostTensor tensor(event.run(), rows[i]);
        record("tensor " + std::to_string(tensor.view().shape[0]) + " by " + std::to_string(tensor.view().shape[1]));
      }
    } catch (const levin::Error& e) {
      record(std::string("refused ") + e.what());
    }
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.handed_rows", "1.0.0", "Apache-2.0", levin::data_module<Drawn>("drawn", "Random numbers"),
             levin::data_module<Batches>("batches", "Batches"), levin::data_module<Whole>("whole", "All at once"),
             levin::data_module<Known>("known", "With a state"),
             levin::data_module<Ragged>("ragged", "Rows of several lengths"),
             levin::data_module<Stream>("stream", "A stream"), levin::data_module<Threes>("threes", "Its own sizes"),
             levin::data_module<Labels>("labels", "Labels"), levin::callback<Looker>("looker", "Looks at data"))
