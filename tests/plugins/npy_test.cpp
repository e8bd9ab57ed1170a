#include <cmath>
#include <cstdlib>
#include <numeric>

#include "catch.hpp"
#include "data_driver.hpp"
#include "npy_files.hpp"
#include "plugins/npy/npy_array.hpp"
#include "plugins/npy/zip.hpp"
#include "temp_folder.hpp"

using levin::Split;
using levin::testing::Options;
using npy::ArrayPlace;

namespace {

std::vector<float> numbers(const std::string& place) {
  const npy::NpyArray array(ArrayPlace(place), "x");
  std::vector<float> out(static_cast<size_t>(array.rows() * array.row_size()));
  for (int64_t row = 0; row < array.rows(); ++row) array.read(row, out.data() + row * array.row_size());
  return out;
}

// n rows of two inputs (row, -row), with the labels 0 1 2 0 1 2 ...
struct Rows {
  TempFolder folder;
  std::string inputs = write_inputs("x.npy", 10), targets = write_targets("y.npy", 10);
  std::string write_inputs(const std::string& name, int32_t n) const {
    std::vector<int32_t> x;
    for (int32_t i = 0; i < n; ++i) x.push_back(i), x.push_back(-i);
    return folder.write(name, npy_file("<i4", "(" + std::to_string(n) + ", 2)", x));
  }
  std::string write_targets(const std::string& name, int64_t n) const {
    std::vector<int64_t> y;
    for (int64_t i = 0; i < n; ++i) y.push_back(i % 3);
    return folder.write(name, npy_file("<i8", "(" + std::to_string(n) + ",)", y));
  }
};

}  // namespace

TEST_CASE("npy reads each version of the header, both orders of bytes and both orders of elements") {
  const TempFolder folder;
  const std::string data("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
  for (const char version : {'\1', '\2', '\3'})
    CHECK(numbers(folder.write(
              "v.npy", npy_header("{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", version) + data)) ==
          std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(numbers(folder.write("f.npy", npy_header("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }") +
                                          data)) == std::vector<float>{1, 3, 5, 2, 4, 6});
  CHECK(numbers(folder.write("old.npy", npy_header("{\"shape\":(6L,),\"descr\":\">i2\",\"fortran_order\":False}") +
                                            data)) == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a .npy file that is not right is refused with the reason") {
  const TempFolder folder;
  const auto head = [](const std::string& descr, const std::string& shape) {
    return npy_header("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }");
  };
  const std::string good = npy_file<float>("<f4", "(2, 2)", {1, 2, 3, 4});
  struct Case {
    const char *name, *reason;
    std::string bytes;
  };
  const std::vector<Case> cases = {
      {"empty", "is empty", ""},
      {"text", "neither a .npy nor a .npz file", "hello, world"},
      {"cut mark", "truncated", good.substr(0, 7)},
      {"cut header", "ends inside a header", good.substr(0, 40)},
      {"cut data", "is truncated: its header promises 2 x 2 of float32, and the file has 15", good.substr(0, 143)},
      {"more data", "is longer than its header says", good + "x"},
      {"version", "has version 9.0", std::string("\x93NUMPY\x09\x00\x01\x00 ", 11)},
      {"huge header", "a header of 4294967295 bytes", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)},
      {"objects", "holds Python objects (a pickle), which are never read", head("'|O'", "(2,)") + "xx"},
      {"structure", "holds a structured type", head("[('a', '<i4'), ('b', '<f4', (2,))]", "(2,)") + "xx"},
      {"complex", "holds complex numbers", head("'<c8'", "(1,)") + "12345678"},
      {"texts", "holds texts", head("'<U3'", "(1,)") + "123456789012"},
      {"dates", "holds dates", head("'<M8[ns]'", "(1,)") + "12345678"},
      {"long double", "of type '<f16'", head("'<f16'", "(1,)") + "1234567890123456"},
      {"scalar", "is a single number", head("'<f4'", "()") + "1234"},
      {"no rows", "is empty: its shape is 0 x 3", head("'<f4'", "(0, 3)")},
      {"overflow", "is truncated", head("'<f8'", "(4294967296, 4294967296, 4294967296)") + "12345678"},
      {"negative", "has a size that is no number", head("'<f4'", "(-1,)") + "1234"},
      {"no tuple", "its shape is no tuple", head("'<f4'", "(1)") + "1234"},
      {"code", "is missing", head("__import__('os')", "(1,)") + "1234"},
      {"sum", "its shape is no tuple", head("'<f4'", "(1+1,)") + "12345678"},
      {"missing key", "or shape is missing", npy_header("{'descr': '<f4', 'shape': (1,)}") + "1234"},
      {"other key", "'x' is unknown or given twice", npy_header("{'descr': '<f4', 'x': (1,)}") + "1234"},
      {"twice", "'descr' is unknown or given twice", npy_header("{'descr': '<f4', 'descr': '<f4'}") + "1234"},
      {"behind", "text behind it",
       npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + {}") + "1234"}};
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK_THROWS_WITH(numbers(folder.write(c.name, c.bytes)),
                      ContainsSubstring(c.reason) && ContainsSubstring(folder.file(c.name)));
  }
  CHECK_THROWS_WITH(numbers(folder.file("nothing.npy")), ContainsSubstring("cannot be opened: No such file"));
  CHECK_THROWS_WITH(numbers(folder.path().string()), ContainsSubstring("is not a file"));
  CHECK_THROWS_WITH(numbers(folder.write("a.npy", good) + "/../a.npy"), ContainsSubstring("cannot be opened"));
}

TEST_CASE("an array of a .npz file is found by its name, and damage of the archive is found") {
  const TempFolder folder;
  // Made by numpy.savez and numpy.savez_compressed of x = [[1, 2], [3, 4]] and y = [0, 1], both uint8.
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const std::string bytes = bytes_of(std::string(LEVIN_GOLDEN) + "/npy/" + name);
    const std::string path = folder.write(name, bytes);
    CHECK(numbers(path) == std::vector<float>{1, 2, 3, 4});
    CHECK(numbers(path + ":y") == std::vector<float>{0, 1});
    CHECK(numbers(path + ":x.npy") == std::vector<float>{1, 2, 3, 4});
    CHECK_THROWS_WITH(numbers(path + ":z"), ContainsSubstring("has no array 'z'; it has x, y: name one, as in"));
    for (size_t keep = 1; keep < bytes.size(); keep += 7)
      CHECK_THROWS_WITH(numbers(folder.write("cut.npz", bytes.substr(0, keep))), ContainsSubstring("cut.npz"));
    for (size_t at = 0; at < bytes.size(); ++at) {  // a changed byte is refused, or in a field that is not used
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 0x41);
      std::vector<float> got = {1, 2, 3, 4};
      try {
        got = numbers(folder.write("changed.npz", changed));
      } catch (const levin::Error& e) {
        CHECK_THAT(e.what(), ContainsSubstring("changed.npz"));
      }
      CHECK(got == std::vector<float>{1, 2, 3, 4});
    }
  }
}

TEST_CASE("npy says what the files hold, and splits their rows") {
  const Rows files;
  DataDriver data("npy",
                  {{"inputs", files.inputs}, {"targets", files.targets}, {"val_rows", 3}, {"test_fraction", 0.2}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(train.rows == 5);
  CHECK(data.rows(LEVIN_VAL) == 3);
  CHECK(data.rows(LEVIN_TEST) == 2);
  CHECK(data.rows(LEVIN_PREDICT) == 2);
  CHECK(train.fields[0].ndim == 1);
  CHECK(train.fields[0].shape[0] == 2);
  CHECK(train.fields[1].classes == 3);
  std::vector<float> seen;
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL, LEVIN_TEST}) {
    const FilledRows rows = data.fill(split, data.all(split));
    for (size_t i = 0; i < rows.y.size(); ++i) {
      CHECK(rows.x[2 * i + 1] == -rows.x[2 * i]);
      CHECK(rows.y[i] == static_cast<int64_t>(rows.x[2 * i]) % 3);
      seen.push_back(rows.x[2 * i]);
    }
  }
  std::sort(seen.begin(), seen.end());
  CHECK(seen == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK_THROWS_WITH(data.fill(LEVIN_VAL, {3}), ContainsSubstring("no row 3 of 3"));
}

TEST_CASE("npy takes validation and test rows from their own files, and numbers in place of classes") {
  const Rows files;
  const std::string x = files.write_inputs("vx.npy", 4), y = files.write_targets("vy.npy", 4);
  DataDriver data("npy", {{"inputs", files.inputs},
                          {"targets", files.targets},
                          {"val_inputs", x},
                          {"val_targets", y},
                          {"test_inputs", x},
                          {"test_targets", y},
                          {"task", "regression"}});
  CHECK(data.rows(LEVIN_TRAIN) == 10);
  CHECK(data.rows(LEVIN_VAL) == 4);
  CHECK(data.rows(LEVIN_PREDICT) == 4);
  const levin_field y_field = data.describe(LEVIN_TRAIN).fields[1];
  CHECK(y_field.classes == 0);
  CHECK(y_field.dtype.code == LEVIN_FLOAT);
  CHECK(data.fill(LEVIN_TEST, {3, 0}).x == std::vector<float>{3, -3, 0, 0});
}

TEST_CASE("npy has a class for each element of the targets, such as pixels") {
  const Rows files;
  const std::string masks = files.folder.write("m.npy", npy_file("<i8", "(10, 2, 2)", [] {
                                                 std::vector<int64_t> labels(40);
                                                 for (size_t i = 0; i < labels.size(); ++i)
                                                   labels[i] = static_cast<int64_t>(i % 4);
                                                 return labels;
                                               }()));
  Options options = {{"inputs", files.inputs}, {"targets", masks}, {"task", "per_element"}, {"val_rows", 0}};
  DataDriver data("npy", options);
  const levin_field y = data.describe(LEVIN_TRAIN).fields[1];
  CHECK(y.classes == 4);
  CHECK(y.dtype.code == LEVIN_INT);
  REQUIRE(y.ndim == 2);
  options.set({"stratify", true});
  options.set({"val_rows", 2});
  CHECK_THROWS_WITH(DataDriver("npy", options), ContainsSubstring("--data.stratify needs one class a row"));
  options.set({"task", "classification"});
  CHECK_THROWS_WITH(DataDriver("npy", options), ContainsSubstring("--data.task per_element"));
}

TEST_CASE("npy normalizes with the training rows' mean and deviation, also numbers that differ little") {
  const TempFolder folder;
  const double large = 1e12;
  const std::string x =
      folder.write("x.npy", npy_file<double>("<f8", "(4,)", {large + 1, large + 2, large + 3, large + 4}));
  const std::string y = folder.write("y.npy", npy_file<uint8_t>("|b1", "(4,)", {0, 1, 0, 1}));
  Options options({{"inputs", x}, {"targets", y}, {"val_rows", 0}});
  options.values["mean"] = levin::testing::Null();
  options.values["std"] = levin::testing::Null();
  DataDriver data("npy", options);
  const std::vector<float> got = data.fill(LEVIN_TRAIN, {0, 1, 2, 3}).x;
  for (size_t i = 0; i < 4; ++i) CHECK(got[i] == Approx((static_cast<double>(i) - 1.5) / std::sqrt(1.25)));
  DataDriver given("npy", {{"inputs", x}, {"targets", y}, {"val_rows", 0}, {"mean", large}, {"std", 2.0}});
  CHECK(given.fill(LEVIN_TRAIN, {0, 3}).x == std::vector<float>{0.5f, 2});
}

TEST_CASE("npy predicts new rows with a checkpoint, and refuses a checkpoint of other data") {
  const Rows files;
  levin::testing::FakeHost host;
  levin::testing::Component trained(host, "npy", {{"inputs", files.inputs}, {"targets", files.targets}, {"std", 2.0}});
  levin::testing::setup(trained, levin::Stage::fit);
  const levin::testing::State state = trained.save();

  levin::testing::Component alone(host, "npy", {{"inputs", files.write_inputs("new.npy", 3)}});
  alone.load(state);
  levin::testing::setup(alone, levin::Stage::predict);
  alone.load(state);
  CHECK(levin::testing::describe(alone, Split::predict).rows == 3);
  CHECK(levin::testing::describe(alone, Split::predict).fields[1].classes == 3);

  levin::testing::Component without(host, "npy", {{"inputs", files.inputs}});
  CHECK_THROWS_WITH(levin::testing::setup(without, levin::Stage::fit),
                    ContainsSubstring("--data.targets is missing, and ") && ContainsSubstring("has no array 'y'"));
  levin::testing::Component wide(
      host, "npy", {{"inputs", files.folder.write("w.npy", npy_file<float>("<f4", "(1, 3)", {1, 2, 3}))}});
  wide.load(state);
  CHECK_THROWS_WITH(levin::testing::setup(wide, levin::Stage::predict), ContainsSubstring("differ in shape"));
  levin::testing::Component numbers(host, "npy",
                                    {{"inputs", files.inputs}, {"targets", files.targets}, {"task", "regression"}});
  levin::testing::setup(numbers, levin::Stage::fit);
  CHECK_THROWS_WITH(numbers.load(state),
                    ContainsSubstring("was trained on targets of 3 classes, and now they are one number"));
}

TEST_CASE("npy refuses files that do not belong together, labels that are no classes, and a file that was changed") {
  const Rows files;
  const auto refuse = [&](const Options& more, const std::string& reason) {
    Options options({{"inputs", files.inputs}, {"targets", files.targets}});
    for (const auto& [name, value] : more.values) options.values[name] = value;
    INFO(reason);
    CHECK_THROWS_WITH(DataDriver("npy", options), ContainsSubstring(reason));
  };
  const auto file = [&](const std::string& name, const std::string& bytes) { return files.folder.write(name, bytes); };
  refuse({{"targets", files.write_targets("short.npy", 9)}},
         "10 rows and " + files.folder.file("short.npy") + " 9: they do not");
  refuse({{"targets", file("neg.npy", npy_file<int8_t>("|i1", "(10,)", {0, 1, -1, 0, 0, 0, 0, 0, 0, 0}))}},
         "neg.npy has the label -1 in row 2; classes are 0, 1, 2, ...");
  std::vector<float> halves(10, 0.5f);
  refuse({{"targets", file("half.npy", npy_file("<f4", "(10,)", halves))}, {"task", "classification"}},
         "half.npy has the label 0.500000 in row 0");
  std::vector<uint64_t> huge(10, UINT64_MAX);
  refuse({{"targets", file("huge.npy", npy_file("<u8", "(10,)", huge))}}, "at most 1000000 classes");
  refuse({{"targets", file("hot.npy", npy_file("<f4", "(10, 1, 1)", halves))}, {"task", "classification"}},
         "hot.npy has the label");
  std::vector<float> hot(20, 0);
  refuse({{"targets", file("hot.npy", npy_file("<f4", "(10, 2)", hot))}, {"task", "classification"}},
         "has 2 numbers a row; a class is one");
  refuse({{"val_inputs", files.inputs}}, "--data.val_targets is missing");
  refuse({{"val_targets", files.targets}}, "--data.val_targets has no inputs");
  refuse({{"val_inputs", files.inputs},
          {"val_targets", file("four.npy", npy_file<uint8_t>("|u1", "(10,)", {0, 1, 2, 3, 0, 0, 0, 0, 0, 0}))}},
         "four.npy has the label 3 in row 3; the training rows have the classes 0 to 2");
  refuse({{"val_inputs", files.inputs}, {"val_targets", files.targets}, {"val_fraction", 0.5}}, "exclude each other");
  refuse({{"test_inputs", file("wide.npy", npy_file<uint8_t>("|u1", "(1, 3)", {1, 2, 3}))},
          {"test_targets", file("one.npy", npy_file<uint8_t>("|u1", "(1,)", {1}))}},
         "wide.npy is 1 x 3 of uint8; its rows differ in shape");
  DataDriver data("npy", {{"inputs", files.inputs}, {"targets", files.targets}});
  CHECK(data.fill(LEVIN_VAL, {0}).y.size() == 1);
  std::filesystem::resize_file(files.inputs, 100);
  CHECK_THROWS_WITH(data.fill(LEVIN_VAL, {0}), ContainsSubstring("x.npy was changed while it was in use"));
}

TEST_CASE("a deflated member that no machine could hold is refused by its directory") {
  const TempFolder folder;
  arrays::Bytes file{reinterpret_cast<const uint8_t*>("PK\3\4"), 4, "bomb.npz"};
  std::string bytes = "PK\3\4" + std::string(26, '\0');
  file.data = reinterpret_cast<const uint8_t*>(bytes.data()), file.size = bytes.size();
  npy::Member member;
  member.name = "x.npy", member.method = 8, member.bytes = uint64_t{1} << 60;
  std::vector<uint8_t> unpacked;
  CHECK_THROWS_WITH(npy::content(file, member, unpacked), ContainsSubstring("a size that deflate cannot reach"));
}

// Run by npy_golden.sh: compares every file in a folder with the numbers that NumPy wrote beside it.
TEST_CASE("arrays are equal to NumPy's", "[.numpy]") {
  const char* folder = std::getenv("LEVIN_NUMPY_CASES");
  REQUIRE(folder != nullptr);
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".f4") continue;
    const std::string path = entry.path().string(), expected = bytes_of(path);
    const std::vector<float> got = numbers(path.substr(0, path.size() - 3));
    INFO(path);
    CHECK(std::string(reinterpret_cast<const char*>(got.data()), got.size() * sizeof(float)) == expected);
    ++cases;
  }
  CHECK(cases > 100);
}
