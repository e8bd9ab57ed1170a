#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "catch.hpp"
#include "data_driver.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

std::string golden(const std::string& file) { return bytes_of(std::string(LEVIN_GOLDEN) + "/masks/" + file); }

class Folders {
 public:
  TempFolder folder;
  // Adds an image and its mask: {"train/a", "b"}.
  explicit Folders(const std::vector<std::string>& names, const char* mask = "palette.png") {
    for (const std::string& name : names) {
      folder.write("images/" + name + ".png", golden("image.png"));
      folder.write("masks/" + name + ".png", golden(mask));
    }
  }
  DataDriver open(std::initializer_list<Options::Item> more = {}) const {
    Options options({{"images", folder.file("images")}, {"masks", folder.file("masks")}, {"classes", "3"}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("segmentation_folder", options);
  }
};

}  // namespace

TEST_CASE("lists of names divide the images, and leave out those without masks, as in PASCAL VOC") {
  const Folders folders({"2007_1", "2007_2", "2007_3"});
  folders.folder.write("images/2007_4.png", golden("image.png"));
  const std::string train = folders.folder.write("train.txt", "2007_1\n2007_3\n"),
                    val = folders.folder.write("val.txt", "2007_2\n");
  DataDriver data = folders.open({{"train_list", train}, {"val_list", val}});
  CHECK((data.rows(LEVIN_TRAIN) == 2 && data.rows(LEVIN_VAL) == 1 && data.rows(LEVIN_PREDICT) == 4));
  CHECK(data.fill(LEVIN_PREDICT, {3}).y[0] == -100);
  CHECK_THROWS_WITH(folders.open({{"val_list", val}}),
                    ContainsSubstring("images/2007_4.png has no mask") && ContainsSubstring("--data.train_list"));
  CHECK_THROWS_WITH(
      folders.open({{"train_list", folders.folder.write("t.txt", "2007_4\n2007_1\n")}, {"val_list", val}}),
      ContainsSubstring("images/2007_4.png has no mask"));
}

TEST_CASE("images and masks become what Pillow makes of them") {
  std::ifstream in(std::string(LEVIN_GOLDEN) + "/masks/masks.txt");
  int lines = 0;
  for (const char* kind : {"palette.png", "grey.png"}) {
    const Folders folders({"a", "b"}, kind);
    in.clear();
    in.seekg(0);
    for (std::string line; std::getline(in, line); ++lines) {
      const size_t bar = line.find(" |");
      std::istringstream numbers(line.substr(bar + 2));
      int64_t height = 0, width = 0;
      numbers >> height >> width;
      std::string list = line.substr(0, bar);
      INFO(list << " of " << kind);
      // The list has to give one size; this crop changes nothing where the result is square.
      if (list.find("resize:28") == 0) list += ", resize:28:44";
      if (list.find("flip") != std::string::npos || list.find("pad") == 0)
        list += ", resize:" + std::to_string(height) + ":" + std::to_string(width);
      DataDriver data = folders.open({{"val_rows", 0}, {"transforms", list.c_str()}});
      const FilledRows rows = data.fill(LEVIN_TRAIN, {1});
      REQUIRE(rows.y.size() == static_cast<size_t>(height * width));
      int worst = 0, wrong = 0;
      for (const float x : rows.x) {
        int wanted = -9;
        numbers >> wanted;
        worst = std::max(worst, std::abs(wanted - static_cast<int>(std::lround(255 * x))));
      }
      for (const int64_t y : rows.y) {
        int wanted = -9;
        numbers >> wanted;
        wrong += y != (wanted == 255 ? -100 : wanted);
      }
      CHECK(worst <= 1);
      CHECK(wrong == 0);
    }
  }
  CHECK(lines == 14);
}

TEST_CASE("segmentation_folder describes classes and splits, and its transforms depend on seed, epoch and row alone") {
  const Folders folders({"a", "b", "c", "d"});
  DataDriver data =
      folders.open({{"classes", "sky, road, car"},
                    {"val_rows", 1},
                    {"transforms", "resize:24:32, random_crop:16, flip, rotate:20, color_jitter, normalize"}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(train.rows == 3);
  CHECK(data.rows(LEVIN_VAL) == 1);
  const levin_field& y = train.fields[1];
  CHECK((y.ndim == 2 && y.shape[0] == 16 && y.shape[1] == 16 && y.classes == 3));
  CHECK(y.class_names[2] == std::string("car"));
  const FilledRows one = data.fill(LEVIN_TRAIN, {0, 1, 2}, 3, 9), last = data.fill(LEVIN_TRAIN, {2}, 3, 9);
  CHECK(std::equal(last.y.begin(), last.y.end(), one.y.end() - 256));
  CHECK(std::equal(last.x.begin(), last.x.end(), one.x.end() - 3 * 256));
  CHECK(one.y != data.fill(LEVIN_TRAIN, {0, 1, 2}, 4, 9).y);
  CHECK(data.fill(LEVIN_VAL, {0}, 3, 9).y == data.fill(LEVIN_VAL, {0}, 4, 8).y);
  for (const int64_t label : one.y) CHECK((label == -100 || (label >= 0 && label < 3)));
}

TEST_CASE("the bytes of segmentation_folder are its numbers") {
  const Folders folders({"a", "b", "c"}, "grey.png");
  DataDriver data = folders.open({{"val_rows", 1}, {"transforms", "resize:24:32, random_crop:16, flip, normalize"}});
  CHECK(data.error_of_bytes(LEVIN_TRAIN, {0, 1}, 3) < 2e-6f);
}

TEST_CASE("segmentation_folder takes train, val and test as they are, and predicts images without masks") {
  Folders folders({"train/a", "train/b", "val/c", "test/deep/d"});
  DataDriver data = folders.open();
  CHECK(data.rows(LEVIN_TRAIN) == 2);
  CHECK(data.rows(LEVIN_VAL) == 1);
  CHECK(data.rows(LEVIN_TEST) == 1);
  CHECK(data.rows(LEVIN_PREDICT) == 1);
  CHECK_THROWS_WITH(folders.open({{"val_fraction", 0.5}}), ContainsSubstring("exclude each other"));
  folders.folder.write("new/x.png", golden("image.png"));
  DataDriver predicts = folders.open({{"predict_dir", folders.folder.file("new")}});
  CHECK(predicts.rows(LEVIN_PREDICT) == 1);
  folders.folder.write("new/x.tif", "II*");
  CHECK(folders.open({{"predict_dir", folders.folder.file("new")}}).warnings() ==
        folders.folder.file("new") + ": left out what is no image: 1 .tif\n");
  const std::vector<int64_t> none = predicts.fill(LEVIN_PREDICT, {0}).y;
  CHECK(std::all_of(none.begin(), none.end(), [](int64_t label) { return label == -100; }));
}

TEST_CASE("segmentation_folder maps the values of masks to classes, and names a value that is none") {
  const Folders folders({"a", "b"});
  DataDriver swapped = folders.open({{"class_values", "2, 1, 0"}, {"val_rows", 0}, {"transforms", "center_crop:14"}});
  DataDriver plain = folders.open({{"val_rows", 0}, {"transforms", "center_crop:14"}});
  const std::vector<int64_t> ours = swapped.fill(LEVIN_TRAIN, {0}).y, theirs = plain.fill(LEVIN_TRAIN, {0}).y;
  for (size_t i = 0; i < ours.size(); ++i) CHECK(ours[i] == (theirs[i] < 0 ? theirs[i] : 2 - theirs[i]));
  DataDriver fourth = folders.open({{"classes", "4"}, {"class_values", "0, 1, 2, 255"}, {"val_rows", 0}});
  const std::vector<int64_t> all = fourth.fill(LEVIN_TRAIN, {0}).y;
  CHECK(std::count(all.begin(), all.end(), 3) > 0);
  CHECK(std::count(all.begin(), all.end(), -100) == 0);
  DataDriver unknown = folders.open({{"classes", "2"}, {"val_rows", 0}});
  CHECK_THROWS_WITH(unknown.fill(LEVIN_TRAIN, {0}), ContainsSubstring("masks/a.png: has the value 2 at x ") &&
                                                        ContainsSubstring("--data.class_values"));
  DataDriver strict = folders.open({{"ignore_value", levin::testing::Null()}, {"val_rows", 0}});
  CHECK_THROWS_WITH(strict.fill(LEVIN_TRAIN, {0}), ContainsSubstring("has the value 255 at x 9, y 5"));
}

TEST_CASE(
    "segmentation_folder names classes without a pixel, and stops where only one trains because others are ignored") {
  Folders folders({"a", "b"});
  CHECK(folders.open().warnings() == "");
  const std::string masks = folders.folder.file("masks");
  DataDriver fourth = folders.open({{"classes", "sky, road, car, sea"}, {"val_rows", 0}});
  CHECK_THAT(fourth.warnings(), ContainsSubstring(masks + ": class 'sea' has no pixel in the 2 training masks, and ") &&
                                    ContainsSubstring(" % of their pixels are 255, which --data.ignore_value leaves "
                                                      "out: if 255 is a class, give --data.class_values 0,1,2,255"));
  DataDriver none = folders.open({{"classes", "6"}, {"class_values", "0, 1, 2, 255, 9, 8"}, {"val_rows", 0}});
  CHECK(none.warnings() == masks + ": 2 classes ('4', '5') have no pixel in the 2 training masks\n");
  for (const char* name : {"masks/a.png", "masks/b.png"}) folders.folder.write(name, golden("binary.png"));
  CHECK_THROWS_WITH(folders.open({{"classes", "2"}}),
                    ContainsSubstring("class '1' has no pixel in the 2 training masks") &&
                        ContainsSubstring("give --data.class_values 0,255"));
  CHECK(folders.open({{"classes", "2"}, {"class_values", "0,255"}}).warnings() == "");
}

TEST_CASE("segmentation_folder says what is wrong with folders, masks and options") {
  Folders folders({"a", "b"});
  CHECK_THROWS_WITH(folders.open({{"classes", "1"}}), ContainsSubstring("classes names 1 classes; 2 to 255"));
  CHECK_THROWS_WITH(folders.open({{"classes", "many"}}), ContainsSubstring("give the number of classes"));
  CHECK_THROWS_WITH(folders.open({{"class_values", "0, 1"}}),
                    ContainsSubstring("class_values has 2 values for 3 classes"));
  CHECK_THROWS_WITH(folders.open({{"class_values", "0, 1, 1"}}), ContainsSubstring("class_values has 1 twice"));
  CHECK_THROWS_WITH(folders.open({{"class_values", "0, 1, 300"}}), ContainsSubstring("values of pixels are 0 to 255"));
  CHECK_THROWS_WITH(folders.open({{"transforms", "flip"}}), ContainsSubstring("leaves images of different sizes"));
  CHECK_THROWS_WITH(folders.open({{"transforms", "resize:8:8, mixup"}}), ContainsSubstring("leave them out"));
  CHECK_THROWS_WITH(folders.open({{"stratify", true}}), ContainsSubstring("has no single class"));
  CHECK_THROWS_WITH(folders.open({{"masks", folders.folder.file("nowhere")}}),
                    ContainsSubstring("cannot read the folder"));

  folders.folder.write("masks/b.png", bytes_of(std::string(LEVIN_GOLDEN) + "/images/grey.png"));
  DataDriver sizes = folders.open({{"val_rows", 0}});
  CHECK_THROWS_WITH(sizes.fill(LEVIN_TRAIN, {1}), ContainsSubstring("masks/b.png: the mask has 20 x 13 pixels, and ") &&
                                                      ContainsSubstring("images/b.png has 22 x 14"));
  CHECK_THROWS_WITH(folders.open({{"val_rows", 0}, {"damaged", "check"}}),
                    ContainsSubstring("1 of 2 images cannot be"));
  CHECK(folders.open({{"val_rows", 0}, {"damaged", "skip"}}).rows(LEVIN_TRAIN) == 1);
  folders.folder.write("masks/b.png", golden("image.png"));
  CHECK_THROWS_WITH(folders.open({{"val_rows", 0}}).fill(LEVIN_TRAIN, {1}),
                    ContainsSubstring("b.png: has colours; a mask"));
  folders.folder.write("masks/b.png", bytes_of(std::string(LEVIN_GOLDEN) + "/images/grey.jpg"));
  CHECK_THROWS_WITH(folders.open({{"val_rows", 0}}).fill(LEVIN_TRAIN, {1}),
                    ContainsSubstring("is no PNG; masks are PNGs"));
  folders.folder.write("images/c.jpg", "x");
  CHECK_THROWS_WITH(folders.open(), ContainsSubstring("images/c.jpg has no mask ") && ContainsSubstring("masks/c.png"));
}
