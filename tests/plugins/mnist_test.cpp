#include <algorithm>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "data_driver.hpp"
#include "idx_files.hpp"
#include "temp_folder.hpp"

namespace {

std::vector<float> pixels_of(DataDriver& data, uint32_t split) { return data.fill(split, data.all(split)).x; }

}  // namespace

TEST_CASE("mnist says what the files hold") {
  const IdxFolder folder;
  folder.write_set(20);
  DataDriver data("mnist", {{"dir", folder.path()}, {"val_fraction", 0.25}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(train.rows == 15);
  CHECK(data.rows(LEVIN_VAL) == 5);
  CHECK(data.rows(LEVIN_TEST) == 10);
  CHECK(data.rows(LEVIN_PREDICT) == 10);
  REQUIRE(train.n_fields == 2);
  CHECK(std::string(train.fields[0].name) == "x");
  CHECK(train.fields[0].ndim == 3);
  CHECK(std::vector<int64_t>(train.fields[0].shape, train.fields[0].shape + 3) == std::vector<int64_t>{1, 2, 3});
  CHECK(train.fields[1].classes == 3);
  CHECK(std::string(train.fields[1].class_names[2]) == "2");
}

TEST_CASE("mnist keeps the same rows for validation, by seed") {
  const IdxFolder folder;
  folder.write_set(20);
  const auto labels_of_val = [&](int64_t seed) {
    DataDriver data("mnist",
                    {{"dir", folder.path()}, {"val_rows", 6}, {"split_seed", seed}, {"mean", 0.0}, {"std", 1.0}});
    return pixels_of(data, LEVIN_VAL);
  };
  CHECK(labels_of_val(1) == labels_of_val(1));
  CHECK(labels_of_val(1) != labels_of_val(2));

  DataDriver data("mnist", {{"dir", folder.path()}, {"val_rows", 6}, {"mean", 0.0}, {"std", 1.0}});
  std::multiset<int> values;
  for (uint32_t split : {LEVIN_TRAIN, LEVIN_VAL})
    for (float pixel : pixels_of(data, split)) values.insert(static_cast<int>(std::lround(pixel * 255)));
  for (int row = 0; row < 20; ++row) CHECK(values.count(10 * row) == 6);
}

TEST_CASE("each row of mnist validates in one of the folds and trains in the others") {
  const IdxFolder folder;
  folder.write_set(20);
  const auto rows_of = [&](uint32_t split, int64_t fold) {
    DataDriver data("mnist", {{"dir", folder.path()}, {"folds", 3}, {"fold", fold}, {"mean", 0.0}, {"std", 1.0}});
    std::multiset<int> values;
    for (float pixel : pixels_of(data, split)) values.insert(static_cast<int>(std::lround(pixel * 255)));
    return values;
  };
  std::multiset<int> validated;
  for (int64_t fold = 0; fold < 3; ++fold) {
    const std::multiset<int> val = rows_of(LEVIN_VAL, fold), train = rows_of(LEVIN_TRAIN, fold);
    CHECK(train.size() + val.size() == 20 * 6);
    for (const int pixel : val) CHECK(train.count(pixel) == 0);
    validated.insert(val.begin(), val.end());
  }
  for (int row = 0; row < 20; ++row) CHECK(validated.count(10 * row) == 6);
  CHECK_THROWS_WITH(DataDriver("mnist", {{"dir", folder.path()}, {"folds", 3}, {"fold", 3}}),
                    ContainsSubstring("fold 3 of 3 does not exist"));
}

TEST_CASE("mnist gives each class the same share of training and validation rows") {
  const IdxFolder folder;
  folder.write_set(30);  // ten rows of each of three classes
  for (const int seed : {0, 1, 2}) {
    DataDriver data("mnist", {{"dir", folder.path()}, {"val_rows", 6}, {"stratify", true}, {"split_seed", seed}});
    std::vector<int64_t> labels = data.fill(LEVIN_VAL, data.all(LEVIN_VAL)).y;
    std::sort(labels.begin(), labels.end());
    CHECK(labels == std::vector<int64_t>{0, 0, 1, 1, 2, 2});
  }
  CHECK_THROWS_WITH(DataDriver("mnist", {{"dir", folder.path()}, {"validate_on_test", true}, {"stratify", true}}),
                    ContainsSubstring("--data.stratify true and --data.validate_on_test exclude each other"));
}

TEST_CASE("mnist takes the training rows that a list names") {
  const IdxFolder folder;
  folder.write_set(20);
  const TempFolder lists;
  DataDriver data("mnist",
                  {{"dir", folder.path()}, {"val_list", lists.write("val", "19\n4\n")}, {"mean", 0.0}, {"std", 1.0}});
  CHECK((data.rows(LEVIN_TRAIN) == 18 && data.rows(LEVIN_TEST) == 10));
  const std::vector<float> pixels = data.fill(LEVIN_VAL, data.all(LEVIN_VAL)).x;
  CHECK(std::lround(255 * pixels[0]) == 40);
  CHECK(std::lround(255 * pixels[6]) == 190);
}

TEST_CASE("mnist refuses two options that say which rows validate") {
  const IdxFolder folder;
  folder.write_set(20);
  const auto made = [&](const levin::testing::Options& options) { DataDriver("mnist", options); };
  CHECK_THROWS_WITH(made({{"dir", folder.path()}, {"val_rows", 5}, {"val_fraction", 0.5}}),
                    ContainsSubstring("--data.val_fraction 0.5 and --data.val_rows 5 exclude each other"));
  CHECK_THROWS_WITH(made({{"dir", folder.path()}, {"val_fraction", 0.1}, {"folds", 5}}),
                    ContainsSubstring("--data.val_fraction 0.1 and --data.folds 5 exclude each other"));
}

TEST_CASE("mnist trains on all training rows where it validates on the test set") {
  const IdxFolder folder;
  folder.write_set(20);
  for (const levin::testing::Option& val_rows :
       {levin::testing::Option(levin::testing::Null()), levin::testing::Option(int64_t{0})}) {
    levin::testing::Options options({{"dir", folder.path()}, {"validate_on_test", true}});
    options.values["val_rows"] = val_rows;
    DataDriver data("mnist", options);
    CHECK(data.rows(LEVIN_TRAIN) == 20);
    CHECK(data.rows(LEVIN_VAL) == 10);
  }
  CHECK_THROWS_WITH(DataDriver("mnist", {{"dir", folder.path()}, {"validate_on_test", true}, {"val_fraction", 0.1}}),
                    ContainsSubstring("--data.val_fraction 0.1 and --data.validate_on_test exclude each other"));
}

TEST_CASE("mnist names a label that leaves out many, and the labels that no row has") {
  const IdxFolder folder;
  const auto said = [&](const std::string& train, const std::string& test) {
    const auto write = [&](const char* set, const std::string& labels) {
      const auto n = static_cast<uint32_t>(labels.size());
      folder.write(std::string(set) + "-images-idx3-ubyte", IdxFolder::bytes({n, 1, 1}, std::string(n, 'a')));
      folder.write(std::string(set) + "-labels-idx1-ubyte", IdxFolder::bytes({n}, labels));
    };
    write("train", train), write("t10k", test);
    levin::testing::FakeHost host;
    levin::testing::Component data(host, "mnist", {{"dir", folder.path()}, {"val_rows", 0}});
    levin::testing::setup(data, levin::Stage::fit);
    std::string text;
    for (const auto& message : host.messages)
      if (message.first == LEVIN_LOG_WARNING) text += message.second + "\n";
    return text;
  };
  const std::string three("\0\1\2\0\1\2", 6);
  CHECK(said(three, three) == "");
  CHECK_THAT(
      said(three + '\xc8', three),
      ContainsSubstring("has the labels 3 to 199, and the network gets outputs for them: is label 200 of row 6 of ") &&
          ContainsSubstring("train-labels-idx1-ubyte damaged?"));
  CHECK_THAT(said(three, three + "\5\5"), ContainsSubstring("label 5 of row 6 of ") &&
                                              ContainsSubstring("t10k-labels-idx1-ubyte (and of 1 other row)"));
  CHECK_THAT(said("\1\2\1\2", "\1"), ContainsSubstring("has the label 0, and the network gets an output for it\n"));
}

TEST_CASE("mnist has no validation split when no rows are kept for it") {
  const IdxFolder folder;
  folder.write_set(6);
  DataDriver data("mnist", {{"dir", folder.path()}, {"val_rows", 0}});
  CHECK(data.rows(LEVIN_TRAIN) == 6);
  CHECK(data.rows(LEVIN_VAL) == 0);
}

TEST_CASE("mnist normalises with the training rows' own mean and deviation, or with given ones") {
  const IdxFolder folder;
  folder.write_set(20);
  DataDriver own("mnist", {{"dir", folder.path()}});
  double sum = 0, squares = 0;
  const std::vector<float> pixels = pixels_of(own, LEVIN_TRAIN);
  for (float pixel : pixels) sum += pixel, squares += pixel * pixel;
  CHECK(sum / static_cast<double>(pixels.size()) == Approx(0).margin(1e-5));
  CHECK(squares / static_cast<double>(pixels.size()) == Approx(1));

  DataDriver given("mnist", {{"dir", folder.path()}, {"mean", 0.1307}, {"std", 0.3081}});
  CHECK(given.fill(LEVIN_TEST, {3}).x[0] == Approx((30 / 255.0 - 0.1307) / 0.3081));
  CHECK(given.fill(LEVIN_TEST, {3}).y[0] == 0);
}

TEST_CASE("mnist hands out the same row whatever is asked with it") {
  const IdxFolder folder;
  folder.write_set(20);
  DataDriver data("mnist", {{"dir", folder.path()}, {"crop", 1}, {"flip", true}});
  const FilledRows together = data.fill(LEVIN_TRAIN, {4, 0, 4, 7}), alone = data.fill(LEVIN_TRAIN, {7});
  CHECK(std::equal(alone.x.begin(), alone.x.end(), together.x.begin() + 18));
  CHECK(alone.y[0] == together.y[3]);
  CHECK(std::equal(together.x.begin(), together.x.begin() + 6, together.x.begin() + 12));
}

TEST_CASE("mnist moves and mirrors training images, anew in every epoch, and no others") {
  const IdxFolder folder;
  folder.write_set(20);
  DataDriver data("mnist", {{"dir", folder.path()}, {"crop", 2}, {"flip", true}, {"val_rows", 4}});
  const std::vector<int64_t> rows = data.all(LEVIN_TRAIN);
  CHECK(data.fill(LEVIN_TRAIN, rows, 0).x == data.fill(LEVIN_TRAIN, rows, 0).x);
  CHECK(data.fill(LEVIN_TRAIN, rows, 0).x != data.fill(LEVIN_TRAIN, rows, 1).x);
  CHECK(data.fill(LEVIN_TRAIN, rows, 0, 1).x != data.fill(LEVIN_TRAIN, rows, 0, 2).x);
  CHECK(data.fill(LEVIN_VAL, {0, 1}, 0).x == data.fill(LEVIN_VAL, {0, 1}, 1).x);
}

TEST_CASE("mnist knows the class names of Fashion-MNIST by the folder") {
  const IdxFolder folder("FashionMNIST");
  std::string labels;
  for (int i = 0; i < 10; ++i) labels += static_cast<char>(i);
  folder.write("train-images-idx3-ubyte", IdxFolder::bytes({10, 1, 1}, std::string(10, 'a')));
  folder.write("train-labels-idx1-ubyte", IdxFolder::bytes({10}, labels));
  DataDriver data("mnist", {{"dir", folder.path()}});
  CHECK(std::string(data.describe(LEVIN_TRAIN).fields[1].class_names[9]) == "Ankle boot");
  CHECK(data.rows(LEVIN_TEST) == 0);
}

TEST_CASE("mnist reads colour images of four dimensions, each channel with its own mean") {
  const IdxFolder folder;
  std::string pixels;
  for (int i = 0; i < 4; ++i) pixels += std::string{static_cast<char>(10 * i), static_cast<char>(200 - i)};
  folder.write("train-images-idx4-ubyte", IdxFolder::bytes({4, 2, 1, 1}, pixels));
  folder.write("train-labels-idx1-ubyte", IdxFolder::bytes({4}, std::string("\0\1\0\1", 4)));
  DataDriver data("mnist", {{"dir", folder.path()}, {"val_rows", 0}});
  CHECK(data.describe(LEVIN_TRAIN).fields[0].shape[0] == 2);
  const std::vector<float> x = pixels_of(data, LEVIN_TRAIN);
  CHECK(x[0] + x[2] + x[4] + x[6] == Approx(0).margin(1e-5));
  CHECK(x[1] + x[3] + x[5] + x[7] == Approx(0).margin(1e-5));
}

TEST_CASE("mnist refuses files that do not belong together") {
  const IdxFolder folder;
  const auto load = [&] { DataDriver("mnist", {{"dir", folder.path()}}); };
  CHECK_THROWS_WITH(load(), ContainsSubstring("dataset-fashion-mnist") && ContainsSubstring(folder.path()));
  folder.write_set(6);
  folder.write("t10k-images-idx3-ubyte", IdxFolder::bytes({3, 1, 1}, "abc"));
  CHECK_THROWS_WITH(load(), ContainsSubstring("different sizes"));
  folder.write("train-labels-idx1-ubyte", IdxFolder::bytes({5}, std::string(5, '\1')));
  CHECK_THROWS_WITH(load(), ContainsSubstring("6 rows") && ContainsSubstring("do not belong together"));
  folder.write("train-labels-idx1-ubyte", IdxFolder::bytes({2, 3, 1}, std::string(6, '\1')));
  CHECK_THROWS_WITH(load(), ContainsSubstring("labels have 1"));
}

TEST_CASE("mnist asks which set is meant where a folder holds several") {
  const IdxFolder folder;
  for (const char* set : {"letters", "digits"}) {
    const std::string start = std::string("emnist-") + set + "-train-";
    folder.write(start + "images-idx3-ubyte", IdxFolder::bytes({2, 1, 1}, "ab"));
    folder.write(start + "labels-idx1-ubyte", IdxFolder::bytes({2}, std::string("\0\1", 2)));
  }
  CHECK_THROWS_WITH(DataDriver("mnist", {{"dir", folder.path()}}), ContainsSubstring("prefix"));
  DataDriver data("mnist", {{"dir", folder.path()}, {"prefix", "emnist-letters-"}, {"val_rows", 0}});
  CHECK(data.rows(LEVIN_TRAIN) == 2);
}

TEST_CASE("mnist refuses rows that are not there, and a validation part that leaves nothing to train on") {
  const IdxFolder folder;
  folder.write_set(6);
  DataDriver data("mnist", {{"dir", folder.path()}});
  CHECK_THROWS_WITH(data.fill(LEVIN_TEST, {3}), ContainsSubstring("no row 3 of 3"));
  CHECK_THROWS_WITH(data.fill(LEVIN_TEST, {-1}), ContainsSubstring("no row -1"));
  CHECK_THROWS_WITH(DataDriver("mnist", {{"dir", folder.path()}, {"val_rows", 6}}),
                    ContainsSubstring("only 6 training rows"));
}

TEST_CASE("mnist scales, pads and repeats images for networks that want other sizes") {
  const IdxFolder folder;
  folder.write_set(20);
  DataDriver data("mnist", {{"dir", folder.path()},
                            {"val_rows", 6},
                            {"mean", 0.0},
                            {"std", 1.0},
                            {"resize", 4},
                            {"pad", 1},
                            {"channels", 3}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(std::vector<int64_t>(train.fields[0].shape, train.fields[0].shape + 3) == std::vector<int64_t>{3, 6, 6});
  const std::vector<float> x = data.fill(LEVIN_TRAIN, {1}).x;
  REQUIRE(x.size() == 3 * 36);
  for (size_t i = 0; i < 36; ++i) {
    const bool inside = i / 6 >= 1 && i / 6 <= 4 && i % 6 >= 1 && i % 6 <= 4;
    CHECK((x[i] > 0) == inside);  // each image of this set has a single grey value
    CHECK(x[i + 36] == x[i]);
    CHECK(x[i + 72] == x[i]);
  }
  CHECK(x[7] == x[28]);
}

TEST_CASE("images of several channels are not repeated") {
  const IdxFolder folder;
  folder.write("train-images-idx3-ubyte", IdxFolder::bytes({4, 2, 1, 1}, std::string(8, '\1')));
  folder.write("train-labels-idx1-ubyte", IdxFolder::bytes({4}, std::string("\0\1\0\1", 4)));
  CHECK_THROWS_WITH(DataDriver("mnist", {{"dir", folder.path()}, {"channels", 3}}),
                    ContainsSubstring("--data.channels 3") && ContainsSubstring("have 2 channels"));
  DataDriver two("mnist", {{"dir", folder.path()}, {"channels", 2}, {"val_rows", 1}});
  CHECK(two.describe(LEVIN_TRAIN).fields[0].shape[0] == 2);
}
