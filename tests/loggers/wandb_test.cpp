#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>
#include <set>
#include <string>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "loggers/wandb/log_file.hpp"
#include "loggers/wandb/media.hpp"
#include "loggers/wandb/position.hpp"
#include "temp_folder.hpp"

namespace wandb_test {
using levin::testing::Component;
using levin::testing::FakeHost;
using namespace levin::wandb;
namespace fs = std::filesystem;

namespace {

fs::path log_of(const TempFolder& dir) {
  for (const auto& entry : fs::recursive_directory_iterator(dir.path()))
    if (entry.path().extension() == ".wandb") return entry.path();
  return {};
}

// The payloads of a log, each found as LevelDB's format says; checksums are compared.
std::vector<std::string> payloads(const std::string& log) {
  REQUIRE(log.substr(0, 7) == std::string(":W&B\xe1\xbe\0", 7));
  const auto number = [&log](size_t at, int bytes) {
    uint32_t out = 0;
    for (int i = 0; i < bytes; ++i) out |= static_cast<uint32_t>(static_cast<unsigned char>(log[at + i])) << (8 * i);
    return out;
  };
  std::vector<std::string> out;
  std::string open;
  for (size_t at = 7; at < log.size();) {
    const size_t left = 32768 - at % 32768;
    if (left < 7) {
      at += left;
      continue;
    }
    const uint32_t size = number(at + 4, 2);
    REQUIRE(7 + size <= left);
    CHECK(crc32(log.substr(at + 6, 1 + size)) == number(at, 4));
    const char kind = log[at + 6];
    open += log.substr(at + 7, size);
    if (kind == 1 || kind == 4) out.push_back(std::exchange(open, ""));
    at += 7 + size;
  }
  CHECK(open.empty());
  return out;
}

struct Row {
  std::map<std::string, std::string> values;  // JSON by name
};

// The rows of the history, and the fields of all records in order.
std::vector<Row> rows_of(const std::string& log, std::vector<uint32_t>* fields = nullptr) {
  std::vector<Row> out;
  int64_t num = 0;
  for (const std::string& payload : payloads(log)) {
    protozero::pbf_reader record(payload);
    REQUIRE(record.next(1));
    CHECK(record.get_int64() == ++num);
    REQUIRE(record.next());
    if (fields) fields->push_back(record.tag());
    if (record.tag() != 2) continue;
    protozero::pbf_reader history = record.get_message();
    Row row;
    while (history.next(1)) {
      protozero::pbf_reader item = history.get_message();
      REQUIRE(item.next(1));
      const std::string name = item.get_string();
      REQUIRE(item.next(16));
      row.values[name] = item.get_string();
    }
    out.push_back(row);
  }
  return out;
}

constexpr uint32_t summary = 3, run = 17, exit_record = 18, header = 21, metric = 12, history = 2;

}  // namespace

TEST_CASE("the checksum is zlib's CRC-32") { CHECK(crc32("123456789") == 0xcbf43926u); }

TEST_CASE("records of every size are framed around the blocks") {
  for (const size_t start : {0, 32768 - 7 - 20, 32768 - 7 - 8, 32768 - 7 - 7, 32768 - 7 - 3})
    for (const size_t size : {0, 1, 13, 32761, 32762, 100000}) {
      std::string log = log_header();
      if (start > 0) log += log_record(log.size(), std::string(start, 'a'));
      const std::string record(size, 'b');
      log += log_record(log.size(), record);
      log += log_record(log.size(), "end");
      const std::vector<std::string> read = payloads(log);
      REQUIRE(read.size() == (start > 0 ? 3 : 2));
      CHECK(read[read.size() - 2] == record);
      CHECK(read.back() == "end");
    }
}

TEST_CASE("a run without a value leaves no file, and a logger that has not begun says so") {
  const TempFolder dir;
  FakeHost host;
  {
    Component logger(host, "wandb");
    CHECK_THROWS_WITH(logger.metrics(0, {{"loss", 1}}), ContainsSubstring("begin comes before"));
    logger.begin((dir.path() / "run").string());
    logger.flush();
    logger.save();
    logger.finalize();
  }
  CHECK(fs::is_empty(dir.path()));
}

TEST_CASE("what is flushed can be read while the run trains, in order: header, run, axes, history, summary, exit") {
  const TempFolder dir;
  FakeHost host;
  Component logger(host, "wandb", {{"prefix", "p"}});
  logger.begin(dir.path().string());
  logger.metrics(3, {{"loss", 0.5}, {"bad", std::nan("")}, {"high", INFINITY}});
  logger.flush();
  const auto rows = rows_of(fs::exists(log_of(dir)) ? dir.read(fs::relative(log_of(dir), dir.path()).string()) : "");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].values.at("p-loss") == "0.5");
  CHECK(rows[0].values.at("p-bad") == "NaN");
  CHECK(rows[0].values.at("p-high") == "Infinity");
  CHECK(rows[0].values.at("trainer/global_step") == "3");
  CHECK(rows[0].values.at("_step") == "0");
  CHECK(std::stod(rows[0].values.at("_timestamp")) > 1.6e9);
  logger.flush();  // nothing new, so no second summary
  logger.finalize("failed");
  std::vector<uint32_t> fields;
  rows_of(dir.read(fs::relative(log_of(dir), dir.path()).string()), &fields);
  CHECK(fields == std::vector<uint32_t>{header, run, metric, metric, history, summary, exit_record});
}

TEST_CASE("a resumed run goes on in its file after the checkpoint, and wandb sync takes it again") {
  const TempFolder dir;
  FakeHost host;
  levin::testing::State state;
  {
    Component logger(host, "wandb");
    logger.begin(dir.path().string());
    for (int i = 0; i < 3; ++i) logger.metrics(i, {{"a", i}});
    state = logger.save();
    logger.metrics(3, {{"lost", 1}});
    logger.finalize();
  }
  const fs::path log = log_of(dir);
  std::ofstream(log.string() + ".synced") << "x";
  {
    Component logger(host, "wandb");
    logger.load(state);
    CHECK(logger.save().bytes == state.bytes);  // before begin
    logger.begin(dir.path().string(), "{}", 2);
    logger.metrics(3, {{"a", 3}});
    logger.finalize();
  }
  CHECK(log_of(dir) == log);
  CHECK_FALSE(fs::exists(log.string() + ".synced"));
  const auto rows = rows_of(dir.read(fs::relative(log, dir.path()).string()));
  REQUIRE(rows.size() == 4);
  for (size_t i = 0; i < 4; ++i) {
    CHECK(rows[i].values.at("a") == std::to_string(i) + ".0");
    CHECK(rows[i].values.at("_step") == std::to_string(i));
  }
}

TEST_CASE("a log that is gone or cut begins anew under its id, with a warning") {
  for (const bool gone : {true, false}) {
    const TempFolder dir;
    FakeHost host;
    levin::testing::State state;
    {
      Component logger(host, "wandb");
      logger.begin(dir.path().string());
      logger.metrics(0, {{"a", 0}});
      state = logger.save();
    }
    const fs::path log = log_of(dir);
    if (gone)
      fs::remove_all(dir.path() / "wandb");
    else
      fs::resize_file(log, 10);
    Component logger(host, "wandb");
    logger.load(state);
    logger.begin(dir.path().string(), "{}", 0);
    logger.metrics(1, {{"a", 1}});
    logger.finalize();
    CHECK(log_of(dir).filename() == log.filename());
    const auto rows = rows_of(dir.read(fs::relative(log_of(dir), dir.path()).string()));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].values.at("_step") == "1");
    CHECK_THAT(host.messages.at(0).second, ContainsSubstring("begins anew"));
  }
}

TEST_CASE("a run that was killed before its first checkpoint begins again in the same folder") {
  const TempFolder dir;
  FakeHost host;
  host.texts["run_uid"] = "0123456789abcdef0123456789abcdef";
  for (int i = 0; i < 2; ++i) {
    Component logger(host, "wandb");
    logger.begin(dir.path().string());
    logger.metrics(i, {{"a", i}});
    logger.flush();
  }
  CHECK(std::distance(fs::directory_iterator(dir.path() / "wandb"), {}) == 1);
  const auto rows = rows_of(dir.read(fs::relative(log_of(dir), dir.path()).string()));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].values.at("a") == "1.0");
}

TEST_CASE("a damaged state is refused with the member's name") {
  FakeHost host;
  for (const char* text :
       {"{}", "x", R"({"folder": "../x", "id": "a/b", "start_time": 1, "bytes": 1, "records": 1, "rows": 1,
                                          "summary": {}})"}) {
    levin::testing::State state;
    {
      Component logger(host, "wandb");
      state = logger.save();
    }
    for (auto& [name, bytes] : state.bytes)
      if (name == "log") bytes = text;
    Component logger(host, "wandb");
    CHECK_THROWS_WITH(logger.load(state), ContainsSubstring("log"));
  }
}

TEST_CASE("histograms hold every finite sample, also of one value, of none, and of the whole range") {
  const double most = std::numeric_limits<double>::max();
  const std::vector<double> sets[] = {{}, {most, most, most}, {-most, most, 0}, {NAN, INFINITY, 2}, {0, 1, 2, 3}};
  const int64_t finite[] = {0, 3, 3, 1, 4};
  for (size_t i = 0; i < 5; ++i) {
    std::vector<double> samples = sets[i];
    const int64_t n = static_cast<int64_t>(samples.size());
    samples.push_back(0);  // a valid address
    const levin::Media media = levin::Media::histogram("h", samples.data(), n);
    const auto json = nlohmann::json::parse(media_value(media.raw(), 0)->json);
    int64_t count = 0;
    for (const auto& c : json["values"]) count += c.get<int64_t>();
    CHECK(count == finite[i]);
    CHECK(json["bins"].size() == json["values"].size() + 1);
    for (const auto& edge : json["bins"]) CHECK(edge.is_number());
  }
}

TEST_CASE("files stay in the folder of the run, whatever their media and artifacts are called") {
  const TempFolder dir;
  FakeHost host;
  host.texts["run_uid"] = "0123456789abcdef0123456789abcdef";
  Component logger(host, "wandb");
  logger.begin((dir.path() / "run").string());
  const uint8_t pixels[3] = {};
  logger.media(levin::Media::image("../../../../evil", pixels, 1, 1, 3).step(0));
  logger.media(levin::Media::video("clip", pixels, 1, 1, 1, 3, 25).step(0));
  std::ofstream(dir.path() / "weights.txt") << "w";
  logger.artifact((dir.path() / "weights.txt").string(), "/best/weights.txt");
  CHECK_THROWS_WITH(logger.artifact((dir.path() / "weights.txt").string(), "../../../evil"),
                    ContainsSubstring("artifact"));
  logger.finalize();
  const fs::path files = log_of(dir).parent_path() / "files";
  CHECK(fs::exists(files / "media" / "images" / "____________evil_0.png"));
  CHECK(fs::exists(files / "artifacts" / "best" / "weights.txt"));
  CHECK(std::distance(fs::directory_iterator(dir.path()), {}) == 2);
  CHECK_THAT(host.messages.at(0).second, ContainsSubstring("no media of the kind video"));
}

TEST_CASE("checkpoints are kept as asked for: none, the best one of the run, also after a resume, or all") {
  const auto kept = [](const char* choice) {
    const TempFolder dir;
    FakeHost host;
    host.texts["run_uid"] = "0123456789abcdef0123456789abcdef";
    levin::testing::State state;
    const auto save = [&](Component& logger, const char* name, bool best) {
      std::ofstream(dir.path() / name) << name;
      levin::Saved saved;
      saved.path = (dir.path() / name).string();
      saved.best = best;
      logger.after_save(saved);
    };
    {
      Component logger(host, "wandb", {{"log_model", choice}});
      logger.begin((dir.path() / "run").string());
      logger.metrics(0, {{"loss", 1}});
      save(logger, "a.ckpt", true);
      save(logger, "b.ckpt", false);
      state = logger.save();
    }
    Component logger(host, "wandb", {{"log_model", choice}});
    logger.load(state);
    logger.begin((dir.path() / "run").string(), "{}", 0);
    logger.metrics(1, {{"loss", 1}});
    logger.finalize();
    std::set<std::string> out;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(log_of(dir).parent_path() / "files" / "checkpoints", none))
      out.insert(entry.path().filename().string());
    return out;
  };
  CHECK(kept("none").empty());
  CHECK(kept("best") == std::set<std::string>{"a.ckpt"});
  CHECK(kept("all") == std::set<std::string>{"a.ckpt", "b.ckpt"});
}

TEST_CASE("a state that names another folder than a run's is refused") {
  for (const char* folder : {"..", "/tmp", "offline-run-1/../..", ""}) {
    const nlohmann::json log = {{"folder", folder},
                                {"id", "a"},
                                {"start_time", 1},
                                {"bytes", 7},
                                {"records", 1},
                                {"rows", 1},
                                {"summary", nlohmann::json::object()}};
    CHECK_THROWS_WITH(position_of(log.dump()), ContainsSubstring("log does not say"));
  }
}

}  // namespace wandb_test
