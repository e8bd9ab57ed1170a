#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "catch.hpp"
#include "event_reader.hpp"
#include "levin/testing.hpp"
#include "levin/util/png.hpp"
#include "loggers/tensorboard/event.hpp"
#include "loggers/tensorboard/hparams.hpp"
#include "temp_folder.hpp"

namespace tensorboard_test {
using levin::testing::Component;
using levin::testing::FakeHost;
using namespace levin::tensorboard;

namespace {

std::vector<std::string> event_files(const TempFolder& dir) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("events.", 0) == 0) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::vector<ReadEvent> events(const std::string& file) {
  std::vector<ReadEvent> out;
  for (const std::string& data : read_records(file)) out.push_back(read_event(data));
  return out;
}

levin_media media(const char* kind, const levin_view* view, const char* text = nullptr) {
  return {sizeof(levin_media), 0, kind, "tag", 7, view, text, nullptr, 0};
}

}  // namespace

TEST_CASE("the checksums are those of the format") {
  CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aau);
  CHECK(masked_crc("\x1a\x11"
                   "CRC test, one two") == 0x5794d08au);
}

TEST_CASE("scalars are written with their steps") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard", {{"log_hyperparams", false}});
  board.begin(dir.path().string());
  board.metrics(0, {{"loss", 0.5}});
  board.metrics(int64_t{1} << 40, {{"acc", 0.25}, {"nan", std::nan("")}});
  board.finalize();
  REQUIRE(event_files(dir).size() == 1);
  CHECK(std::regex_match(event_files(dir)[0], std::regex("events\\.out\\.tfevents\\.\\d{10}\\..*\\.\\d+\\.\\d+")));
  const auto all = events(dir.read(event_files(dir)[0]));
  REQUIRE(all.size() == 3);
  CHECK(all[0].file_version == "brain.Event:2");
  CHECK(all[1].values.at(0).tag == "loss");
  CHECK(all[1].values.at(0).simple == 0.5f);
  CHECK(all[2].step == int64_t{1} << 40);
  CHECK(all[2].values.at(1).tag == "nan");
  CHECK(std::isnan(all[2].values.at(1).simple));
  CHECK(all[2].wall_time > 1.6e9);
}

TEST_CASE("what was flushed is on the disk") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard", {{"log_hyperparams", false}, {"prefix", "p"}});
  board.begin(dir.path().string());
  board.metrics(0, {{"loss", 0.5}});
  board.flush();
  CHECK(events(dir.read(event_files(dir)[0])).at(1).values.at(0).tag == "p-loss");
}

TEST_CASE("hyper-parameters go to their plugin") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard");
  board.begin(dir.path().string(), R"({"model": {"lr": 0.1, "name": "resnet"}, "flag": true})");
  board.finalize("failed");
  const auto all = events(dir.read(event_files(dir)[0]));
  REQUIRE(all.size() == 5);
  const char* tags[] = {"_hparams_/experiment", "_hparams_/session_start_info", "hp_metric",
                        "_hparams_/session_end_info"};
  for (size_t i = 0; i < 4; ++i) CHECK(all[i + 1].values.at(0).tag == tags[i]);
  CHECK(all[1].values[0].plugin == "hparams");
  for (const char* name : {"model/lr", "model/name", "flag"})
    CHECK_THAT(all[2].values[0].content, ContainsSubstring(name));
  CHECK(all[3].values[0].simple == -1);
}

TEST_CASE("hparams.yaml beside the event files has them too, also for a run that goes on") {
  const TempFolder dir;
  FakeHost host;
  const std::pair<int64_t, const char*> runs[] = {{-1, R"({"model": {"lr": 0.1}})"}, {5, R"({"model": {"lr": 0.2}})"}};
  for (const auto& [resumed, options] : runs) {
    Component board(host, "tensorboard", {{"log_hyperparams", false}});
    board.begin(dir.path().string(), options, resumed);
  }
  CHECK(dir.read("hparams.yaml") == "model:\n  lr: 0.2\n");
}

TEST_CASE("nested hyper-parameters become paths") {
  const HParams params = hparams_of_json(R"({"a": {"b": {"c": 1}}, "list": [1, 2], "none": null, "t": "x"})");
  REQUIRE(params.size() == 4);
  CHECK(params[0].first == "a/b/c");
  CHECK(std::get<double>(params[0].second) == 1.0);
  CHECK(std::get<std::string>(params[1].second) == "[1,2]");
  CHECK(std::get<std::string>(params[2].second) == "null");
}

TEST_CASE("a resumed run adds a file that takes back the later steps") {
  const TempFolder dir;
  FakeHost host;
  for (const int64_t resumed : {-1, 5}) {
    Component board(host, "tensorboard");
    board.begin(dir.path().string(), "{}", resumed);
    board.metrics(6, {{"a", 1}});
    board.finalize();
  }
  const auto files = event_files(dir);
  REQUIRE(files.size() == 2);
  const auto second = events(dir.read(files[1]));
  CHECK(second.at(1).restart);
  CHECK(second.at(1).step == 6);
  CHECK(second.at(2).values.at(0).tag == "a");
}

TEST_CASE("texts, images and histograms are shown") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard", {{"log_hyperparams", false}});
  board.begin(dir.path().string());
  board.media(media("text", nullptr, "hello"));
  const uint8_t pixels[] = {255, 0, 0, 0, 255, 0};
  int64_t image_shape[] = {1, 2, 3};
  const levin_view image = {
      const_cast<uint8_t*>(pixels), {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, image_shape, nullptr, 0};
  board.media(media("image", &image));
  double samples[] = {1, 1, 2, std::nan("")};
  int64_t n[] = {4};
  const levin_view histogram = {samples, {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 64, 1}, n, nullptr, 0};
  board.media(media("histogram", &histogram));
  board.media(media("graph", nullptr));
  board.media(media("something new", &image));
  CHECK_THROWS_WITH(board.media(media("image", &histogram)), ContainsSubstring("tag"));
  board.finalize();
  const auto all = events(dir.read(event_files(dir)[0]));
  REQUIRE(all.size() == 4);
  CHECK(all[1].step == 7);
  CHECK(all[1].values[0].tag == "tag/text_summary");
  CHECK(all[1].values[0].plugin == "text");
  CHECK(all[1].values[0].text == "hello");
  CHECK(all[2].values[0].png == levin::png(pixels, 1, 2, 3));
  double count = 0;
  for (const double c : all[3].values[0].buckets) count += c;
  CHECK(count == 3);
  CHECK(all[3].values[0].bucket_limits.back() == Approx(2));
}

TEST_CASE("sound is a WAV file, tables and captions are texts, and what the format lacks is told of once") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard", {{"log_hyperparams", false}});
  board.begin(dir.path().string(), "{}", -1, "first try", {"a", "b"});
  const float samples[] = {0, 1, -1, 2, NAN, 0.5f};
  board.media(levin::Media::audio("beep", samples, 3, 2, 8000).step(4).caption("three samples"));
  board.media(levin::Media::table("worst", {"file", "loss"}, {{"a|b.png", 2.5}, {"c.png", 3}}).step(4));
  levin_media mesh = media("mesh", nullptr);
  mesh.tag = "cube";
  mesh.caption = "x";
  for (int i = 0; i < 2; ++i) board.media(mesh);
  board.finalize();
  const auto all = events(dir.read(event_files(dir)[0]));
  REQUIRE(all.size() == 5);
  CHECK(all[1].values[0].text == "**first try** `a` `b`");
  const std::string file = all[2].values[0].audio;
  CHECK(all[2].step == 4);
  CHECK(file.substr(0, 4) == "RIFF");
  CHECK(file.substr(8, 8) == "WAVEfmt ");
  REQUIRE(file.size() == 44 + 12);
  CHECK(file.substr(44) == std::string("\x00\x00\xff\x7f\x01\x80\xff\x7f\x00\x00\x00\x40", 12));
  CHECK(all[3].values[0].tag == "beep/caption/text_summary");
  CHECK(all[3].values[0].text == "three samples");
  CHECK(all[4].values[0].text == "| file | loss |\n| --- | --- |\n| a\\|b.png | 2.5 |\n| c.png | 3 |\n");
  REQUIRE(std::count_if(host.messages.begin(), host.messages.end(),
                        [](const auto& m) { return m.first >= LEVIN_LOG_WARNING; }) == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("no media of the kind mesh") && ContainsSubstring("'cube'"));
}

TEST_CASE("videos are animated GIF images that repeat") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard", {{"log_hyperparams", false}});
  board.begin(dir.path().string());
  const uint8_t pixels[2 * 3] = {0, 9, 9, 9, 0, 0};
  board.media(levin::Media::video("clip", pixels, 2, 1, 3, 1, 25).step(4));
  CHECK_THROWS_WITH(board.media(levin::Media::video("still", pixels, 2, 1, 3, 1, 0)),
                    ContainsSubstring("frames a second"));
  board.finalize();
  const auto all = events(dir.read(event_files(dir)[0]));
  REQUIRE(all.size() == 2);
  const std::string gif = all[1].values[0].png;
  CHECK(gif.substr(0, 13) == std::string("GIF89a\x03\0\x01\0\xf7\0\0", 13));
  CHECK(gif.substr(13, 6) == std::string("\0\0\0\x09\x09\x09", 6));
  CHECK(gif.find("NETSCAPE2.0") == 13 + 768 + 3);
  CHECK(gif.back() == ';');
  const std::string four_hundredths = std::string("\x21\xf9\x04\0\x04\0\0\0,", 9);
  CHECK(gif.find(four_hundredths) != gif.rfind(four_hundredths));
  CHECK(gif.find(four_hundredths) != std::string::npos);
}

TEST_CASE("late hyper-parameters go into hparams.yaml, and to the page of texts") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard");
  board.begin(dir.path().string(),
              R"({"model": {"name": "net", "options": {"lr": 0.1}}, "trainer": {"max_epochs": 3}})");
  board.hparams(R"({"model.lr": 0.2, "model.width": 64, "trainer.found": 1, "extra": "x", "data.rows": 9})");
  CHECK(dir.read("hparams.yaml") ==
        "model:\n  name: net\n  options:\n    lr: 0.2\n    width: 64\ntrainer:\n  max_epochs: 3\n  found: 1\nextra: x\n"
        "data:\n  rows: 9\n");
  board.finalize();
  const auto all = events(dir.read(event_files(dir)[0]));
  CHECK_THAT(all.at(4).values[0].text, ContainsSubstring("\"model.width\": 64"));
}

TEST_CASE("a histogram of one value has one bucket") {
  const EventValue value = read_value(protozero::pbf_reader(histogram_value("h", {3, 3})));
  CHECK(value.buckets == std::vector<double>{2});
}

TEST_CASE("a resumed run keeps the events of before the checkpoint and no other, whatever their steps") {
  const TempFolder dir;
  FakeHost host;
  levin::testing::State state;
  std::ofstream(dir.path() / "events.out.tfevents.0000000001.user.1.0") << "of another program";
  {
    Component board(host, "tensorboard");
    board.begin(dir.path().string());
    for (const double a : {1, 2, 3}) board.metrics(40, {{"a", a}});
    state = board.save();
    board.metrics(3, {{"a", 4}});
    board.finalize("failed");
  }
  for (const double a : {50, 60}) {  // twice from the same checkpoint
    Component board(host, "tensorboard");
    board.load(state);
    CHECK(board.save().bytes == state.bytes);
    board.begin(dir.path().string(), "{}", 2);
    board.metrics(3, {{"a", a}});
    board.finalize();
  }
  const auto files = event_files(dir);
  REQUIRE(files.size() == 3);
  CHECK_THAT(files[0], ContainsSubstring("user"));
  std::vector<float> rows;
  for (const std::string& file : {files[1], files[2]})
    for (const ReadEvent& event : events(dir.read(file))) {
      if (event.restart) CHECK(event.step == 41);  // discards no row that is kept
      for (const EventValue& value : event.values)
        if (value.tag == "a") rows.push_back(value.simple);
    }
  CHECK(rows == std::vector<float>{1, 2, 3, 60});
}

TEST_CASE("event files of an earlier run in the folder are kept in one of their own") {
  const TempFolder dir;
  FakeHost host;
  for (const double a : {1, 2}) {
    Component board(host, "tensorboard", {{"log_hyperparams", false}});
    board.begin(dir.path().string());
    board.metrics(0, {{"a", a}});
    board.finalize();
  }
  REQUIRE(event_files(dir).size() == 1);
  CHECK(events(dir.read(event_files(dir)[0])).at(1).values.at(0).simple == 2);
  CHECK(std::filesystem::exists(dir.path() / "earlier-1"));
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("earlier-1"));
}

TEST_CASE("event files that are gone or cut off are told of when a run goes on") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard");
  board.begin(dir.path().string());
  board.metrics(0, {{"a", 1}});
  const auto state = board.save();
  std::filesystem::resize_file(dir.path() / event_files(dir)[0], 10);
  Component again(host, "tensorboard");
  again.load(state);
  again.begin(dir.path().string(), "{}", 0);
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("has 10 of"));
  auto forged = state;
  for (const char* name : {"../../victim\n", "config.json\n"}) {  // these files would be truncated
    forged.bytes["files"] = name;
    Component victim(host, "tensorboard");
    CHECK_THROWS(victim.load(forged));
  }
}

TEST_CASE("embeddings are files beside the events, and a resumed run has those of its checkpoint") {
  const TempFolder dir;
  FakeHost host;
  const float vectors[] = {1, 2, 3, 4};
  const auto show = [&vectors](Component& board, int64_t step) {
    board.media(levin::Media::embedding("a/../b \"c\"", vectors, 2, 2, {"name"}, {{"x"}, {"y"}}).step(step));
  };
  levin::testing::State saved;
  {
    Component board(host, "tensorboard");
    board.begin(dir.path().string());
    show(board, 1);
    saved = board.save();
    show(board, 2);
    board.finalize();
  }
  const std::string folder = "projector/a____b__c_-1/";
  CHECK(dir.read(folder + "tensors.tsv") == "1.0\t2.0\n3.0\t4.0\n");
  CHECK(dir.read(folder + "metadata.tsv") == "x\ny\n");
  CHECK_THAT(dir.read("projector_config.pbtxt"), ContainsSubstring("tensor_name: \"a/../b \\\"c\\\":2\""));
  {
    Component board(host, "tensorboard");
    board.load(saved);
    board.begin(dir.path().string(), "{}", 1);
    CHECK_THAT(dir.read("projector_config.pbtxt"), ContainsSubstring(":1\"") && !ContainsSubstring(":2\""));
    board.finalize();
  }
  Component board(host, "tensorboard");
  board.begin(dir.path().string());
  CHECK_FALSE(std::filesystem::exists(dir.path() / "projector_config.pbtxt"));
  CHECK_THROWS_WITH(board.media(levin::Media::embedding("e", vectors, 2, 2, {"name"}, {{"x"}})),
                    ContainsSubstring("embedding 'e': 2 vectors and 1 rows of labels"));
}

TEST_CASE("graphs, PR curves and layouts of a wrong form are errors, and a graph in DOT is a text") {
  const TempFolder dir;
  FakeHost host;
  Component board(host, "tensorboard", {{"log_hyperparams", false}});
  board.begin(dir.path().string());
  for (const char* kind : {"graph", "pr_curve", "layout"})
    CHECK_THROWS(board.media(media(kind, nullptr, "{\"x\": 1}")));
  CHECK_THROWS(board.media(media("pr_curve", nullptr, "[")));
  CHECK_THROWS_WITH(board.media(levin::Media::layout({{"c", {{"t", {"a", "b"}, true}}}})),
                    ContainsSubstring("three tags"));
  board.media(media("graph", nullptr, "digraph {}"));
  board.finalize();
  const auto all = events(dir.read(event_files(dir)[0]));
  REQUIRE(all.size() == 2);
  CHECK(all[1].values[0].text == "```\ndigraph {}\n```");
}

}  // namespace tensorboard_test
