// NumPy arrays and rows of them that cannot be used.
#include <limits>

#include "catch.hpp"
#include "data_driver.hpp"
#include "npy_files.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

// Six rows of two inputs; row 1 has a NaN, row 3 infinity and row 4 the label -1.
struct DamagedArrays {
  TempFolder folder;
  std::string x = folder.write(
      "x.npy", npy_file<float>("<f4", "(6, 2)",
                               {0, 0, nan_value, 1, 2, 2, 3, std::numeric_limits<float>::infinity(), 4, 4, 5, 5}));
  std::string y = folder.write("y.npy", npy_file<int64_t>("<i8", "(6,)", {0, 1, 0, 1, -1, 1}));
  std::string good = folder.write("good.npy", npy_file<int64_t>("<i8", "(6,)", {0, 1, 0, 1, 0, 1}));
};

}  // namespace

TEST_CASE("npy leaves damaged rows out, counts them and lists the first") {
  const DamagedArrays files;
  levin::testing::FakeHost host;
  levin::testing::Component data(host, "npy",
                                 {{"inputs", files.x}, {"targets", files.y}, {"val_rows", 0}, {"damaged", "skip"}});
  levin::testing::setup(data, levin::Stage::fit);
  CHECK(levin::testing::describe(data, levin::Split::train).rows == 3);
  const levin::testing::Rows rows = levin::testing::fill(data, levin::Split::train, {0, 1, 2});
  for (int64_t i = 0; i < 3; ++i) CHECK(rows.at(0, 2 * i) == std::vector<double>{0, 2, 5}[static_cast<size_t>(i)]);
  CHECK(rows.at(1, 2) == 1);
  std::string said;
  for (const auto& message : host.messages) said += message.second;
  CHECK_THAT(said, ContainsSubstring("left out: 3 of 6 rows cannot be used:") &&
                       ContainsSubstring("x.npy: row 1 has an element that is NaN or infinite") &&
                       ContainsSubstring("x.npy: row 3 has") &&
                       ContainsSubstring("y.npy: row 4 has a label that is no class"));
  DataDriver split(
      "npy",
      {{"inputs", files.x}, {"targets", files.good}, {"group", files.good}, {"val_rows", 2}, {"damaged", "skip"}});
  CHECK(split.rows(LEVIN_TRAIN) + split.rows(LEVIN_VAL) == 4);
}

TEST_CASE("npy stops at the first damaged row, or after a check of all rows") {
  const DamagedArrays files;
  DataDriver stops("npy", {{"inputs", files.x}, {"targets", files.good}, {"val_rows", 0}});
  CHECK(stops.fill(LEVIN_TRAIN, {0, 2}).x == std::vector<float>{0, 0, 2, 2});
  CHECK_THROWS_WITH(stops.fill(LEVIN_TRAIN, {0, 1}),
                    ContainsSubstring("x.npy: row 1 has an element that is NaN or infinite; --data.damaged skip"));
  CHECK_THROWS_WITH(DataDriver("npy", {{"inputs", files.x}, {"targets", files.y}, {"damaged", "check"}}),
                    ContainsSubstring("3 of 6 rows cannot be used"));
  const std::string lost = files.folder.write("n.npy", npy_file<float>("<f4", "(1, 2)", {nan_value, 1}));
  CHECK_THROWS_WITH(
      DataDriver("npy", {{"inputs", files.x}, {"targets", files.good}, {"damaged", "skip"}, {"predict_inputs", lost}}),
      ContainsSubstring("n.npy: no row can be used"));
}

TEST_CASE("npy without targets says what is wrong with the file of the inputs") {
  const TempFolder folder;
  const auto refuse = [&](const std::string& inputs, const std::string& reason) {
    CHECK_THROWS_WITH(DataDriver("npy", {{"inputs", inputs}}), ContainsSubstring(reason));
  };
  const std::string archive = bytes_of(std::string(LEVIN_GOLDEN) + "/npy/stored.npz");
  refuse(folder.file("no.npz"), "no.npz cannot be opened: No such file");
  refuse(folder.write("empty.npy", ""), "empty.npy");
  refuse(folder.write("cut.npz", archive.substr(0, archive.size() / 2)), "it has no zip directory at its end");
  refuse(folder.write("x.csv", "a,b\n"), "is neither a .npy nor a .npz file");
  refuse(folder.write("xy.npz", archive) + ":y", "xy.npz:y.npy, the default, is already the inputs");
  std::string other = archive;
  for (size_t at = other.find("y.npy"); at != other.npos; at = other.find("y.npy", at)) other[at] = 'z';
  refuse(folder.write("xz.npz", other), "--data.targets is missing, and " + folder.file("xz.npz") +
                                            " has no array 'y' (it has x, z); a prediction with --ckpt_path");
  for (size_t at = other.find("x.npy"); at != other.npos; at = other.find("x.npy", at)) other[at] = 'w';
  refuse(folder.write("wz.npz", other), "has no array 'x'; it has w, z: name one");
}

TEST_CASE("npy tells of images whose channels seem to be last") {
  const TempFolder folder;
  const std::string y = folder.write("y.npy", npy_file<uint8_t>("|u1", "(2,)", {0, 1}));
  for (const bool last : {true, false}) {
    levin::testing::FakeHost host;
    const std::string x =
        folder.write("x.npy", npy_file("<f4", last ? "(2, 4, 4, 3)" : "(2, 3, 4, 4)", std::vector<float>(96)));
    levin::testing::Component data(host, "npy", {{"inputs", x}, {"targets", y}, {"val_rows", 0}});
    levin::testing::setup(data, levin::Stage::fit);
    std::string said;
    for (const auto& message : host.messages) said += message.second;
    CHECK((said.find("has rows of 4 x 4 x 3, which networks of images read as 4 channels") != said.npos) == last);
  }
}
