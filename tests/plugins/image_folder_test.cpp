#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "data_driver.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

namespace fs = std::filesystem;

std::string picture(const std::string& name) { return bytes_of(std::string(LEVIN_GOLDEN) + "/images/" + name); }

// Writes images with the given names to a folder: {"cat/a.png", ...}; the content depends on the last letter of the
// name.
void fill_folder(const TempFolder& folder, const std::vector<std::string>& names) {
  const char* shown[] = {"rgb.png", "rgb.jpg", "grey.jpg", "interlaced.png"};
  for (const std::string& name : names)
    folder.write(name, picture(shown[static_cast<unsigned char>(name[name.find('.') - 1]) % 4]));
}

Options small(const TempFolder& folder, std::initializer_list<Options::Item> more = {}) {
  Options options({{"dir", folder.path().string()}, {"size", 8}, {"val_rows", 0}});
  for (const Options::Item& item : more) options.set(item);
  return options;
}

// The warnings of the data module with these options.
std::string warnings(const Options& options) {
  levin::testing::FakeHost host;
  levin::testing::Component data(host, "image_folder", options);
  levin::testing::setup(data, levin::Stage::fit);
  std::string text;
  for (const auto& message : host.messages)
    if (message.first == LEVIN_LOG_WARNING) text += message.second + "\n";
  return text;
}

std::vector<int64_t> labels(DataDriver& data, uint32_t split) { return data.fill(split, data.all(split)).y; }

std::vector<std::string> classes(DataDriver& data) {
  const levin_field y = data.describe(LEVIN_TRAIN).fields[1];
  return {y.class_names, y.class_names + y.classes};
}

}  // namespace

TEST_CASE("image_folder takes folders for classes, in the order of their bytes") {
  const TempFolder folder;
  fill_folder(folder, {"b/2.png", "b/10.jpg", "a/x.PNG", "a/deep/er/y.jpeg", "B/z.png"});
  folder.write(".hidden/x.png", "x");
  folder.write("a/.DS_Store", "x");
  folder.write("a/._x.png", "x");
  folder.write("__MACOSX/a/x.png", "x");
  DataDriver data("image_folder", small(folder));
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(train.rows == 5);
  CHECK(std::vector<int64_t>(train.fields[0].shape, train.fields[0].shape + 3) == std::vector<int64_t>{3, 8, 8});
  CHECK(classes(data) == std::vector<std::string>{"B", "a", "b"});
  CHECK(labels(data, LEVIN_TRAIN) == std::vector<int64_t>{0, 1, 1, 2, 2});
  CHECK(data.rows(LEVIN_VAL) == 0);
  CHECK(data.rows(LEVIN_TEST) == 0);
  CHECK(data.rows(LEVIN_PREDICT) == 5);
}

TEST_CASE("image_folder gives each class the same share of training, validation and test images") {
  const TempFolder folder;
  for (const char* name : {"a", "b", "c", "d", "e"})
    for (const char* of : {"cat/1", "cat/2", "dog/"}) fill_folder(folder, {of + std::string(name) + ".png"});
  DataDriver data("image_folder", small(folder, {{"val_rows", 6}, {"test_fraction", 0.2}, {"stratify", true}}));
  const auto dogs = [&](uint32_t split) {
    const std::vector<int64_t> found = labels(data, split);
    return std::count(found.begin(), found.end(), 1);
  };
  CHECK(dogs(LEVIN_TRAIN) == 2);
  CHECK(dogs(LEVIN_VAL) == 2);
  CHECK(dogs(LEVIN_TEST) == 1);
  CHECK_THROWS_WITH(DataDriver("image_folder", {{"dir", folder.path().string()}, {"folds", 6}, {"stratify", true}}),
                    ContainsSubstring("class 'dog' has 5 rows, and --data.folds 6 needs"));
}

TEST_CASE("image_folder keeps groups of a label file in one split, and reads lists of images") {
  const TempFolder folder;
  std::string table = "image,class,patient\n";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    const std::string file = std::string(name) + ".png";
    fill_folder(folder, {"set/" + file});
    table += file + "," + (name[0] % 2 ? "odd" : "even") + ",p" + std::to_string((name[0] - 'a') / 2) + "\n";
  }
  const auto opened = [&](std::initializer_list<Options::Item> more) {
    Options options({{"dir", folder.file("set")}, {"labels", folder.write("l.csv", table)}, {"size", 8}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("image_folder", options);
  };
  DataDriver grouped = opened({{"group", "patient"}, {"val_rows", 2}});
  CHECK(labels(grouped, LEVIN_VAL) == std::vector<int64_t>{1, 0});  // both images of a patient
  CHECK_THROWS_WITH(DataDriver("image_folder", small(folder, {{"group", "patient"}})),
                    ContainsSubstring("--data.group patient names a column of --data.labels"));
  CHECK_THROWS_WITH(opened({{"group", "patient"}, {"labels", folder.write("m.csv", table + "a.png,odd,p9\n")}}),
                    ContainsSubstring("m.csv:8: image 'a.png' is in the group 'p9', and in line 2 in 'p0'"));
  CHECK_THROWS_WITH(opened({{"group", "patient"}, {"labels", folder.write("m.csv", table + "a.png,odd,\n")}}),
                    ContainsSubstring("m.csv:8: the column 'patient' of --data.group has no value"));

  DataDriver listed =
      opened({{"val_list", folder.write("val", "b\nd.png\n")}, {"test_list", folder.write("test", "a\n")}});
  CHECK(labels(listed, LEVIN_VAL) == std::vector<int64_t>{0, 0});
  CHECK(labels(listed, LEVIN_TEST) == std::vector<int64_t>{1});
  CHECK(listed.rows(LEVIN_TRAIN) == 3);
}

TEST_CASE("image_folder divides one tree, or takes train, val and test where they are") {
  const TempFolder one;
  for (const char* name : {"a", "b", "c", "d", "e"})
    fill_folder(one, {"cat/" + std::string(name) + ".png", "dog/" + std::string(name) + ".png"});
  DataDriver tree("image_folder", small(one, {{"val_rows", 3}, {"test_fraction", 0.2}}));
  CHECK(tree.rows(LEVIN_TRAIN) == 5);
  CHECK(tree.rows(LEVIN_VAL) == 3);
  CHECK(tree.rows(LEVIN_TEST) == 2);
  CHECK(labels(tree, LEVIN_PREDICT) == labels(tree, LEVIN_TEST));

  const TempFolder three;
  fill_folder(three, {"train/cat/a.png", "train/dog/b.png", "valid/dog/c.png", "test/cat/d.png", "test/dog/e.png"});
  DataDriver split("image_folder", small(three, {{"val_rows", levin::testing::Null()}}));
  CHECK(split.rows(LEVIN_TRAIN) == 2);
  CHECK(labels(split, LEVIN_VAL) == std::vector<int64_t>{1});
  CHECK(labels(split, LEVIN_TEST) == std::vector<int64_t>{0, 1});

  fs::remove_all(three.file("valid"));
  fill_folder(three, {"train/cat/f.png", "train/cat/g.png"});
  DataDriver without_val("image_folder", small(three, {{"val_rows", 1}}));
  CHECK(without_val.rows(LEVIN_TRAIN) == 3);
  CHECK(without_val.rows(LEVIN_VAL) == 1);
  CHECK(without_val.rows(LEVIN_TEST) == 2);
}

TEST_CASE("image_folder knows the folders of splits in any letter case, and refuses those that are partly splits") {
  const TempFolder folder;
  const auto load = [&](std::initializer_list<Options::Item> more) {
    Options options({{"dir", folder.path().string()}, {"size", 8}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("image_folder", options);
  };
  fill_folder(folder, {"Train/cat/a.png", "Train/dog/b.png", "VAL/cat/c.png"});
  DataDriver data = load({});
  CHECK(classes(data) == std::vector<std::string>{"cat", "dog"});
  CHECK(data.rows(LEVIN_TRAIN) == 2);
  CHECK(data.rows(LEVIN_VAL) == 1);
  CHECK_THROWS_WITH(load({{"val_fraction", 0.5}}),
                    ContainsSubstring("--data.val_fraction 0.5 and the folder " + folder.file("VAL") + " exclude"));
  CHECK_THROWS_WITH(load({{"test_fraction", 0.5}}), ContainsSubstring("--data.test_fraction 0.5 and the folder "));

  fill_folder(folder, {"extra/d.png"});
  CHECK_THROWS_WITH(load({}),
                    ContainsSubstring(" has 'Train', 'VAL' with class folders, and beside that 'extra', which is "
                                      "neither train, val nor test: move it out of "));
  fs::remove_all(folder.file("extra"));
  fill_folder(folder, {"valid/cat/c.png"});
  CHECK_THROWS_WITH(load({}), ContainsSubstring("the folders 'VAL' and 'valid', which are both for val: join them"));
  fs::remove_all(folder.file("valid"));
  fs::remove_all(folder.file("Train"));
  CHECK_THROWS_WITH(load({}), ContainsSubstring(" has 'VAL', and no folder 'train'"));

  const TempFolder vehicles;
  fill_folder(vehicles, {"car/a.png", "train/b.png"});
  DataDriver kinds("image_folder", small(vehicles));
  CHECK(classes(kinds) == std::vector<std::string>{"car", "train"});
}

TEST_CASE("image_folder names images that are in no class folder") {
  const TempFolder one, three;
  fill_folder(one, {"cat/a.png", "dog/b.png"});
  CHECK(warnings(small(one)) == "");
  fill_folder(one, {"x.png", "y.jpg"});
  CHECK_THAT(warnings(small(one)), ContainsSubstring("left out what is in no class folder, 2 images: " +
                                                     one.file("x.png") + ", " + one.file("y.jpg")));
  fill_folder(three, {"train/cat/a.png", "train/dog/b.png", "val/cat/c.png", "a.png", "train/b.png", "val/c.png"});
  CHECK_THAT(warnings({{"dir", three.path().string()}, {"size", 8}}),
             ContainsSubstring("3 images: ") && ContainsSubstring(three.file("a.png")) &&
                 ContainsSubstring(three.file("train/b.png")) && ContainsSubstring(three.file("val/c.png")));
}

TEST_CASE("image_folder takes an image of the labels file once, and says which images it does not name") {
  const TempFolder folder;
  fill_folder(folder, {"all/a.png", "all/b.jpg", "all/c.png"});
  const auto options = [&](const std::string& csv) {
    return Options({{"dir", folder.file("all")}, {"labels", folder.write("l.csv", csv)}, {"size", 8}, {"val_rows", 0}});
  };
  const auto load = [&](const std::string& csv) { return DataDriver("image_folder", options(csv)); };
  CHECK_THROWS_WITH(load("f,k\na.png,cat\nb.jpg,dog\n./a,dog\n"),
                    ContainsSubstring("l.csv:4: image './a' has the class 'dog', and in line 2 it has 'cat'"));
  const std::string twice = "f,k\na.png,cat\nb.jpg,dog\na,cat\n";
  DataDriver once = load(twice);
  CHECK(once.rows(LEVIN_TRAIN) == 2);
  CHECK_THAT(warnings(options(twice)),
             ContainsSubstring("l.csv names 1 image again, with the same class: taken once") &&
                 ContainsSubstring("left out what " + folder.file("l.csv") + " does not name, 1 image: c.png"));
  CHECK(warnings(options("a.png,cat\nb.jpg,dog\nc.png,dog\n")) == "");
  CHECK_THROWS_WITH(load("gone.png,cat\na.png,cat\nb.jpg,dog\n"),
                    ContainsSubstring("l.csv:1: there is no image 'gone.png'"));
}

TEST_CASE("image_folder reads classes from a CSV file") {
  const TempFolder folder;
  fill_folder(folder, {"all/a.png", "all/b.jpg", "all/sub/c.png"});
  const auto read = [&](const std::string& csv, std::initializer_list<Options::Item> more = {}) {
    Options options(
        {{"dir", folder.file("all")}, {"labels", folder.write("l.csv", csv)}, {"size", 8}, {"val_rows", 0}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("image_folder", options);
  };
  DataDriver data = read("image,kind\nsub/c.png,10\na.png,9\nb.jpg,10\n");
  CHECK(classes(data) == std::vector<std::string>{"9", "10"});  // sorted as numbers
  CHECK(labels(data, LEVIN_TRAIN) == std::vector<int64_t>{1, 0, 1});
  DataDriver bare = read("a,cat\nb,dog\n");  // without header and extensions
  CHECK(labels(bare, LEVIN_TRAIN) == std::vector<int64_t>{0, 1});
  DataDriver named = read("id;kind;file\n0;x;a.png\n1;y;b.jpg\n", {{"file_column", "file"}, {"label_column", "kind"}});
  CHECK(classes(named) == std::vector<std::string>{"x", "y"});
  CHECK_THROWS_WITH(read("f,k\na.png,1\nno.png,2\n"), ContainsSubstring("l.csv:3: there is no image 'no.png' in "));
  const std::string outside = folder.file("all/a.png");
  CHECK_THROWS_WITH(read("f,k\na.png,1\n" + outside + ",2\n"), ContainsSubstring("there is no image '" + outside));
  CHECK_THROWS_WITH(read("f,k\na.png,1\n../all/a.png,2\n"), ContainsSubstring("there is no image '../all/a.png'"));
  REQUIRE(mkfifo(folder.file("all/pipe.png").c_str(), 0600) == 0);
  DataDriver pipe = read("f,k\na.png,1\npipe.png,2\n");
  CHECK_THROWS_WITH(labels(pipe, LEVIN_TRAIN), ContainsSubstring("pipe.png: is no file"));
  CHECK_THROWS_WITH(read("f,k\na.png,1\nb.jpg,\n"), ContainsSubstring("l.csv:3: image 'b.jpg' has no class"));
  CHECK_THROWS_WITH(read("f,k\na.png,1\nb.jpg,1\n"), ContainsSubstring("has one class only"));
  CHECK_THROWS_WITH(read("f,k\n"), ContainsSubstring("names no images"));
  CHECK_THROWS_WITH(read("f,k\na.png,1\n", {{"label_column", "label"}}), ContainsSubstring("its columns are f, k"));
}

TEST_CASE("image_folder reads classes from JSON: a list of objects, lines of objects, or one object") {
  const TempFolder folder;
  fill_folder(folder, {"all/a.png", "all/b.jpg", "all/sub/c.png"});
  const auto read = [&](const char* name, const std::string& json) {
    return DataDriver(
        "image_folder",
        {{"dir", folder.file("all")}, {"labels", folder.write(name, json)}, {"size", 8}, {"val_rows", 0}});
  };
  const auto reads = [&](const char* name, const std::string& json) {
    DataDriver data = read(name, json);
    CHECK(classes(data) == std::vector<std::string>{"9", "10"});
    CHECK(labels(data, LEVIN_TRAIN) == std::vector<int64_t>{1, 0});
  };
  reads("l.json", R"([{"file": "sub/c.png", "kind": 10}, {"file": "a", "kind": 9}])");
  reads(
      "l.jsonl",
      "{\"file_name\": \"sub/c.png\", \"label\": \"10\"}\n\n{\"label\": \"9\", \"file_name\": \"a\", \"more\": [1]}\n");
  reads("l.json", R"({"sub/c.png": 10, "a": "9"})");
  const auto refused = [&](const char* name, const std::string& json, const char* message) {
    CHECK_THROWS_WITH(read(name, json), ContainsSubstring(message));
  };
  refused("l.json", "{", "l.json: this is no JSON: it ends too early");
  refused("l.json", "[{\"f\": \"a\"},\n{\"f\" 7}]", "l.json: this is no JSON from line 2, byte 6 on");
  refused("l.json", "{\"f\": \"a\"}\n{\"f\": \"b\"}\n",
          "l.json: this is no JSON from line 2, byte 1 on: it has one object a line, so name it .jsonl");
  refused("l.jsonl", "{\"f\": \"a\", \"k\": 1}\n{\n", "l.jsonl:2: this is no JSON: it ends too early");
  refused("l.jsonl", "{\"f\": \"a\", \"k\": 1}\n{]\n", "l.jsonl:2: this is no JSON from byte 2 on");
  refused("l.json", R"({"images": [{"id": 1}], "annotations": []})",
          R"(the value of 'images' is no text and no number; write [{"file": "a.png", "label": "cat"}, ...] or)");
  refused("l.json", std::string(1000000, '['), "l.json: it is nested deeper than 100 levels");
  refused("l.json", R"([{"f": "a", "k": "1\u0000"}])", "l.json:1: 'k' has a zero byte");
  refused("l.json", "[]", "l.json: it has no entries");
  refused("l.json", "7", "neither a list of objects nor an object");
  refused("l.json", "[1]", "l.json:1: this entry is no object");
  refused("l.json", R"([{"f": "a", "k": [1]}])", "l.json:1: 'k' is no text and no number");
  refused("l.json", R"([{"f": "a", "k": 1}, {"f": "b"}])", "l.json:2: image 'b' has no class");
  refused("l.json", R"([{"f": "a", "k": 1}, {"f": "z", "k": 2}])", "l.json:2: there is no image 'z'");
}

TEST_CASE("image_folder reads ImageNet's layout: synsets with names, and a flat folder of validation images") {
  const TempFolder folder;
  fill_folder(folder, {"train/n01/a.png", "train/n01/b.jpg", "train/n02/c.png", "train/n03/d.png", "val/v_1.png",
                       "val/v_2.jpg", "val/v_3.png"});
  CHECK_THROWS_WITH(
      DataDriver("image_folder", {{"dir", folder.path().string()}, {"size", 8}}),
      ContainsSubstring("val has 3 images and no class folders") && ContainsSubstring("--data.val_labels"));
  const std::string names = folder.write("names.txt", "n03 crane\nn01 tench, Tinca tinca\r\nn02 crane\nn04 more\n");
  const std::string solution = folder.write(
      "val.csv", "ImageId,PredictionString\nv_2,n03 85 1 499 272 n03 1 2 3 4\nv_1,n01 1 2 3 4\nv_3,n03 \n");
  const auto open = [&](const std::string& of_val, const std::string& of_names) {
    return DataDriver(
        "image_folder",
        {{"dir", folder.path().string()}, {"val_labels", of_val}, {"synset_names", of_names}, {"size", 8}});
  };
  DataDriver data = open(solution, names);
  CHECK(classes(data) == std::vector<std::string>{"tench, Tinca tinca", "crane", "crane (n03)"});
  CHECK(labels(data, LEVIN_TRAIN) == std::vector<int64_t>{0, 0, 1, 2});
  CHECK(labels(data, LEVIN_VAL) == std::vector<int64_t>{0, 2, 2});
  CHECK_THROWS_WITH(open(folder.write("x.csv", "v_1,n09\n"), ""),
                    ContainsSubstring("x.csv:1: image 'v_1' has the class "
                                      "'n09', for which the training"));
  CHECK_THROWS_WITH(open(folder.write("x.csv", "f,k\nv_9,n01\n"), ""), ContainsSubstring("x.csv:2: there is no image"));
  CHECK_THROWS_WITH(open(solution, folder.write("few.txt", "n01 a\n")), ContainsSubstring("has no line 'n02 NAME'"));
  CHECK_THROWS_WITH(open(solution, folder.file("none.txt")), ContainsSubstring("none.txt: cannot be opened"));
}

TEST_CASE("image_folder predicts pictures of a folder of their own") {
  const TempFolder folder;
  fill_folder(folder, {"in/cat/a.png", "in/dog/b.png", "new/2.png", "new/more/1.png", "new/3.jpg"});
  DataDriver data("image_folder",
                  {{"dir", folder.file("in")}, {"size", 8}, {"val_rows", 0}, {"predict_dir", folder.file("new")}});
  CHECK(data.rows(LEVIN_PREDICT) == 3);
  CHECK(labels(data, LEVIN_PREDICT) == std::vector<int64_t>{0, 0, 0});
  folder.write("new/more/x.tif", "II*");
  folder.write("new/y.tif", "II*");
  folder.write("tifs/y.tif", "II*");
  const auto options = [&](const char* from) {
    return Options({{"dir", folder.file("in")}, {"size", 8}, {"val_rows", 0}, {"predict_dir", folder.file(from)}});
  };
  CHECK(warnings(options("new")) == folder.file("new") + ": left out what is no image: 2 .tif\n");
  CHECK_THROWS_WITH(DataDriver("image_folder", options("tifs")),
                    ContainsSubstring("tifs has no image to predict (but 1 .tif)"));
}

TEST_CASE("image_folder says what is wrong with a folder, and what to do") {
  const auto refused = [](const TempFolder& folder, const std::string& says,
                          std::initializer_list<Options::Item> more = {}) {
    CHECK_THROWS_WITH(DataDriver("image_folder", small(folder, more)), ContainsSubstring(says));
  };
  const TempFolder folder;
  CHECK_THROWS_WITH(DataDriver("image_folder", {{"dir", folder.file("no")}}),
                    ContainsSubstring("cannot read the folder") && ContainsSubstring("No such file"));
  try {
    DataDriver("image_folder", {{"dir", folder.file("no")}});
  } catch (const levin::Error& e) {
    CHECK(e.status() == LEVIN_E_NOT_FOUND);
  }
  refused(folder, "has no images");
  folder.write("notes.txt", "x");
  refused(folder, "has no images (but 1 .txt)");
  fill_folder(folder, {"a.png"});
  refused(folder, "has 1 image and no class folders: put those of each class into a folder");
  fill_folder(folder, {"pictures/cat/a.png"});
  fill_folder(folder, {"pictures/dog/a.png"});
  refused(folder, "did you mean --data.dir " + folder.file("pictures") + "?");
  fs::create_directories(folder.file("birds"));
  folder.write("birds/x.gif", "GIF89a");
  refused(folder, "the class folder " + folder.file("birds") + " has no image (but 1 .gif)");
  fs::remove_all(folder.file("birds"));
  fs::create_directory_symlink("../..", folder.file("pictures/dog/loop"));
  refused(folder, "pictures/dog/loop/pictures is a link that leads back to a folder above it");

  const TempFolder bytes;
  fill_folder(bytes, {"b\xe4r/a.png", "cat/a.png"});
  refused(bytes, "is not in UTF-8: rename it");

  const TempFolder split;
  fill_folder(split, {"train/cat/a.png", "train/dog/b.png", "val/dgo/c.png"});
  refused(split, "val/dgo is a class that " + split.file("train") + " does not have: is it misspelt?",
          {{"val_rows", levin::testing::Null()}});
  refused(split, "resize pad keeps the whole image", {{"resize", "pad"}, {"crop", "random"}});
  refused(split, "std is 0", {{"std", "0"}});
  refused(split, "mean has 2 numbers for 3 channels", {{"mean", "0.1,0.2"}});
  refused(split, "mean has 'image', which is no number; give imagenet", {{"mean", "image"}});
  refused(split, "channels is 2", {{"channels", 2}});
}

TEST_CASE("a damaged image stops with its name, or is left out and told of") {
  const TempFolder folder;
  fill_folder(folder, {"cat/a.png", "cat/b.jpg", "dog/c.png", "dog/d.png"});
  const std::string whole = picture("rgb.jpg");
  folder.write("cat/cut.jpg", whole.substr(0, whole.size() / 2));
  folder.write("dog/page.png", "<html>");
  fs::create_symlink("nowhere.png", folder.file("dog/link.png"));
  DataDriver stops("image_folder", small(folder));
  CHECK(stops.rows(LEVIN_TRAIN) == 7);
  CHECK_THROWS_WITH(labels(stops, LEVIN_TRAIN),
                    ContainsSubstring("cat/cut.jpg: is damaged: ") && ContainsSubstring("--data.damaged skip"));
  CHECK(stops.fill(LEVIN_TRAIN, {0}).y[0] == 0);

  CHECK_THROWS_WITH(DataDriver("image_folder", small(folder, {{"damaged", "check"}})),
                    ContainsSubstring("3 of 7 images cannot be read:") && ContainsSubstring("cat/cut.jpg") &&
                        ContainsSubstring("dog/page.png: is HTML") &&
                        ContainsSubstring("dog/link.png: cannot be opened"));

  levin::testing::FakeHost host;
  levin::testing::Component skips(host, "image_folder", small(folder, {{"damaged", "skip"}}));
  levin::testing::setup(skips, levin::Stage::fit);
  CHECK(levin::testing::describe(skips, levin::Split::train).rows == 4);
  const levin::testing::Rows rows = levin::testing::fill(skips, levin::Split::train, {0, 1, 2, 3});
  CHECK(rows.at(1, 1) == 0);
  CHECK(rows.at(1, 2) == 1);
  REQUIRE(!host.messages.empty());
  CHECK_THAT(host.messages[0].second, ContainsSubstring("left out: 3 of 7 images cannot be read"));
}

TEST_CASE("a file in the run's folder has all damaged images, and the message names it") {
  const TempFolder folder, run;
  for (int i = 0; i < 30; ++i) folder.write("cat/" + std::to_string(100 + i) + ".png", "<html>");
  fill_folder(folder, {"cat/a.png", "dog/b.png"});
  const auto start = [&](const char* damaged) {
    levin::testing::FakeHost host;
    levin::testing::Component data(host, "image_folder", small(folder, {{"damaged", damaged}}));
    levin::testing::run_dir(data, run.path().string());
    levin::testing::setup(data, levin::Stage::fit);
    return host.messages.at(0).second;
  };
  const std::string file = run.file("damaged_images.txt");
  const auto lines = [&] {
    const std::string text = bytes_of(file);
    return std::count(text.begin(), text.end(), '\n');
  };
  const std::string named = "30 of 32 images cannot be read; all of them are in " + file + ", the first is " +
                            folder.file("cat/100.png") + ": is HTML";
  CHECK_THROWS_WITH(start("check"), ContainsSubstring(named));
  CHECK(lines() == 30);
  CHECK_THAT(bytes_of(file), ContainsSubstring(folder.file("cat/129.png") + ": is HTML"));
  fs::remove(file);
  CHECK_THAT(start("skip"), ContainsSubstring("left out: " + named));
  CHECK(lines() == 30);
  CHECK(std::distance(fs::directory_iterator(run.path().string()), fs::directory_iterator()) == 1);
  for (int i = 0; i < 30; ++i) fs::remove(folder.file("cat/" + std::to_string(100 + i) + ".png"));
  start("skip");
  CHECK_FALSE(fs::exists(file));
}

TEST_CASE("image_folder crops and mirrors training images, anew in every epoch, by the seed, and no others") {
  const TempFolder folder;
  fill_folder(folder, {"train/cat/a.png", "train/dog/b.png", "val/cat/a.png"});
  for (const char* crop : {"random", "resized"}) {
    DataDriver data("image_folder",
                    small(folder, {{"crop", crop}, {"flip", true}, {"size", 6}, {"val_rows", levin::testing::Null()}}));
    CHECK(data.fill(LEVIN_TRAIN, {0, 1}, 3).x == data.fill(LEVIN_TRAIN, {0, 1}, 3).x);
    CHECK(data.fill(LEVIN_TRAIN, {0}, 0).x != data.fill(LEVIN_TRAIN, {0}, 1).x);
    CHECK(data.fill(LEVIN_TRAIN, {0}, 0, 1).x != data.fill(LEVIN_TRAIN, {0}, 0, 2).x);
    CHECK(data.fill(LEVIN_VAL, {0}, 0, 1).x == data.fill(LEVIN_VAL, {0}, 1, 2).x);
    const std::vector<float> both = data.fill(LEVIN_TRAIN, {1, 0}).x, one = data.fill(LEVIN_TRAIN, {0}).x;
    CHECK(std::equal(one.begin(), one.end(), both.begin() + static_cast<ptrdiff_t>(one.size())));
  }
  DataDriver flips("image_folder", small(folder, {{"flip", true}, {"val_rows", levin::testing::Null()}}));
  std::set<std::vector<float>> seen;
  for (int64_t epoch = 0; epoch < 20; ++epoch) seen.insert(flips.fill(LEVIN_TRAIN, {0}, epoch).x);
  CHECK(seen.size() == 2);
}

TEST_CASE("the bytes of image_folder are its numbers, with its own options and with transforms") {
  const TempFolder folder;
  fill_folder(folder, {"a/1.png", "a/2.jpg", "b/3.png", "b/4.jpg"});
  DataDriver own("image_folder", small(folder, {{"crop", "resized"}, {"flip", true}}));
  DataDriver listed("image_folder", {{"dir", folder.path().string()},
                                     {"val_rows", 0},
                                     {"transforms", "random_resized_crop:8, flip, mixup:1, normalize"}});
  DataDriver grey("image_folder",
                  small(folder, {{"channels", 1}, {"mean", "0.5"}, {"std", "0.25"}, {"resize", "pad"}}));
  for (DataDriver* data : {&own, &listed, &grey}) CHECK(data->error_of_bytes(LEVIN_TRAIN, {0, 1, 2, 3}, 3) < 2e-6f);
}

TEST_CASE("image_folder says when a checkpoint was made with other pictures") {
  const TempFolder folder, other, renamed;
  fill_folder(folder, {"cat/a.png", "dog/b.png"});
  fill_folder(other, {"cat/a.png", "dog/b.png", "dog/c.png"});
  fill_folder(renamed, {"ant/a.png", "bee/b.png"});
  levin::testing::FakeHost host;
  levin::testing::Component first(host, "image_folder", small(folder));
  levin::testing::setup(first, levin::Stage::fit);
  const levin::testing::State state = first.save();
  CHECK_THAT(host.messages.back().second,
             ContainsSubstring("2 classes (cat, dog); 2 images train, 0 validate, 0 test"));
  const auto load = [&](const TempFolder& pictures, levin::Stage stage) {
    levin::testing::Component again(host, "image_folder", small(pictures));
    levin::testing::setup(again, stage);
    host.messages.clear();
    again.load(state);
  };
  load(folder, levin::Stage::fit);
  load(other, levin::Stage::test);
  CHECK(host.messages.empty());
  load(other, levin::Stage::fit);
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("2 then, 3 now"));
  CHECK_THROWS_WITH(load(renamed, levin::Stage::test),
                    ContainsSubstring("trained to tell cat, dog apart, and ") && ContainsSubstring("has ant, bee"));
  levin::testing::Component early(host, "image_folder", small(folder));
  early.load(state);
  CHECK(early.save().bytes == state.bytes);
}

TEST_CASE("image_folder takes a single class for models that need none, and says so") {
  const TempFolder folder;
  fill_folder(folder, {"all/a.png", "all/b.png"});
  levin::testing::FakeHost host;
  levin::testing::Component data(host, "image_folder", small(folder));
  levin::testing::setup(data, levin::Stage::fit);
  CHECK_THAT(host.messages.at(0).second, ContainsSubstring("has only one class folder, all"));
}

TEST_CASE("image_folder normalises each channel") {
  const TempFolder folder;
  fill_folder(folder, {"cat/d.png", "dog/d.png"});
  const auto x = [&](const char* mean, const char* deviation) {
    return DataDriver("image_folder", small(folder, {{"mean", mean}, {"std", deviation}})).fill(LEVIN_TRAIN, {0}).x;
  };
  const std::vector<float> raw = x("0", "1"), each = x("0.1,0.2,0.3", "[0.5, 0.25, 1]"),
                           imagenet = x("imagenet", "imagenet");
  CHECK(each[5] == Approx((raw[5] - 0.1) / 0.5));
  CHECK(each[64 + 5] == Approx((raw[64 + 5] - 0.2) / 0.25));
  CHECK(imagenet[128 + 5] == Approx((raw[128 + 5] - 0.406) / 0.225));
}

TEST_CASE("image_folder's transforms give one size, and what its own options give") {
  const TempFolder folder;
  fill_folder(folder, {"a/x.png", "a/y.png", "b/z.jpg", "b/g.jpg"});
  const auto with = [&](const std::string& transforms, std::initializer_list<Options::Item> more = {}) {
    Options options({{"dir", folder.path().string()}, {"val_rows", 0}, {"transforms", transforms.c_str()}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("image_folder", options);
  };
  DataDriver listed = with("resize:6:8, normalize");
  const levin_field x = listed.describe(LEVIN_TRAIN).fields[0];
  CHECK(std::vector<int64_t>(x.shape, x.shape + 3) == std::vector<int64_t>{3, 6, 8});
  DataDriver own("image_folder",
                 {{"dir", folder.path().string()}, {"val_rows", 0}, {"size", 6}, {"width", 8}, {"resize", "stretch"}});
  CHECK(listed.fill(LEVIN_TRAIN, {0, 2}).x == own.fill(LEVIN_TRAIN, {0, 2}).x);  // the PNGs: JPEGs are decoded smaller
  for (const float number : with("resize:6:8").fill(LEVIN_TRAIN, {0, 1}).x) CHECK((number >= 0 && number <= 1));

  DataDriver random = with("resize:12, random_crop:8:1, flip, color_jitter, mixup, normalize");
  const FilledRows all = random.fill(LEVIN_TRAIN, {3, 0, 2}, 4, 9);
  CHECK(all.x == random.fill(LEVIN_TRAIN, {3, 0, 2}, 4, 9).x);
  CHECK(all.x != random.fill(LEVIN_TRAIN, {3, 0, 2}, 5, 9).x);
  CHECK(all.probabilities.size() == 6);
  CHECK(random.fill(LEVIN_PREDICT, {1}, 4, 9).x == random.fill(LEVIN_PREDICT, {1}, 5, 9).x);

  DataDriver views = with("random_resized_crop:8:0.3, normalize", {{"views", 2}});
  const FilledRows pair = views.fill(LEVIN_TRAIN, {3, 0}, 4, 9);
  CHECK(pair.x == with("random_resized_crop:8:0.3, normalize").fill(LEVIN_TRAIN, {3, 0}, 4, 9).x);
  CHECK((pair.second.size() == pair.x.size() && pair.second != pair.x));
}

TEST_CASE("image_folder refuses transforms that leave several sizes, and options that they replace") {
  const TempFolder folder;
  fill_folder(folder, {"a/x.png", "b/y.png"});
  const auto refused = [&](const char* transforms, const Options::Item& more, const char* message) {
    Options options({{"dir", folder.path().string()}, {"val_rows", 0}, {"transforms", transforms}});
    options.set(more);
    CHECK_THROWS_WITH(DataDriver("image_folder", options), ContainsSubstring(message));
  };
  const Options::Item nothing{"channels", 3};
  refused("flip, normalize", nothing, "--data.transforms flip, normalize leaves images of different sizes as they are");
  refused("resize:8, flip", nothing, "center_crop:SIZE");
  refused("resize:8:8", {"size", 9}, "--data.size may not be combined with --data.transforms: the list decides on the");
  refused("resize:8:8", {"flip", true}, "put flip into the list");
  refused("resize:8:8", {"crop", "random"}, "put random_crop:N or random_resized_crop:N into the list");
  refused("resize:8:8", {"resize", "pad"}, "--data.resize may not");
  refused("resize:8:8", {"mean", "0.5"}, "put normalize at the end of the list");
  DataDriver small("image_folder",
                   {{"dir", folder.path().string()}, {"val_rows", 0}, {"transforms", "random_crop:900"}});
  CHECK_THROWS_WITH(small.fill(LEVIN_TRAIN, {0}), ContainsSubstring("x.png: transform 'random_crop:900': images of "));
  CHECK_THROWS_WITH(
      DataDriver(
          "image_folder",
          {{"dir", folder.path().string()}, {"val_rows", 0}, {"damaged", "check"}, {"transforms", "random_crop:900"}}),
      ContainsSubstring("2 of 2 images cannot be read"));
}
