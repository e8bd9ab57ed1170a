#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "catch.hpp"
#include "data_driver.hpp"
#include "plugins/audio_data/sound_file.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

std::string little(uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i);
  return out;
}

// A WAV file of 16 bits: n samples of value, value + 1, ...
std::string wav(int n, int value, int rate = 100, int channels = 1) {
  std::string data;
  for (int i = 0; i < n * channels; ++i) data += little(static_cast<uint32_t>(value + i), 2);
  const auto channel = static_cast<uint32_t>(channels), hertz = static_cast<uint32_t>(rate);
  const std::string form = little(1, 2) + little(channel, 2) + little(hertz, 4) + little(2 * channel * hertz, 4) +
                           little(2 * channel, 2) + little(16, 2);
  const auto size = static_cast<uint32_t>(data.size());
  return "RIFF" + little(36 + size, 4) + "WAVEfmt " + little(16, 4) + form + "data" + little(size, 4) + data;
}

class Sounds {
 public:
  TempFolder folder;
  Sounds() {
    for (int i = 0; i < 4; ++i)
      folder.write("set/" + std::string(i % 2 ? "cat/" : "dog/") + std::to_string(i) + ".wav", wav(200, 100 * i));
  }
  DataDriver open(std::initializer_list<Options::Item> more = {}) const {
    Options options({{"dir", folder.file("set")}, {"val_rows", 1}, {"features", "waveform"}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("audio", options);
  }
};

// The samples as the whole numbers in the file.
std::vector<int> samples_of(const FilledRows& rows) {
  std::vector<int> out;
  for (const float x : rows.x) out.push_back(static_cast<int>(std::lround(32768 * x)));
  return out;
}

}  // namespace

TEST_CASE("audio keeps groups of a label file in one split, and reads lists as those of Speech Commands") {
  const Sounds sounds;
  std::string table = "file,class,speaker\n";
  for (int i = 0; i < 4; ++i)
    table += (i % 2 ? "cat/" : "dog/") + std::to_string(i) + ".wav," + (i % 2 ? "cat," : "dog,") +
             (i < 2 ? "ann\n" : "bob\n");
  const std::string labels = sounds.folder.write("labels.csv", table);
  DataDriver grouped = sounds.open({{"labels", labels}, {"group", "speaker"}});
  CHECK((grouped.rows(LEVIN_TRAIN) == 2 && grouped.rows(LEVIN_VAL) == 2));
  const std::vector<int> first = samples_of(grouped.fill(LEVIN_VAL, {0})),
                         second = samples_of(grouped.fill(LEVIN_VAL, {1}));
  CHECK(std::abs(second[0] - first[0]) == 100);  // files 0 and 1, or 2 and 3
  CHECK_THROWS_WITH(sounds.open({{"group", "speaker"}}), ContainsSubstring("names a column of --data.labels"));
  CHECK_THROWS_WITH(sounds.open({{"labels", labels}, {"group", "sex"}}), ContainsSubstring("--data.group"));
  CHECK_THROWS_WITH(
      sounds.open({{"labels", sounds.folder.write("l.csv", table + "cat/1.wav,cat,bob\n")}, {"group", "speaker"}}),
      ContainsSubstring("l.csv:6: 'cat/1.wav' has the group 'bob', and before 'ann'"));

  const std::string val = sounds.folder.write("validation_list.txt", "dog/2.wav\n"),
                    test = sounds.folder.write("testing_list.txt", "cat/1.wav\ncat/3.wav\n");
  Options options(
      {{"dir", sounds.folder.file("set")}, {"features", "waveform"}, {"val_list", val}, {"test_list", test}});
  DataDriver listed("audio", options);
  CHECK(listed.rows(LEVIN_TRAIN) == 1);
  CHECK(samples_of(listed.fill(LEVIN_VAL, {0}))[0] == 200);
  CHECK(samples_of(listed.fill(LEVIN_TEST, {1}))[0] == 300);
}

TEST_CASE("audio reads folders of classes, and crops by seed, epoch and row alone") {
  const Sounds sounds;
  DataDriver data = sounds.open({{"clip_seconds", 0.5}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK((train.rows == 3 && data.rows(LEVIN_VAL) == 1 && data.rows(LEVIN_PREDICT) == 4));
  CHECK((train.fields[0].ndim == 2 && train.fields[0].shape[0] == 1 && train.fields[0].shape[1] == 50));
  CHECK((train.fields[1].classes == 2 && train.fields[1].class_names[0] == std::string("cat")));
  const std::vector<int> one = samples_of(data.fill(LEVIN_TRAIN, {0, 1, 2}, 3, 9));
  CHECK(samples_of(data.fill(LEVIN_TRAIN, {2}, 3, 9)) == std::vector<int>(one.begin() + 100, one.end()));
  CHECK(one != samples_of(data.fill(LEVIN_TRAIN, {0, 1, 2}, 4, 9)));
  for (size_t i = 1; i < 50; ++i) CHECK(one[i] == one[0] + static_cast<int>(i));
  const FilledRows all = data.fill(LEVIN_PREDICT, {0, 1, 2, 3});
  CHECK(all.y == std::vector<int64_t>{0, 0, 1, 1});
  CHECK(samples_of(all)[0] == 100);  // from the beginning: cat/1.wav
  DataDriver longer = sounds.open({{"clip_seconds", 3}, {"random_crop", false}});
  const std::vector<int> filled = samples_of(longer.fill(LEVIN_PREDICT, {2}));
  CHECK((filled.size() == 300 && filled[199] == 199 && filled[200] == 0 && filled[299] == 0));
}

TEST_CASE("audio takes the mean of channels, and classes from a table") {
  Sounds sounds;
  sounds.folder.write("flat/a.wav", wav(100, 10, 100, 2));
  sounds.folder.write("flat/sub/b.wav", wav(100, 50));
  const std::string dir = sounds.folder.file("flat");
  const auto open = [&](const std::string& table, const char* column = "label") {
    return sounds.open({{"dir", dir},
                        {"labels", sounds.folder.write("labels.csv", table)},
                        {"label_column", column},
                        {"val_rows", 0},
                        {"random_crop", false}});
  };
  DataDriver data = open("file,fold,label\nsub/b.wav,1,10\na.wav,2,9\n");
  const FilledRows rows = data.fill(LEVIN_TRAIN, {0, 1});
  CHECK(rows.y == std::vector<int64_t>{0, 1});
  CHECK(data.describe(LEVIN_TRAIN).fields[1].class_names[0] == std::string("9"));
  CHECK((rows.x[0] == 10.5f / 32768 && rows.x[1] == 12.5f / 32768 && rows.x[100] == 50.0f / 32768));
  CHECK(open("a.wav,x\nsub/b.wav,y\n", "1").rows(LEVIN_TRAIN) == 2);
  CHECK_THROWS_WITH(open("file,label\na.wav,x\n"), ContainsSubstring("one class only, 'x'"));
  CHECK_THROWS_WITH(open("file,label\na.wav,x\nc.wav,y\n"),
                    ContainsSubstring("labels.csv:3: there is no file 'c.wav'"));
  CHECK_THROWS_WITH(open("file,label\na.wav,x\na.wav,y\n"), ContainsSubstring("has the class 'y', and before 'x'"));
  CHECK_THROWS_WITH(open("file,label\na.wav,\n"), ContainsSubstring("'a.wav' has no class"));
  CHECK_THROWS_WITH(open("file,kind\na.wav,x\n"), ContainsSubstring("label"));
  CHECK_THROWS_WITH(open("file,label\n"), ContainsSubstring("names no sound file"));
  for (const char* outside : {"../labels.csv", "/etc/passwd", "sub/../../set/dog/0.wav"})
    CHECK_THROWS_WITH(open(std::string("file,label\n") + outside + ",x\n"), ContainsSubstring("is no file in"));
}

TEST_CASE("truncated and damaged sounds are never read as shorter ones") {
  Sounds sounds;
  const std::string whole = wav(200, 7);
  const std::string path = sounds.folder.file("set/dog/0.wav");
  for (size_t n = 0; n < whole.size(); n += 7) {
    INFO(n);
    sounds.folder.write("set/dog/0.wav", whole.substr(0, n));
    CHECK_THROWS_WITH(sounds.open(), ContainsSubstring(path));
  }
  CHECK_THROWS_WITH(sounds.open({{"damaged", "check"}}),
                    ContainsSubstring("1 of 4 rows cannot be used") && ContainsSubstring("is truncated: it has "));
  CHECK(sounds.open({{"damaged", "skip"}}).rows(LEVIN_TRAIN) == 2);
  std::string piped = whole;  // by a program that wrote to a pipe
  piped.replace(40, 4, little(0xffffffff, 4));
  sounds.folder.write("set/dog/0.wav", piped);
  CHECK(sounds.open().rows(LEVIN_TRAIN) == 3);
  std::string rate = whole;
  rate.replace(24, 4, little(0x7fffffff, 4));
  sounds.folder.write("set/dog/0.wav", rate);
  CHECK_THROWS_WITH(sounds.open(), ContainsSubstring("samples a second"));
  rate.replace(24, 4, little(0xffffffff, 4));
  sounds.folder.write("set/dog/0.wav", rate);
  CHECK_THROWS_WITH(sounds.open(), ContainsSubstring("0.wav cannot be read as sound: its header is damaged"));
  sounds.folder.write("set/dog/0.wav", wav(200, 7, 120));
  CHECK_THROWS_WITH(sounds.open(), ContainsSubstring("0.wav has 120 samples a second, and 100 are expected"));
  sounds.folder.write("set/dog/0.wav", wav(0, 7));
  CHECK_THROWS_WITH(sounds.open(), ContainsSubstring("0.wav has no samples"));
}

TEST_CASE("a sound with a NaN is a damaged one") {
  Sounds sounds;
  std::string file = wav(100, 1, 100, 2);  // 200 numbers of 16 bits are 100 of 32 bits
  file[20] = 3;                            // IEEE floats
  file.replace(22, 14, little(1, 2) + little(100, 4) + little(400, 4) + little(4, 2) + little(32, 2));
  file.replace(44 + 40, 4, little(0x7fc00000, 4));
  sounds.folder.write("set/cat/nan.wav", file);
  CHECK_THROWS_WITH(sounds.open({{"damaged", "check"}}),
                    ContainsSubstring("nan.wav has a sample that is NaN or infinite, 10"));
  CHECK(sounds.open({{"damaged", "skip"}}).rows(LEVIN_TRAIN) == 3);
}

TEST_CASE("audio says what is wrong with folders and options") {
  Sounds sounds;
  CHECK_THROWS_WITH(sounds.open({{"dir", sounds.folder.file("nowhere")}}), ContainsSubstring("cannot read the folder"));
  CHECK_THROWS_WITH(sounds.open({{"dir", sounds.folder.file("set/dog")}}), ContainsSubstring("has no folders"));
  CHECK_THROWS_WITH(
      sounds.open({{"predict_dir", sounds.folder.file("set/dog/..")}, {"dir", sounds.folder.file("set/cat")}}),
      ContainsSubstring("has no folders"));
  sounds.folder.write("val/bird/1.wav", wav(200, 1));
  CHECK_THROWS_WITH(sounds.open({{"val_rows", levin::testing::Null()}, {"val_dir", sounds.folder.file("val")}}),
                    ContainsSubstring("val/bird is a class that did not train"));
  CHECK_THROWS_WITH(sounds.open({{"val_dir", sounds.folder.file("val")}}), ContainsSubstring("exclude each other"));
  CHECK_THROWS_WITH(sounds.open({{"features", "mel"}, {"clip_seconds", 0.5}}),
                    ContainsSubstring("--data.n_fft 400 needs rows of more than 200"));
  CHECK_THROWS_WITH(sounds.open({{"features", "mel"}, {"n_fft", 20}, {"f_max", 60}}),
                    ContainsSubstring("between 0 and 50 Hz"));
  sounds.folder.write("set/empty/x.txt", "");
  CHECK_THROWS_WITH(sounds.open(), ContainsSubstring("the class folder ") &&
                                       ContainsSubstring("has no sound file (but 1 .txt): "
                                                         "files that end with .wav, .flac, .ogg"));
}

TEST_CASE("audio names the files that it leaves out") {
  const Sounds sounds;
  CHECK(sounds.open().warnings() == "");
  sounds.folder.write("set/cat/x.mp3", "");
  sounds.folder.write("new/1.wav", wav(200, 1));
  sounds.folder.write("new/x.mp3", "");
  sounds.folder.write("new/y.mp3", "");
  CHECK(sounds.open({{"predict_dir", sounds.folder.file("new")}}).warnings() ==
        sounds.folder.file("set") + ": left out what is no sound file: 1 .mp3\n" + sounds.folder.file("new") +
            ": left out what is no sound file: 2 .mp3\n");
  sounds.folder.write("none/x.mp3", "");
  CHECK_THROWS_WITH(sounds.open({{"predict_dir", sounds.folder.file("none")}}),
                    ContainsSubstring("none has no sound file (but 1 .mp3): files that end with .wav"));
}

TEST_CASE("a tone is in the frame and the band of its frequency") {
  TempFolder folder;
  const auto tone = [](double hertz) {
    std::string file = wav(800, 0, 800);
    for (int i = 0; i < 800; ++i) {
      const double value = 10000 * std::sin(2 * 3.14159265358979 * hertz * i / 800);
      file.replace(static_cast<size_t>(44 + 2 * i), 2, little(static_cast<uint32_t>(std::lround(value)), 2));
    }
    return file;
  };
  folder.write("set/a/1.wav", tone(100));
  folder.write("set/b/1.wav", tone(300));
  for (const int n : {80, 81, 64, 30}) {  // lengths with factors 2, 3 and 5
    DataDriver data(
        "audio",
        Options(
            {{"dir", folder.file("set")}, {"val_rows", 0}, {"features", "spectrogram"}, {"n_fft", n}, {"hop", 40}}));
    const levin_field x = data.describe(LEVIN_TRAIN).fields[0];
    CHECK((x.shape[1] == n / 2 + 1 && x.shape[2] == 21 - n % 2));
    const FilledRows rows = data.fill(LEVIN_TRAIN, {0});
    int64_t best = 0;
    for (int64_t bin = 0; bin < x.shape[1]; ++bin)
      if (rows.x[static_cast<size_t>(bin * x.shape[2] + 10)] > rows.x[static_cast<size_t>(best * x.shape[2] + 10)])
        best = bin;
    CHECK(std::abs(static_cast<double>(best) - n / 8.0) <= 0.5);
  }
}

// Called by audio_golden.py, which describes its cases in lines: folder, features, n_fft, hop, n_mels, seconds,
// expected file.
TEST_CASE("sounds become what Python makes of them", "[.audio]") {
  const char* folder = std::getenv("LEVIN_AUDIO_CASES");
  REQUIRE(folder != nullptr);
  std::ifstream in(std::string(folder) + "/cases.txt");
  int cases = 0;
  for (std::string line; std::getline(in, line); ++cases) {
    std::istringstream words(line);
    std::string dir, features, expected;
    int n_fft = 0, hop = 0, n_mels = 0;
    double seconds = 0;
    words >> dir >> features >> n_fft >> hop >> n_mels >> seconds >> expected;
    INFO(line);
    DataDriver data("audio", Options({{"dir", dir},
                                      {"features", features.c_str()},
                                      {"n_fft", n_fft},
                                      {"hop", hop},
                                      {"n_mels", n_mels},
                                      {"clip_seconds", seconds},
                                      {"val_rows", 0},
                                      {"random_crop", false}}));
    const FilledRows rows = data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN));
    const std::string numbers = bytes_of(expected);
    REQUIRE(numbers.size() == rows.x.size() * sizeof(float));
    double worst = 0;
    for (size_t i = 0; i < rows.x.size(); ++i) {
      float wanted = 0;
      std::memcpy(&wanted, &numbers[i * sizeof wanted], sizeof wanted);
      worst = std::max(worst, static_cast<double>(std::abs(wanted - rows.x[i])) / std::max(1.0f, std::abs(wanted)));
    }
    CHECK(worst < (features == "waveform" ? 1e-7 : 1e-4));
  }
  CHECK(cases >= 20);
}
