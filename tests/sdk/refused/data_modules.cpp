// Each message is on one line, regardless of its length:
// clang-format off
#include "levin/data_module.hpp"

struct Base : levin::DataModule {
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {})}; }
  int64_t rows(levin::Split) { return 1; }
  void get(levin::Split, int64_t, levin::Row&) {}
};

// refused: Levin never calls 'prepareData': did you mean 'prepare_data'? Otherwise give it another name
struct Camel : Base {
  void prepareData() {}
};
auto camel = levin::data_module<Camel>("", "");

// refused: a data module has get, fill, batch, resident or next
struct NoRows : levin::DataModule {
  std::vector<levin::Field> fields() { return {}; }
  int64_t rows(levin::Split) { return 1; }
};
auto no_rows = levin::data_module<NoRows>("", "");

// refused: a data module says what a row is: declare std::vector<levin::Field> fields()
struct NoFields : levin::DataModule {
  int64_t rows(levin::Split) { return 1; }
  void get(levin::Split, int64_t, levin::Row&) {}
};
auto no_fields = levin::data_module<NoFields>("", "");

// refused: a data module says how many rows there are: declare int64_t rows(levin::Split)
struct NoCount : levin::DataModule {
  std::vector<levin::Field> fields() { return {}; }
  void get(levin::Split, int64_t, levin::Row&) {}
};
auto no_count = levin::data_module<NoCount>("", "");

// refused: Levin never calls 'len': did you mean 'rows'? Otherwise give it another name
struct Len : levin::DataModule {
  std::vector<levin::Field> fields() { return {}; }
  int64_t len(levin::Split) { return 1; }
  void get(levin::Split, int64_t, levin::Row&) {}
};
auto len = levin::data_module<Len>("", "");

// refused: 'loaders' says that a split may have several loaders, and all of them would get the same: tell them apart, as void get(levin::Split, int64_t loader, int64_t index, levin::Row&)
struct TwoLoaders : Base {
  int64_t loaders(levin::Split) { return 2; }
};
auto two_loaders = levin::data_module<TwoLoaders>("", "");

// refused: 'loaders' says that a split may have several loaders, and all of them would get the same: tell them apart, as bool next(levin::Split, int64_t loader, std::vector<levin_managed*>&)
// refused: 'loaders' says that a split may have several loaders, and all of them would get the same: tell them apart, as void rewind(levin::Split, int64_t loader, int64_t epoch)
struct TwoStreams : levin::DataModule {
  std::vector<levin::Field> fields() { return {}; }
  int64_t rows(levin::Split) { return -1; }
  int64_t loaders(levin::Split) { return 2; }
  bool next(levin::Split, std::vector<levin_managed*>&) { return false; }
  void rewind(levin::Split, int64_t) {}
};
auto two_streams = levin::data_module<TwoStreams>("", "");

// refused: the class derives privately from levin::DataModule, so Levin cannot use it: write struct X : levin::DataModule, or class X : public levin::DataModule
struct Privately : private levin::DataModule {
  std::vector<levin::Field> fields() { return {}; }
  int64_t rows(levin::Split) { return 1; }
  void get(levin::Split, int64_t, levin::Row&) {}
};
auto privately = levin::data_module<Privately>("", "");

// refused: 'concurrent' is not what Levin reads by that name: declare it as static constexpr bool concurrent = true, or give it another name
struct MemberConstant : Base {
  bool concurrent = true;
};
auto member_constant = levin::data_module<MemberConstant>("", "");

// refused: 'get' is not what Levin calls by that name: declare it as void get(levin::Split, int64_t index, levin::Row&)
struct OtherGet : Base {
  void get(int64_t, levin::Row&) {}
};
auto other_get = levin::data_module<OtherGet>("", "");

// refused: 'next' is not what Levin calls by that name: declare it as bool next(levin::Split, std::vector<levin_managed*>&)
struct Endless : Base {
  void next(levin::Split, std::vector<levin_managed*>&) {}
};
auto endless = levin::data_module<Endless>("", "");

// refused: 'fill' is private or protected, so Levin cannot call it: make it public, or give it another name
class PrivateFill : public Base {
  void fill(const levin::Fill&, const levin_view*) {}
};
auto private_fill = levin::data_module<PrivateFill>("", "");

// refused: 'collate' is for the rows of a get that takes (levin::Split, int64_t index, levin::Sample&): declare that
struct CollateOfRows : Base {
  void collate(const std::vector<levin::Sample>&, std::vector<levin_managed*>&) {}
};
auto collate_of_rows = levin::data_module<CollateOfRows>("", "");

// refused: 'batch' makes batches itself, so nobody calls a 'get' that takes levin::Sample&: declare one of the two
struct BatchAndSamples : Base {
  void get(levin::Split, int64_t, levin::Sample&) {}
  void batch(const levin::Fill&, std::vector<levin_managed*>&) {}
};
auto batch_and_samples = levin::data_module<BatchAndSamples>("", "");

// refused: 'batch' is not what Levin calls by that name: declare it as void batch(const levin::Fill&, std::vector<levin_managed*>&)
struct OtherBatch : Base {
  std::vector<levin_managed*> batch(const levin::Fill&) { return {}; }
};
auto other_batch = levin::data_module<OtherBatch>("", "");

// refused: 'resident' is private or protected, so Levin cannot call it: make it public, or give it another name
class PrivateResident : public Base {
  void resident(levin::Split, std::vector<levin_managed*>&) {}
};
auto private_resident = levin::data_module<PrivateResident>("", "");

// refused: 'byte_scale' says that 'fill' also writes bytes: declare void fill(const levin::Fill&, const levin_view*)
struct BytesOfGet : Base {
  levin::ByteScale byte_scale(int64_t) { return {}; }
};
auto bytes_of_get = levin::data_module<BytesOfGet>("", "");

// refused: 'row_length' is not what Levin calls by that name: declare it as int64_t row_length(levin::Split, int64_t index)
struct LengthOfSplit : Base {
  int64_t row_length(levin::Split) { return 1; }
};
auto length_of_split = levin::data_module<LengthOfSplit>("", "");

// refused: Levin never calls 'collate_fn': did you mean 'collate'? Otherwise give it another name
struct CollateFn : Base {
  void get(levin::Split, int64_t, levin::Sample&) {}
  void collate_fn(const std::vector<levin::Sample>&, std::vector<levin_managed*>&) {}
};
auto collate_fn = levin::data_module<CollateFn>("", "");

// refused: Levin never calls 'prepare': did you mean 'prepare_data'? Otherwise give it another name
struct Prepare : Base {
  void prepare() {}
};
auto prepare = levin::data_module<Prepare>("", "");

// refused: the hook 'setup' takes (const levin::Event&), (levin::Stage) or nothing, and is not static
struct Setup : Base {
  void setup(const std::string&) {}
};
auto setup = levin::data_module<Setup>("", "");

// refused: 'teardown' of a data module takes (levin::Stage) or nothing
struct Teardown : Base {
  void teardown(const levin::Event&) {}
};
auto teardown = levin::data_module<Teardown>("", "");

// refused: 'save' without 'load': what it keeps would never be read; declare a public void load(levin::Reader)
struct OnlySave : Base {
  void save(levin::Writer) const {}
};
auto only_save = levin::data_module<OnlySave>("", "");

// The following classes are accepted.
class Good : public Base {
 public:
  void setup(levin::Stage) { load("x"); }
  bool next(levin::Split, int64_t, std::vector<levin_managed*>&) { return false; }
  static void prepare_data() {}

 private:
  void load(const std::string&) {}
};
auto good = levin::data_module<Good>("", "");

struct ByName : Base {
  int64_t loaders(levin::Split) { return 2; }
  void get(levin::Split, int64_t, int64_t, levin::Row& row) { *row.data<float>("x") = 1; }
};
auto by_name = levin::data_module<ByName>("", "");
struct FilledLoaders : levin::DataModule {
  std::vector<levin::Field> fields() { return {}; }
  int64_t rows(levin::Split) { return 1; }
  int64_t loaders(levin::Split) { return 2; }
  void fill(const levin::Fill&, const levin_view*) {}
};
auto filled_loaders = levin::data_module<FilledLoaders>("", "");
struct Told : Base {
  void get(levin::Split, int64_t, levin::Sample&, const levin::Draw&) {}
  void collate(std::vector<levin::Sample>&, std::vector<levin_managed*>&) {}
  bool next(const levin::Fill&, std::vector<levin_managed*>&) { return false; }
  void rewind(const levin::Fill&) {}
  void resident(levin::Split, int64_t, std::vector<levin_managed*>&) {}
};
auto told = levin::data_module<Told>("", "");
