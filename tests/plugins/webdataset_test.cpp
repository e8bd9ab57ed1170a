#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "catch.hpp"
#include "data_driver.hpp"
#include "plugins/common/download/address.hpp"
#include "plugins/common/download/checksum.hpp"
#include "plugins/webdataset/buffer_order.hpp"
#include "plugins/webdataset/samples.hpp"
#include "tar_files.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

// A picture of 2 x 2 pixels of one grey level.
std::string pgm(int level) { return "P5 2 2 255\n" + std::string(4, static_cast<char>(level)); }

TarBytes shard(int first, int n, const char* ending = "cls") {
  TarBytes tar;
  for (int i = first; i < first + n; ++i)
    tar.add("a/" + std::to_string(i) + ".pgm", pgm(i))
        .add("a/" + std::to_string(i) + "." + ending, std::to_string(i % 3) + "\n");
  return tar;
}

class Shards {
 public:
  TempFolder folder;
  Shards() {
    folder.write("set/0.tar", shard(0, 4).bytes());
    folder.write("set/1.tar", shard(4, 4).bytes());
  }
  DataDriver open(std::initializer_list<Options::Item> more = {}) const {
    Options options({{"shards", folder.file("set")}, {"mean", "0"}, {"std", "1"}, {"channels", 1}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("webdataset", options);
  }
  // Opens a single archive, of which all samples train.
  DataDriver one(const std::string& tar, std::initializer_list<Options::Item> more = {}) const {
    const std::string path = folder.write("one.tar", tar);
    Options options({{"shards", path}, {"mean", "0"}, {"std", "1"}, {"channels", 1}, {"val_rows", 0}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("webdataset", options);
  }
};

std::vector<int> levels_of(const FilledRows& rows) {
  std::vector<int> levels;
  for (size_t i = 0; i < rows.x.size(); i += 4) levels.push_back(static_cast<int>(std::lround(255 * rows.x[i])));
  return levels;
}

// A server that gives the same answer to every request.
class Server {
 public:
  Server() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof any;
    REQUIRE(bind(socket_, reinterpret_cast<sockaddr*>(&any), size) == 0);
    REQUIRE(getsockname(socket_, reinterpret_cast<sockaddr*>(&any), &size) == 0);
    REQUIRE(listen(socket_, 8) == 0);
    port_ = ntohs(any.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  void answer(const std::string& status, const std::string& body) {
    const std::lock_guard<std::mutex> lock(mutex_);
    answer_ = "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
              "\r\n\r\n" + body;
  }

 private:
  void serve() {
    for (int client; (client = accept(socket_, nullptr, nullptr)) >= 0; close(client)) {
      std::string request(4096, 0);
      if (recv(client, request.data(), request.size(), 0) <= 0) continue;
      const std::lock_guard<std::mutex> lock(mutex_);
      for (size_t sent = 0; sent < answer_.size();) {
        const ssize_t n = send(client, answer_.data() + sent, answer_.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) break;
        sent += static_cast<size_t>(n);
      }
    }
  }

  const int socket_;
  int port_ = 0;
  std::mutex mutex_;
  std::string answer_;
  std::thread thread_;
};

}  // namespace

TEST_CASE("webdataset takes the samples that lists name by their keys") {
  const Shards shards;
  DataDriver data = shards.open({{"val_list", shards.folder.write("val", "a/6\na/1\n")}});
  CHECK(levels_of(data.fill(LEVIN_VAL, data.all(LEVIN_VAL))) == std::vector<int>{1, 6});
  CHECK(data.rows(LEVIN_TRAIN) == 6);
}

TEST_CASE("webdataset keeps the samples of a group in one part") {
  const Shards shards;
  TarBytes tar;
  for (int i = 0; i < 12; ++i) {
    const std::string key = "s" + std::to_string(i), patient = std::to_string(i / 3);
    tar.add(key + ".pgm", pgm(i)).add(key + ".cls", std::to_string(i % 3));
    tar.add(key + ".who", patient + "\n").add(key + ".json", R"({"patient": )" + patient + R"(, "unit": null})");
  }
  for (const char* group : {"who", "json:patient"}) {
    DataDriver data = shards.one(tar.bytes(), {{"group", group}, {"val_rows", 3}});
    const std::vector<int> val = levels_of(data.fill(LEVIN_VAL, data.all(LEVIN_VAL)));
    REQUIRE(val.size() == 3);
    CHECK((val[0] % 3 == 0 && val[1] == val[0] + 1 && val[2] == val[0] + 2));
  }
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"group", "ward"}, {"val_rows", 3}}),
                    ContainsSubstring("s0 has no member .ward, the group; it has .cls, .json, .pgm, .who"));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"group", "json:unit"}, {"val_rows", 3}}),
                    ContainsSubstring("s0.json has no group 'unit'"));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"group", "json"}, {"val_rows", 3}}),
                    ContainsSubstring("--data.group json: give an ending, such as cls, or json:KEY"));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"group", "txt:unit"}, {"val_rows", 3}}),
                    ContainsSubstring("--data.group txt:unit: give an ending, such as cls, or json:KEY"));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"group", "who"}, {"stratify", true}, {"val_rows", 3}}),
                    ContainsSubstring("--data.group who"));
  // Samples of test shards need no group.
  const std::string test = shards.folder.write("test.tar", shard(0, 4).bytes());
  CHECK(shards.one(tar.bytes(), {{"group", "who"}, {"val_rows", 3}, {"test_shards", test}}).rows(LEVIN_TEST) == 4);
}

TEST_CASE("with mixup the targets of webdataset are probabilities, mixed in training alone") {
  const Shards shards;
  const std::string unknown = shards.folder.write("new.tar", TarBytes().add("n.pgm", pgm(9)).bytes());
  DataDriver data = shards.open({{"val_rows", 2}, {"transforms", "mixup:1, normalize"}, {"predict_shards", unknown}});
  const levin_field y = data.describe(LEVIN_TRAIN).fields[1];
  CHECK((y.classes == 3 && y.dtype.code == LEVIN_FLOAT));
  const FilledRows rows = data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN), 1, 7);
  CHECK(rows.probabilities == data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN), 1, 7).probabilities);
  CHECK(rows.probabilities != data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN), 2, 7).probabilities);
  bool is_mixed = false;
  for (size_t i = 0; i < 6; ++i) {
    float sum = 0;
    for (size_t c = 0; c < 3; ++c) sum += rows.probabilities[3 * i + c];
    CHECK(std::abs(sum - 1) < 1e-6f);
    is_mixed |= rows.probabilities[3 * i] > 0.01f && rows.probabilities[3 * i] < 0.99f;
  }
  CHECK(is_mixed);
  for (const float p : data.fill(LEVIN_VAL, data.all(LEVIN_VAL)).probabilities) CHECK((p == 0 || p == 1));
  CHECK(levels_of(data.fill(LEVIN_PREDICT, {0})) == std::vector<int>{9});
}

TEST_CASE("webdataset reads the samples of shards in their order") {
  const Shards shards;
  DataDriver data = shards.open({{"val_rows", 2}, {"test_fraction", 0.25}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK((train.rows == 4 && data.rows(LEVIN_VAL) == 2 && data.rows(LEVIN_TEST) == 2));
  CHECK((train.fields[0].ndim == 3 && train.fields[0].shape[0] == 1 && train.fields[0].shape[1] == 2));
  CHECK(train.fields[1].classes == 3);
  std::vector<int> all;
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL, LEVIN_TEST}) {
    const FilledRows rows = data.fill(split, data.all(split));
    const std::vector<int> levels = levels_of(rows);
    CHECK(std::is_sorted(levels.begin(), levels.end()));
    for (size_t i = 0; i < levels.size(); ++i) CHECK(rows.y[i] == levels[i] % 3);
    all.insert(all.end(), levels.begin(), levels.end());
  }
  std::sort(all.begin(), all.end());
  CHECK(all == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(data.error_of_bytes(LEVIN_TRAIN, data.all(LEVIN_TRAIN)) < 2e-6f);

  CHECK(shards.open({{"shards", shards.folder.file("set/{0..1}.tar")}, {"val_rows", 0}}).rows(LEVIN_TRAIN) == 8);
  CHECK(shards.open({{"shards", shards.folder.file("set/*.tar")}, {"val_rows", 0}}).rows(LEVIN_TRAIN) == 8);
  DataDriver own = shards.open({{"shards", shards.folder.file("set/0.tar")},
                                {"val_shards", shards.folder.file("set/1.tar")},
                                {"predict_shards", shards.folder.file("set")}});
  CHECK((own.rows(LEVIN_TRAIN) == 4 && own.rows(LEVIN_VAL) == 4 && own.rows(LEVIN_PREDICT) == 8));
}

TEST_CASE("a shuffle buffer gives each sample once, in an order of seed and epoch, and reads shards nearly in order") {
  std::vector<uint32_t> shards;
  for (uint32_t i = 0; i < 1000; ++i) shards.push_back(i / 100);
  const std::vector<uint32_t> order = webdataset::buffer_order(shards, 50, 7, 3);
  CHECK(std::set<uint32_t>(order.begin(), order.end()).size() == 1000);
  CHECK(order.size() == 1000);
  CHECK(order == webdataset::buffer_order(shards, 50, 7, 3));
  CHECK(order != webdataset::buffer_order(shards, 50, 7, 4));
  CHECK(order != webdataset::buffer_order(shards, 50, 8, 3));
  for (size_t i = 0; i < 300; ++i) {  // most of the first 300 samples are of three or four shards
    std::set<uint32_t> open(shards.begin(), shards.begin());
    for (size_t k = i; k < i + 20; ++k) open.insert(shards[order[k]]);
    CHECK(open.size() <= 6);
  }
  const std::vector<uint32_t> none = webdataset::buffer_order(shards, 1, 7, 3);
  for (size_t i = 0; i < 1000; ++i) CHECK(none[i] % 100 == i % 100);

  const Shards files;
  DataDriver data = files.open({{"val_rows", 2}, {"shuffle_buffer", 3}});
  const std::vector<int64_t> all = data.all(LEVIN_TRAIN);
  const FilledRows whole = data.fill(LEVIN_TRAIN, all, 5, 9);
  const std::vector<int> levels = levels_of(whole);
  CHECK(std::set<int>(levels.begin(), levels.end()).size() == 6);
  std::vector<int>
      alone;  // as ranks and workers ask for them: in any order, in any pieces, from other epochs in between
  for (const int64_t i : all) {
    data.fill(LEVIN_TRAIN, {0}, 6 + i, 9);
    alone.push_back(levels_of(data.fill(LEVIN_TRAIN, {i}, 5, 9))[0]);
  }
  CHECK(alone == levels);
  std::set<std::vector<int>> epochs;
  for (int64_t epoch = 0; epoch < 8; ++epoch) epochs.insert(levels_of(data.fill(LEVIN_TRAIN, all, epoch, 9)));
  CHECK(epochs.size() > 4);
}

TEST_CASE("members belong to a sample by their name up to the first dot of the file name") {
  std::string key, field;
  CHECK((webdataset::cut_name("a.b/17.seg.PNG", key, field) && key == "a.b/17" && field == "seg.png"));
  CHECK((webdataset::cut_name("x.jpg", key, field) && key == "x" && field == "jpg"));
  for (const char* name : {"README", "a/.hidden", "a.b/c", "", "/", "a/"})
    CHECK_FALSE(webdataset::cut_name(name, key, field));
}

TEST_CASE("webdataset reads classes that are texts, numbers of JSON, and arrays") {
  const Shards shards;
  const std::string npy("\x93NUMPY\x01\x00\x38\x00{'descr': '<u2', 'fortran_order': False, 'shape': (2,)}\n", 66);
  TarBytes tar;
  for (int i = 0; i < 3; ++i) {
    const std::string key = "s" + std::to_string(i);
    tar.add(key + ".json", R"({"age": )" + std::to_string(i) + R"(.5, "kind": ")" + (i == 1 ? "cat" : "dog") + "\"}");
    tar.add(key + ".x.npy", npy + std::string{static_cast<char>(i), 1, 7, 0});
  }
  DataDriver numbers = shards.one(tar.bytes(), {{"target", "json:age"}, {"task", "regression"}});
  CHECK(numbers.describe(LEVIN_TRAIN).fields[1].dtype.code == LEVIN_FLOAT);
  DataDriver texts = shards.one(tar.bytes(), {{"target", "json:kind"}});
  const levin_field y = texts.describe(LEVIN_TRAIN).fields[1];
  CHECK((y.classes == 2 && y.class_names[0] == std::string("cat") && y.class_names[1] == std::string("dog")));
  const FilledRows rows = texts.fill(LEVIN_TRAIN, {0, 1, 2});
  CHECK(rows.y == std::vector<int64_t>{1, 0, 1});
  CHECK(rows.x == std::vector<float>{256, 7, 257, 7, 258, 7});
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"target", "json:sex"}}),
                    ContainsSubstring("one.tar:s0.json has no target 'sex'"));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"target", "json:kind"}, {"task", "regression"}}),
                    ContainsSubstring("is 'dog', which is no number"));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"target", "txt:kind"}}),
                    ContainsSubstring("give an ending, such as cls"));
  CHECK_THROWS_WITH(
      shards.one(tar.bytes(), {{"target", "json:kind"}, {"transforms", "flip, normalize"}, {"damaged", "skip"}}),
      ContainsSubstring("--data.transforms is for images, and .x.npy members are arrays"));
  tar.add("s3.json", R"({"age": 1, "kind": "dog"})").add("s3.x.npy", npy.substr(0, 60));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"target", "json:kind"}}).fill(LEVIN_TRAIN, {3}),
                    ContainsSubstring("one.tar:s3: its array is truncated"));
  CHECK(shards.one(tar.bytes(), {{"target", "json:kind"}, {"damaged", "skip"}}).rows(LEVIN_TRAIN) == 3);
}

TEST_CASE("webdataset does not train on an array with a NaN") {
  const Shards shards;
  const std::string npy("\x93NUMPY\x01\x00\x38\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\n", 66);
  TarBytes tar;
  for (int i = 0; i < 3; ++i)
    tar.add("s" + std::to_string(i) + ".cls", i % 2 ? "1" : "0")
        .add("s" + std::to_string(i) + ".npy", npy + std::string(i == 1 ? "\0\0\xc0\x7f" : "\0\0\x80\x3f", 4));
  CHECK_THROWS_WITH(shards.one(tar.bytes(), {{"damaged", "check"}}),
                    ContainsSubstring("its array has an element that is NaN or infinite"));
}

TEST_CASE("an archive with links, special files or names that lead outside is refused, whatever is skipped") {
  const Shards shards;
  for (const char* name : {"../x.pgm", "a/../../x.pgm", "/etc/x.pgm", "a/.."})
    CHECK_THROWS_WITH(shards.one(shard(0, 2).add(name, "x").bytes(), {{"damaged", "skip"}}),
                      ContainsSubstring(std::string("has the member '") + name + "', which leads out of its folder"));
  for (const char type : {'1', '2'})
    CHECK_THROWS_WITH(shards.one(shard(0, 2).add("5.pgm", "", type).bytes(), {{"damaged", "skip"}}),
                      ContainsSubstring("has the link '5.pgm': links are refused"));
  for (const char type : {'3', '4', '6', 'S'})
    CHECK_THROWS_WITH(shards.one(shard(0, 2).add("5.pgm", "", type).bytes(), {{"damaged", "skip"}}),
                      ContainsSubstring("files are refused"));
  // A long name comes before its member, by GNU tar or in a pax record.
  const std::string record = "18 path=../../x.y\n";
  CHECK_THROWS_WITH(shards.one(shard(0, 2).add("pax", record, 'x').add("x.y", "").bytes()),
                    ContainsSubstring("leads out of its folder"));
  CHECK_THROWS_WITH(shards.one(shard(0, 2).add("long", "../x.y", 'L').add("x.y", "").bytes()),
                    ContainsSubstring("leads out of its folder"));
  CHECK(shards.one(shard(0, 2).add("a", "", '5').add("..a/b..c/README", "").bytes()).rows(LEVIN_TRAIN) == 2);
}

TEST_CASE("a truncated archive is never taken for a whole one") {
  const Shards shards;
  const std::string whole = shard(0, 4).open();
  for (size_t n = 0; n <= whole.size(); n += n % 512 == 0 ? 1 : 511) {
    INFO(n);
    CHECK_THROWS_WITH(shards.one(whole.substr(0, n)), ContainsSubstring("one.tar is no tar archive, or damaged: "));
  }
  CHECK(shards.one(whole.substr(0, 5 * 1024 + 100), {{"damaged", "skip"}}).rows(LEVIN_TRAIN) == 2);
  CHECK_THROWS_WITH(shards.one(whole.substr(0, 5 * 1024 + 513), {{"damaged", "check"}}),
                    ContainsSubstring("it is truncated, within a/2.cls"));
  CHECK_THROWS_WITH(shards.one(""), ContainsSubstring("it is truncated"));
  CHECK_THROWS_WITH(shards.one(TarBytes().add("a.pgm", "x", '0', 077777777777).bytes()),
                    ContainsSubstring("it is truncated, within a.pgm"));
  CHECK_THROWS_WITH(shards.one("\x1f\x8b" + std::string(600, 'x')), ContainsSubstring("compressed by gzip"));
  CHECK_THROWS_WITH(shards.one(TarBytes().bytes()), ContainsSubstring("no sample that can be used"));
  CHECK_THROWS_WITH(shards.one(TarBytes().add("n", "", 'L', 1 << 30).bytes() + std::string(600, 'x')),
                    ContainsSubstring("damaged"));
}

TEST_CASE("webdataset says what is wrong with samples, classes and options") {
  const Shards shards;
  CHECK_THROWS_WITH(shards.open({{"shards", shards.folder.file("nowhere.tar")}}),
                    ContainsSubstring("nowhere.tar: there is no such file"));
  shards.folder.write("empty/x.txt", "");
  CHECK_THROWS_WITH(shards.open({{"shards", shards.folder.file("empty")}}),
                    ContainsSubstring("the folder has no .tar file"));
  CHECK_THROWS_WITH(shards.open({{"input", "jpg"}}),
                    ContainsSubstring("0.tar:a/0 has no member .jpg; it has .cls, .pgm"));
  CHECK_THROWS_WITH(shards.open({{"target", "txt"}}),
                    ContainsSubstring("has no member .txt, the target; it has .cls, .pgm"));
  CHECK_THROWS_WITH(shards.open({{"stratify", true}, {"task", "regression"}}), ContainsSubstring("needs classes"));
  CHECK_THROWS_WITH(shards.open({{"task", "regression"}, {"transforms", "resize:4, mixup, normalize"}}),
                    ContainsSubstring("mixup and cutmix mix classes: leave them out with --data.task regression"));
  shards.folder.write("val.tar", TarBytes().add("v.pgm", pgm(1)).add("v.cls", "7").bytes());
  CHECK_THROWS_WITH(shards.open({{"val_shards", shards.folder.file("val.tar")}}),
                    ContainsSubstring("val.tar:v.cls is '7', which is none of the classes that train"));
  TarBytes two = shard(0, 2);
  two.add("big.pgm", "P5 3 2 255\nxxxxxx").add("big.cls", "1");
  CHECK_THROWS_WITH(shards.one(two.bytes()).fill(LEVIN_TRAIN, {2}),
                    ContainsSubstring("one.tar:big: has 2 x 3 pixels, and the first sample has others"));
  two.add("huge.pgm", "P5 900000000 900000000 255\nx").add("huge.cls", "1");
  two.add("bad.jpg", "no").add("bad.pgm", "P5 2 2 255\n123").add("bad.cls", "1");
  DataDriver skips = shards.one(two.bytes(), {{"damaged", "skip"}});
  CHECK(skips.rows(LEVIN_TRAIN) == 2);
  CHECK_THROWS_WITH(shards.one(two.bytes(), {{"damaged", "check"}}), ContainsSubstring("max_megapixels"));
  CHECK_THROWS_WITH(shards.one(TarBytes(shard(0, 1)).add("9.pgm", pgm(1)).add("9.pgm", pgm(1)).bytes()),
                    ContainsSubstring("one.tar:9.pgm is there twice"));
  CHECK_THROWS_WITH(shards.one(shard(0, 1).bytes()), ContainsSubstring("all samples have the class '0'"));

  DataDriver changed = shards.one(shard(0, 3).bytes());
  shards.folder.write("one.tar", shard(0, 5).bytes());
  CHECK_THROWS_WITH(changed.fill(LEVIN_TRAIN, {0}), ContainsSubstring("was changed while it was in use"));
}

TEST_CASE("most targets are numbers: webdataset makes no class of a text, a fraction, or a negative or huge number") {
  const Shards shards;
  const auto with = [&](const std::string& last, const char* damaged = "stop") {
    TarBytes tar = shard(0, 4);
    tar.add("a/4.pgm", pgm(4)).add("a/4.cls", last);
    return shards.one(tar.bytes(), {{"damaged", damaged}});
  };
  for (const char* wrong : {"-1", "99999999999999", "0.37"}) {
    const std::string says = "one.tar:a/4.cls is '" + std::string(wrong) +
                             "', and classes are 0, 1, 2, ...: for numbers give --data.task regression";
    CHECK_THROWS_WITH(with(wrong), ContainsSubstring(says));
    CHECK_THROWS_WITH(with(wrong, "check"), ContainsSubstring(says));
    DataDriver skips = with(wrong, "skip");
    CHECK((skips.rows(LEVIN_TRAIN) == 4 && skips.describe(LEVIN_TRAIN).fields[1].classes == 3));
  }
  CHECK_THROWS_WITH(with("x7"), ContainsSubstring("one.tar:a/4.cls is 'x7', and most targets are numbers: correct it"));
  CHECK(with("x7", "skip").rows(LEVIN_TRAIN) == 4);
  TarBytes floats;
  for (int i = 0; i < 3; ++i)
    floats.add(std::to_string(i) + ".pgm", pgm(i)).add(std::to_string(i) + ".cls", "0." + std::to_string(i));
  for (const char* damaged : {"stop", "skip"})
    CHECK_THROWS_WITH(
        shards.one(floats.bytes(), {{"damaged", damaged}}),
        ContainsSubstring("one.tar:2.cls is '0.2', and classes") && ContainsSubstring("--data.task regression"));
  TarBytes texts;  // half of them or fewer are numbers
  for (const char* name : {"cat", "3", "dog", "3"})
    texts.add(std::to_string(texts.bytes().size()) + ".pgm", pgm(1))
        .add(std::to_string(texts.bytes().size() - 1024) + ".cls", name);
  CHECK(shards.one(texts.bytes()).describe(LEVIN_TRAIN).fields[1].classes == 3);
}

TEST_CASE("offline, downloaded shards are used, and others are named") {
  const Shards shards;
  for (const char* scheme : {"http", "https"}) {
    const download::Address address(scheme + std::string("://example.org/set/0.tar"));
    shards.folder.write("cache/" + address.path_of_copy(), shard(0, 4).bytes());
  }
  setenv("LEVIN_OFFLINE", "1", 1);
  const std::string cache = shards.folder.file("cache");
  CHECK(
      shards.open({{"shards", "http://example.org/set/0.tar"}, {"cache", cache}, {"val_rows", 0}}).rows(LEVIN_TRAIN) ==
      4);
  CHECK_THROWS_WITH(shards.open({{"shards", "https://example.org/set/{0..1}.tar"}, {"cache", cache}}),
                    ContainsSubstring("https://example.org/set/1.tar cannot be downloaded: LEVIN_OFFLINE is set"));
  unsetenv("LEVIN_OFFLINE");
}

#ifdef LEVIN_WITH_CURL
TEST_CASE("a download has the checksum of its address, or is not kept") {
  const Shards shards;
  Server server;
  const std::string cache = shards.folder.file("cache"), body = shard(0, 4).bytes(),
                    sum = download::sha256_of(shards.folder.write("copy.tar", body));
  CHECK(download::sha256_of(shards.folder.write("abc", "abc")) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const auto run = [&](const std::string& behind) {
    Options options({{"shards", server.address() + "/x.tar" + behind},
                     {"cache", cache},
                     {"val_rows", 0},
                     {"mean", "0"},
                     {"std", "1"},
                     {"channels", 1}});
    return DataDriver("webdataset", options).rows(LEVIN_TRAIN);
  };
  server.answer("200 OK", body);
  CHECK_THROWS_WITH(run("#sha256=" + std::string(64, '0')),
                    ContainsSubstring("has the SHA-256 " + sum + ", and 0000") && ContainsSubstring("not kept"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache)) CHECK(entry.is_directory());
  CHECK(run("#sha256=" + sum) == 4);
  server.answer("500 Gone", "");
  CHECK(run("#sha256=" + sum) == 4);  // from the cache
  CHECK_THROWS_WITH(run("#subdirectory=a"), ContainsSubstring("are not for shards"));
  CHECK_THROWS_WITH(run("#sha256=12"), ContainsSubstring("a SHA-256 has 64 hexadecimal digits, and here are 2"));
}

TEST_CASE("what was downloaded and is no archive is not kept, so that a later run asks the server again") {
  const Shards shards;
  Server server;
  const std::string url = server.address() + "/x.tar", cache = shards.folder.file("cache");
  const auto run = [&](const std::string& status, const std::string& body, const char* damaged = "stop") {
    server.answer(status, body);
    return shards.open({{"shards", url.c_str()}, {"cache", cache}, {"val_rows", 0}, {"damaged", damaged}})
        .rows(LEVIN_TRAIN);
  };
  const auto files = [&] {
    std::string names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(cache))
      if (!entry.is_directory()) names += entry.path().filename().string();
    return names;
  };
  CHECK_THROWS_WITH(run("404 Not Found", "none"), ContainsSubstring(url + " cannot be downloaded: "));
  CHECK(files() == "");
  for (const std::string& page : {std::string("<html>"), "<!DOCTYPE html>" + std::string(2000, ' ')})
    for (const char* damaged : {"stop", "skip"})
      CHECK_THROWS_WITH(
          run("200 OK", page, damaged),
          ContainsSubstring(url + " is no tar archive, or damaged: it is HTML or XML; the file was not kept"));
  CHECK_THROWS_WITH(run("200 OK", shard(0, 2).add("5.pgm", "", '2').bytes(), "skip"),
                    ContainsSubstring(url + " has the link '5.pgm'"));
  const std::string half = shard(0, 4).open().substr(0, 5 * 1024 + 100);
  CHECK_THROWS_WITH(run("200 OK", half), ContainsSubstring("it is truncated"));
  CHECK(files() == "");
  CHECK(run("200 OK", shard(0, 4).bytes()) == 4);
  CHECK(run("404 Not Found", "") == 4);  // the server is not asked
  std::filesystem::remove_all(cache);
  CHECK(run("200 OK", half, "skip") == 2);
}
#endif

// Called by webdataset_golden.py, which describes its cases in lines: shards, input, target, name of the expected file.
TEST_CASE("samples are those that Python's webdataset reads", "[.webdataset]") {
  const char* folder = std::getenv("LEVIN_WEBDATASET_CASES");
  REQUIRE(folder != nullptr);
  std::ifstream in(std::string(folder) + "/cases.txt");
  int cases = 0;
  for (std::string line; std::getline(in, line); ++cases) {
    std::istringstream words(line);
    std::string shards, input, target, expected;
    words >> shards >> input >> target >> expected;
    INFO(line);
    DataDriver data("webdataset", Options({{"shards", shards},
                                           {"input", input},
                                           {"target", target},
                                           {"mean", "0"},
                                           {"std", "1"},
                                           {"val_rows", 0},
                                           {"cache", std::string(folder) + "/cache"}}));
    const FilledRows rows = data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN));
    const std::string numbers = bytes_of(expected + ".x"), labels = bytes_of(expected + ".y");
    REQUIRE(numbers.size() == rows.x.size() * sizeof(float));
    REQUIRE(labels.size() == rows.y.size() * sizeof(int64_t));
    float worst = 0;
    for (size_t i = 0; i < rows.x.size(); ++i) {
      float wanted = 0;
      std::memcpy(&wanted, &numbers[i * sizeof wanted], sizeof wanted);
      worst = std::max(worst, std::abs(wanted - rows.x[i]));
    }
    CHECK(worst < 1e-6f);
    CHECK(std::memcmp(labels.data(), rows.y.data(), labels.size()) == 0);
  }
  CHECK(cases >= 10);
}
