#include <cstdlib>

#include "catch.hpp"
#include "data_driver.hpp"
#include "plugins/hdf5/hdf5_array.hpp"
#include "temp_folder.hpp"

using hdf5::Hdf5Array;
using hdf5::Place;

namespace {

const std::string set = std::string(LEVIN_GOLDEN) + "/hdf5/set.h5";  // by hdf5_golden.py

std::vector<float> numbers(const std::string& place) {
  const Hdf5Array array(Place(place), "x");
  std::vector<float> out(static_cast<size_t>(array.rows() * array.row_size()));
  for (int64_t row = 0; row < array.rows(); ++row) array.read(row, out.data() + row * array.row_size());
  return out;
}

}  // namespace

TEST_CASE("data sets of an HDF5 file are found by their names") {
  std::vector<float> counted;
  for (int i = 0; i < 20; ++i) counted.push_back(static_cast<float>(i));
  CHECK(numbers(set) == counted);
  CHECK(numbers(set + ":/x") == counted);
  CHECK(numbers(set + ":group/flags") == std::vector<float>{1, 0, 1, 0, 1, 0, 1, 0, 1, 0});
  CHECK(Hdf5Array(Place(set + ":group/flags"), "").integer());
  CHECK(Hdf5Array(Place(set), "x").text() == "10 x 2 of float32");
  const std::vector<std::string> names = hdf5::set_names(set);
  CHECK(std::count(names.begin(), names.end(), "y") == 1);
  CHECK(std::count(names.begin(), names.end(), "z") == 0);
}

TEST_CASE("what is no array of numbers, or is in another file, is refused with the reason") {
  struct Case {
    const char *name, *reason;
  };
  const Case cases[] = {{"z", "has no data set 'z'; it has group/flags, group/who, none, number"},
                        {"group", "has no data set 'group'; it has"},
                        {"texts", ":texts holds texts; integers, floats and bools are read"},
                        {"pairs", ":pairs holds a structured type"},
                        {"number", ":number is a single number"},
                        {"none", ":none is empty: its shape is 0 x 2"},
                        {"outside", "has 'outside' in another file (an external link)"},
                        {"outside/y", "has 'outside' in another file (an external link)"},
                        {"soft", "has 'soft' behind a soft link"},
                        {"raw", "has the numbers of 'raw' in another file (external storage)"},
                        {"virtual", "has 'virtual' as a virtual data set of other files"}};
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK_THROWS_WITH(numbers(set + ":" + c.name), ContainsSubstring(c.reason));
  }
  // newer.h5 was written with libver="latest" by HDF5 2.0, set.h5 with "earliest". A release that reads both is fine.
  std::string reason;
  try {
    numbers(std::string(LEVIN_GOLDEN) + "/hdf5/newer.h5");
  } catch (const levin::Error& e) {
    reason = e.what();
  }
  if (!reason.empty())
    CHECK_THAT(reason,
               ContainsSubstring("has 'x', which HDF5 ") && ContainsSubstring("or was written by a newer HDF5"));
  const TempFolder folder;
  const std::string bytes = bytes_of(set);
  CHECK_THROWS_WITH(numbers(folder.file("no.h5")), ContainsSubstring("cannot be opened: No such file"));
  CHECK_THROWS_WITH(numbers(folder.path().string()), ContainsSubstring("is not a file"));
  CHECK_THROWS_WITH(numbers(folder.write("text.h5", "x")), ContainsSubstring("is no HDF5 file"));
  for (const size_t part : {2u, 3u, 10u})
    CHECK_THROWS_WITH(numbers(folder.write("cut.h5", bytes.substr(0, bytes.size() / part))),
                      ContainsSubstring("cut.h5"));
}

TEST_CASE("a type whose size or fields were damaged is refused before the numbers are read") {
  const TempFolder folder;
  const std::string bytes = bytes_of(set);
  // The message of a little-endian float32: class, order and sign; then size, offset, precision, exponent and fraction.
  const std::string type("\x11\x20\x1f\0\4\0\0\0\0\0\x20\0\x17\x08\0\x17\x7f\0\0\0", 20);
  const size_t begin = bytes.find(type);
  REQUIRE(begin != bytes.npos);
  for (size_t at = begin + 4; at < begin + type.size(); ++at)
    for (const int flipped : {1, 2, 4, 8, 128}) {
      INFO(at - begin << " " << flipped);
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ flipped);
      const std::string path = folder.write("type.h5", damaged);
      for (const char* role : {"inputs", "targets", "group"}) {
        levin::testing::Options options({{"inputs", set}, {"targets", set + ":y"}, {role, path + ":x"}});
        CHECK_THROWS_WITH(DataDriver("hdf5", options), ContainsSubstring("damaged"));
      }
    }
}

TEST_CASE("what stands for the array x or y is never the other one") {
  const TempFolder folder;
  std::string bytes = bytes_of(set);
  CHECK_THROWS_WITH(DataDriver("hdf5", {{"inputs", set + ":y"}}),
                    ContainsSubstring("--data.targets is missing, and ") &&
                        ContainsSubstring("set.h5:y, the default, is already the inputs"));
  CHECK_THROWS_WITH(DataDriver("hdf5", {{"inputs", folder.write("cut.h5", bytes.substr(0, 3000))}}),
                    ContainsSubstring("cut.h5 is truncated or damaged"));
  CHECK(arrays::usual_or_only({"data"}, "x") == "data");
  CHECK(arrays::usual_or_only({"y"}, "x") == "x");
  CHECK(arrays::usual_or_only({"x"}, "y") == "y");
  CHECK(arrays::usual_or_only({"data", "y"}, "x") == "x");
}

TEST_CASE("hdf5 gives rows for training, validation and test, and ends a run whose file changes") {
  const TempFolder folder;
  const std::string file = folder.write("set.h5", bytes_of(set));
  DataDriver data("hdf5", {{"inputs", file}, {"val_rows", 3}, {"group", file + ":group/who"}, {"test_fraction", 0.2}});
  CHECK(data.rows(LEVIN_TRAIN) + data.rows(LEVIN_VAL) + data.rows(LEVIN_TEST) == 10);
  CHECK(data.describe(LEVIN_TRAIN).fields[1].classes == 3);
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL, LEVIN_TEST}) {
    const FilledRows rows = data.fill(split, data.all(split));
    for (size_t i = 0; i < rows.y.size(); ++i) CHECK(rows.y[i] == static_cast<int64_t>(rows.x[2 * i]) / 2 % 3);
  }
  CHECK_THROWS_WITH(DataDriver("hdf5", {{"inputs", file + ":raw"}, {"targets", file + ":y"}}),
                    ContainsSubstring("external storage"));
  folder.write("set.h5", "other");
  CHECK_THROWS_WITH(data.fill(LEVIN_TRAIN, {0}), ContainsSubstring("set.h5 was changed while it was in use"));
}

// Run by hdf5_golden.py: compares every file in a folder with the numbers that h5py wrote beside it.
TEST_CASE("data sets are equal to those of h5py", "[.h5py]") {
  const char* folder = std::getenv("LEVIN_H5PY_CASES");
  REQUIRE(folder != nullptr);
  size_t cases = 0, unread = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".f4") continue;
    const std::string path = entry.path().string(), expected = bytes_of(path);
    INFO(path);
    ++cases;
    try {
      const std::vector<float> got = numbers(path.substr(0, path.size() - 3));
      CHECK(std::string(reinterpret_cast<const char*>(got.data()), got.size() * sizeof(float)) == expected);
    } catch (const levin::Error& e) {  // LZF is h5py's own filter
      CHECK_THAT(e.what(), ContainsSubstring("compressed by the filter lzf, which this machine does not have"));
      CHECK(path.find("_3.h5") != path.npos);
      ++unread;
    }
  }
  CHECK(cases > 400);
  CHECK(unread > 0);
}
