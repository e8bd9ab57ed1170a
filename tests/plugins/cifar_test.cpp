#include <zlib.h>

#include <cmath>
#include <cstdlib>

#include "catch.hpp"
#include "data_driver.hpp"
#include "plugins/cifar/pickle.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

// The sets that cifar_files.py writes.
struct Sets {
  TempFolder folder;
  Sets() {
    const std::string python = LEVIN_PYTHON, script = std::string(LEVIN_TESTS) + "/cifar_files.py";
    REQUIRE(std::system((python + " " + script + " " + folder.path().string()).c_str()) == 0);
  }
  std::string dir(const std::string& name) const { return folder.file(name); }
};

std::vector<uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("cifar reads binary files, pickles and the archive alike") {
  const Sets sets;
  for (const char* place : {"cifar-10-batches-bin", "cifar-10-batches-py", "cifar-10-python.tar.gz", "protocol-3",
                            "protocol-4", "protocol-5", ""}) {
    INFO(place);
    DataDriver data("cifar", {{"dir", sets.dir(place)}, {"val_rows", 0}, {"mean", 0.0}, {"std", 1.0}});
    CHECK(data.rows(LEVIN_TRAIN) == 20);
    CHECK(data.rows(LEVIN_TEST) == 4);
    const levin_split train = data.describe(LEVIN_TRAIN);
    CHECK(std::vector<int64_t>(train.fields[0].shape, train.fields[0].shape + 3) == std::vector<int64_t>{3, 32, 32});
    CHECK(train.fields[1].classes == 10);
    CHECK(std::string(train.fields[1].class_names[9]) == "name9");
    const FilledRows rows = data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN));
    for (size_t row = 0; row < 20; ++row) {
      CHECK(rows.y[row] == static_cast<int64_t>((row / 4 + row % 4) % 10));
      for (const size_t colour : {0, 1, 2})
        CHECK(rows.x[row * 3072 + colour * 1024 + 5] * 255 ==
              Approx(static_cast<double>(7 * (row / 4) + row % 4 + colour)).margin(1e-4));
    }
  }
  DataDriver known("cifar", {{"dir", sets.dir("")}, {"val_rows", 0}});
  CHECK(known.fill(LEVIN_TRAIN, {0}).x[0] == Approx((0 - 0.4914) / 0.2470));
}

TEST_CASE("cifar reads the fine and coarse labels of CIFAR-100") {
  const Sets sets;
  for (const char* place : {"cifar-100-binary", "cifar-100-python"})
    for (const char* classes : {"100", "20"}) {
      INFO(place);
      const bool fine = std::string(classes) == "100";
      DataDriver data("cifar", {{"dir", sets.dir(place)}, {"classes", classes}, {"validate_on_test", true}});
      CHECK(data.rows(LEVIN_TRAIN) == 4);
      CHECK(data.rows(LEVIN_VAL) == 4);
      CHECK(data.describe(LEVIN_TRAIN).fields[1].classes == (fine ? 100 : 20));
      CHECK(data.fill(LEVIN_TEST, {0, 3}).y == (fine ? std::vector<int64_t>{3, 6} : std::vector<int64_t>{1, 4}));
    }
}

TEST_CASE("cifar crops and flips training images by seed, epoch and row alone") {
  const Sets sets;
  DataDriver data("cifar", {{"dir", sets.dir("")}, {"val_rows", 4}, {"crop", 4}, {"flip", true}});
  const std::vector<int64_t> rows = data.all(LEVIN_TRAIN);
  CHECK(data.fill(LEVIN_TRAIN, rows, 1, 5).x == data.fill(LEVIN_TRAIN, rows, 1, 5).x);
  CHECK(data.fill(LEVIN_TRAIN, rows, 1, 5).x != data.fill(LEVIN_TRAIN, rows, 2, 5).x);
  CHECK(data.fill(LEVIN_VAL, {0}, 1, 5).x == data.fill(LEVIN_VAL, {0}, 2, 6).x);
}

TEST_CASE("the bytes of cifar are its numbers, with crops, flips and transforms") {
  const Sets sets;
  DataDriver plain("cifar", {{"dir", sets.dir("")}, {"val_rows", 4}, {"crop", 4}, {"flip", true}});
  DataDriver transformed(
      "cifar", {{"dir", sets.dir("")}, {"val_rows", 4}, {"transforms", "random_crop:24:4, mixup:1, normalize"}});
  for (DataDriver* data : {&plain, &transformed})
    for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL})
      CHECK(data->error_of_bytes(split, data->all(split), 3) < 2e-6f);
}

TEST_CASE("cifar refuses files that are not right, with the reason") {
  const Sets sets;
  const auto refuse = [&](const std::string& dir, const std::string& file, const std::string& content,
                          const std::string& reason, const char* classes = "10") {
    const std::string path = sets.dir(dir) + "/" + file, old = bytes_of(path);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    CHECK_THROWS_WITH(DataDriver("cifar", {{"dir", sets.dir(dir)}, {"classes", classes}}),
                      ContainsSubstring(reason) && ContainsSubstring(file));
    std::ofstream(path, std::ios::binary | std::ios::trunc) << old;
  };
  const std::string bin = "cifar-10-batches-bin", py = "cifar-10-batches-py", batch = "data_batch_2";
  std::string rows = bytes_of(sets.dir(bin) + "/data_batch_2.bin");
  refuse(bin, batch + ".bin", rows.substr(0, rows.size() - 1), "bytes, which are no rows of 3073");
  refuse(bin, batch + ".bin", "", "has 0 bytes");
  refuse("cifar-100-binary", "train.bin", rows, "which are no rows of 3074", "100");
  rows[3073] = 10, rows[2 * 3073] = '\xff';
  refuse(bin, batch + ".bin", rows, "has the label 10 in row 1 (and 1 more that are none); labels are 0 to 9");
  refuse(bin, "batches.meta.txt", "cat dog", "has 2 names, not 10");

  const std::string good = bytes_of(sets.dir(py) + "/" + batch);
  for (size_t keep = 0; keep < good.size(); keep += good.size() / 50)
    refuse(py, batch, good.substr(0, keep), "it ends too early");
  refuse(py, batch, "\x80\x02}.x", "does not end with one value");
  refuse(py, batch, "\x80\x02K\x05.", "holds no dictionary");
  refuse(py, batch, "\x80\x02}.", "has no array 'data' of bytes");
  refuse(py, batch, "\x80\x06\x95", "its protocol is newer than 5");
  for (const char* name : {"protocol-4", "protocol-5"}) {
    const std::string late = bytes_of(sets.dir(name) + "/" + batch);
    for (size_t keep = 0; keep < late.size(); keep += late.size() / 50) {
      const std::vector<uint8_t> cut = bytes(late.substr(0, keep));
      CHECK_THROWS_WITH(cifar::Pickle(cut, batch), ContainsSubstring("it ends too early"));
    }
  }
  std::string width = good;
  width[good.find(std::string("M\x00\x0c", 3)) + 1] = 1;
  refuse(py, batch, width, "bytes in 'data', not 12292");
  std::string label = good;
  label[good.find("]q\x02(K") + 5] = 77;
  refuse(py, batch, label, "has the label 77 in row 0; labels are 0 to 9");

  std::filesystem::remove(sets.dir(bin) + "/data_batch_3.bin");
  CHECK_THROWS_WITH(DataDriver("cifar", {{"dir", sets.dir(bin)}}),
                    ContainsSubstring("data_batch_3.bin is missing: the set is not whole"));
  const TempFolder empty;
  CHECK_THROWS_WITH(DataDriver("cifar", {{"dir", empty.path().string()}}),
                    ContainsSubstring("no files of cifar-10 in: ") && ContainsSubstring("cifar-10-binary.tar.gz"));
}

TEST_CASE("a pickle that would run something is refused, and nothing runs") {
  const TempFolder folder;
  const std::string touched = folder.file("touched");
  const auto refuse = [](const std::string& text, const std::string& reason) {
    const std::vector<uint8_t> content = bytes(text);
    CHECK_THROWS_WITH(cifar::Pickle(content, "data_batch_1"),
                      ContainsSubstring("data_batch_1 ") && ContainsSubstring(reason));
  };
  const std::string touch = "touch " + touched;
  refuse(
      "\x80\x02"
      "cposix\nsystem\nU" +
          std::string(1, static_cast<char>(touch.size())) + touch + "\x85R.",
      "would call posix.system, which no file of CIFAR does: it was not executed");
  refuse(
      "\x80\x02"
      "cbuiltins\neval\n.",
      "would call builtins.eval");
  refuse("\x80\x04\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x01x\x85R.", "would call posix.system");
  refuse("\x80\x04K\x01K\x02\x93.", "a function has no name");
  refuse("\x80\x04\x8c\x12numpy.core.numeric\x8c\x0d_frombufferxx\x93.", "would call numpy.core.numeric._frombufferxx");
  refuse("\x80\x05\x96\xff\xff\xff\xff\xff\xff\xff\x7f.", "it ends too early");
  refuse("\x80\x05\x94.", "a value is missing");
  refuse("\x80\x05\x97.", "the opcode 151");
  refuse("\x80\x02(iposix\nsystem\n.", "the opcode 105 is in no such file; it was not executed");
  refuse("\x80\x02Pid\n.", "the opcode 80");
  refuse(
      "\x80\x02"
      "cnumpy\nndarray\n)R.",
      "a call is not one of an array");
  refuse("\x80\x02}h\x07.", "a value is used before it is made");
  refuse("\x80\x02}(K\x01u.", "something else than a list or dictionary");
  refuse("\x80\x02t.", "a mark is missing");
  refuse(
      "\x80\x02"
      "a.",
      "a value is missing");
  CHECK(!std::filesystem::exists(touched));
  // Lists in each other, as deep as the file is long.
  const std::string deep = "\x80\x02}(U\x01x" + std::string(1000000, ']') + std::string(999999, 'a') + "u.";
  const std::vector<uint8_t> content = bytes(deep);
  CHECK(cifar::Pickle(content, "deep").has("x"));
}

TEST_CASE("a damaged archive is refused") {
  const Sets sets;
  const std::string good = bytes_of(sets.dir("cifar-10-python.tar.gz"));
  const auto refuse = [&](const std::string& content, const std::string& reason) {
    const std::string path = sets.folder.write("cut/cifar-10-python.tar.gz", content);
    CHECK_THROWS_WITH(DataDriver("cifar", {{"dir", path}}),
                      ContainsSubstring(reason) && ContainsSubstring("cifar-10-python.tar.gz"));
  };
  for (const size_t keep : {good.size() / 2, good.size() - 4}) refuse(good.substr(0, keep), "truncated");
  std::string changed = good;
  changed[good.size() - 6] = static_cast<char>(changed[good.size() - 6] ^ 1);
  refuse(changed, "damaged");
  refuse(std::string(600, 'x'), "is no tar archive, or damaged");
}

TEST_CASE("the transforms of cifar depend on seed, epoch and row, and are not random outside training") {
  const Sets sets;
  DataDriver data(
      "cifar", {{"dir", sets.dir("")}, {"val_rows", 4}, {"transforms", "random_crop:24:4, flip, erase:1, normalize"}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(std::vector<int64_t>(train.fields[0].shape, train.fields[0].shape + 3) == std::vector<int64_t>{3, 24, 24});
  const std::vector<int64_t> rows = data.all(LEVIN_TRAIN);
  const std::vector<float> all = data.fill(LEVIN_TRAIN, rows, 1, 5).x, last = data.fill(LEVIN_TRAIN, {15}, 1, 5).x;
  CHECK(std::equal(last.begin(), last.end(), all.end() - static_cast<int64_t>(last.size())));
  CHECK(all != data.fill(LEVIN_TRAIN, rows, 2, 5).x);
  CHECK(all != data.fill(LEVIN_TRAIN, rows, 1, 6).x);
  DataDriver plain("cifar", {{"dir", sets.dir("")}, {"val_rows", 4}});
  const std::vector<float> val = data.fill(LEVIN_VAL, {0}, 1, 5).x, whole = plain.fill(LEVIN_VAL, {0}).x;
  CHECK(val == data.fill(LEVIN_VAL, {0}, 2, 6).x);
  for (size_t y = 0; y < 24; ++y) CHECK(val[y * 24] == whole[(y + 4) * 32 + 4]);
}

TEST_CASE("cifar without normalize gives numbers from 0 to 1, and refuses options that the list replaces") {
  const Sets sets;
  const auto with = [&](const char* transforms, const levin::testing::Options& more) {
    Options options = more;
    options.set({"dir", sets.dir("")});
    options.set({"val_rows", 0});
    options.set({"transforms", transforms});
    return DataDriver("cifar", options);
  };
  CHECK(with("flip:0", {}).fill(LEVIN_TRAIN, {0}).x[0] == 0);
  CHECK_THROWS_WITH(with("flip", {{"crop", 4}}), ContainsSubstring("--data.crop may not be combined with "
                                                                   "--data.transforms: put random_crop:SIZE:4 into"));
  CHECK_THROWS_WITH(with("flip", {{"flip", true}}), ContainsSubstring("--data.flip may not"));
  CHECK_THROWS_WITH(with("flip", {{"resize", 8}}), ContainsSubstring("put resize:N into the list"));
  CHECK_THROWS_WITH(with("flip", {{"mean", 0.5}}), ContainsSubstring("put normalize at the end"));
  CHECK_THROWS_WITH(with("random_crop:40:2", {}), ContainsSubstring("images of 32 x 32 are too small"));
}

TEST_CASE(
    "with two views cifar gives a second one of each row, by seed, epoch and row, and the same in every validation") {
  const Sets sets;
  const auto with = [&](const char* transforms, int views = 2) {
    return DataDriver("cifar", {{"dir", sets.dir("")}, {"val_rows", 4}, {"transforms", transforms}, {"views", views}});
  };
  DataDriver data = with("random_crop:24:4, flip, normalize"), one = with("random_crop:24:4, flip, normalize", 1);
  const levin_split train = data.describe(LEVIN_TRAIN);
  REQUIRE(train.n_fields == 3);
  CHECK(std::string(train.fields[2].name) == "x2");
  CHECK(train.fields[2].role == LEVIN_ROLE_OTHER);
  const FilledRows rows = data.fill(LEVIN_TRAIN, {0, 1, 2}, 1, 5), alone = data.fill(LEVIN_TRAIN, {2}, 1, 5);
  CHECK(rows.x == one.fill(LEVIN_TRAIN, {0, 1, 2}, 1, 5).x);
  CHECK(rows.x != rows.second);
  CHECK(std::equal(alone.second.begin(), alone.second.end(),
                   rows.second.end() - static_cast<int64_t>(alone.second.size())));
  CHECK(rows.second != data.fill(LEVIN_TRAIN, {0, 1, 2}, 2, 5).second);
  CHECK(rows.second != data.fill(LEVIN_TRAIN, {0, 1, 2}, 1, 6).second);
  const FilledRows val = data.fill(LEVIN_VAL, {0, 1, 2}, 1, 5), later = data.fill(LEVIN_VAL, {0, 1, 2}, 2, 5);
  CHECK(val.x != val.second);
  CHECK((val.x == later.x && val.second == later.second));
  const FilledRows predicted = data.fill(LEVIN_PREDICT, {0}, 1, 5);
  CHECK(predicted.x == one.fill(LEVIN_PREDICT, {0}, 1, 5).x);
  CHECK_THROWS_WITH(with(""), ContainsSubstring("--data.views 2 needs --data.transforms"));
  CHECK_THROWS_WITH(with("flip, mixup"), ContainsSubstring("may not be combined with mixup"));
}

TEST_CASE(
    "with mixup the targets of cifar are probabilities, which depend on seed and epoch, and are whole in validation") {
  const Sets sets;
  DataDriver data("cifar",
                  {{"dir", sets.dir("")}, {"val_rows", 4}, {"transforms", "flip, mixup:1, cutmix, normalize"}});
  const levin_field y = data.describe(LEVIN_TRAIN).fields[1];
  CHECK(y.dtype.code == LEVIN_FLOAT);
  CHECK((y.ndim == 1 && y.shape[0] == 10 && y.classes == 10));
  const FilledRows rows = data.fill(LEVIN_TRAIN, {0, 1, 2, 3}, 1, 5),
                   again = data.fill(LEVIN_TRAIN, {0, 1, 2, 3}, 1, 5);
  CHECK(rows.x == again.x);
  CHECK(rows.probabilities == again.probabilities);
  CHECK(rows.x != data.fill(LEVIN_TRAIN, {0, 1, 2, 3}, 2, 5).x);
  for (size_t i = 0; i < 4; ++i) {
    float sum = 0;
    for (size_t c = 0; c < 10; ++c) sum += rows.probabilities[10 * i + c];
    CHECK(std::abs(sum - 1) < 1e-6f);
  }
  for (const float p : data.fill(LEVIN_VAL, data.all(LEVIN_VAL)).probabilities) CHECK((p == 0 || p == 1));
}
