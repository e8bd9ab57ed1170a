#include <httplib.h>
#include <sys/stat.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include "board/run_store.hpp"
#include "board/server.hpp"
#include "board/thinned.hpp"
#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using namespace levin::core::board;
using nlohmann::json;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void make_run(const std::filesystem::path& folder, const std::string& lr) {
  write(folder / "config.json", R"({"model": {"component": "mlp", "options": {"lr": )" + lr + "}}, \"origins\": {}}");
  write(folder / "metrics.csv", "epoch,step,loss\n0,1,3\n0,2,nan\n0,3,1\n");
  write(folder / "log.txt", "2026-01-02T03:04:05.678 info begins\n");
}

class Serving {
 public:
  explicit Serving(const std::filesystem::path& folder) : store_({folder}), server_(store_, 0) {
    thread_ = std::thread([this] { server_.run(); });
    client_.set_keep_alive(false);
    while (!client_.Get("/")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~Serving() {
    server_.stop();
    thread_.join();
  }
  std::string token() const { return server_.address().substr(server_.address().find("token=") + 6); }
  int status(const std::string& path, const httplib::Headers& headers = {}) {
    const auto answer = client_.Get(path.c_str(), headers);
    REQUIRE(answer);
    last_ = *answer;
    return answer->status;
  }
  json get_once(const std::string& path) {
    REQUIRE(status(path + (path.find('?') == std::string::npos ? "?" : "&") + "token=" + token()) == 200);
    return json::parse(last_.body);
  }
  // Asks again until everything was read.
  json get(const std::string& path) {
    json out = get_once(path);
    const auto is_reading = [&out] {
      return out.is_object() && out.contains("reading") && out["reading"] != false && out["reading"] != json::array();
    };
    for (int i = 0; i < 200 && is_reading(); ++i) out = get_once(path);
    return out;
  }
  json runs() { return get("/api/runs")["runs"]; }
  json of(const std::string& path, const std::string& id) {
    return get("/api/" + path + "?run=" + id)["runs"].value(id, json());
  }
  const httplib::Response& last() const { return last_; }
  int port() const { return server_.port(); }
  std::string cookie() const { return "levin_board_" + std::to_string(port()) + "=" + token(); }

 private:
  RunStore store_;
  Server server_;
  std::thread thread_;
  httplib::Client client_{"127.0.0.1", server_.port()};
  httplib::Response last_;
};

}  // namespace

TEST_CASE("few points stand for many, with the lowest, the highest and every gap's beginning") {
  std::vector<double> values(100000, 0.5);
  values[7777] = 9;
  values[50001] = -9;
  values[90000] = std::nan("");
  const auto kept = thinned(values, 300);
  CHECK(kept.size() <= 300);
  CHECK(std::is_sorted(kept.begin(), kept.end()));
  CHECK(std::adjacent_find(kept.begin(), kept.end()) == kept.end());
  for (const size_t wanted : {size_t{0}, size_t{7777}, size_t{50001}, size_t{90000}, values.size() - 1})
    CHECK(std::count(kept.begin(), kept.end(), wanted) == 1);
  CHECK(thinned({1, 2, 3}, 10) == std::vector<size_t>{0, 1, 2});
  CHECK(thinned({}, 10).empty());
  CHECK(thinned(std::vector<double>(50, std::nan("")), 20).size() <= 20);
}

TEST_CASE("only requests with the token, and to this machine's name, are answered") {
  const TempFolder temp;
  make_run(temp.path() / "version_0", "0.1");
  Serving serving(temp.path());
  CHECK(serving.status("/api/runs") == 403);
  CHECK(serving.status("/") == 403);
  CHECK(serving.status("/api/runs?token=" + std::string(32, 'a')) == 403);
  CHECK(serving.status("/api/runs?token=" + serving.token().substr(1)) == 403);
  CHECK(serving.status("/?token=" + serving.token(), {{"Host", "evil.example"}}) == 403);
  CHECK(serving.status("/?token=" + serving.token()) == 200);
  CHECK_THAT(serving.last().get_header_value("Set-Cookie"), ContainsSubstring("HttpOnly; SameSite=Strict"));
  CHECK_THAT(serving.last().get_header_value("Content-Security-Policy"), ContainsSubstring("default-src 'none'"));
  CHECK(serving.status("/api/runs", {{"Cookie", "a=b; " + serving.cookie()}}) == 200);
  for (const char* asset : {"/board.js", "/parts.js", "/board.css", "/dygraph.js", "/dygraph.css"}) {
    CHECK(serving.status(asset, {{"Cookie", serving.cookie()}}) == 200);
    CHECK(serving.last().body.size() > 500);
  }
  CHECK(serving.status("/../config.json", {{"Cookie", serving.cookie()}}) == 404);
}

TEST_CASE("runs, curves and details are those of the folders") {
  const TempFolder temp;
  make_run(temp.path() / "version_0", "0.1");
  make_run(temp.path() / "deeper" / "version_1", "0.2");
  write(temp.path() / "other" / "events.out.tfevents.1", "");
  Serving serving(temp.path());
  const json runs = serving.runs();
  REQUIRE(runs.size() == 3);
  CHECK(runs[0]["name"] == "deeper/version_1");
  CHECK(runs[0]["options"] == json{{"model.lr", "0.2"}});
  CHECK(runs[0]["state"] == "interrupted");
  CHECK(runs[2]["step"] == 3);
  const std::string id = runs[2]["id"];
  const json curve = serving.of("metrics", id)["loss"];
  CHECK(curve["steps"] == json{1.0, 2.0, 3.0});
  CHECK(curve["values"] == json{3.0, nullptr, 1.0});
  const json details = serving.get("/api/run?run=" + id);
  CHECK(details["settings"][1] == json{"model.lr", "0.1", ""});
  CHECK_THAT(details["log"].get<std::string>(), ContainsSubstring("info begins"));
  CHECK(serving.of("metrics", "/etc").is_null());
  CHECK(serving.status("/api/run?run=/etc&token=" + serving.token()) == 404);
}

TEST_CASE("pictures are served as pictures, and nothing else as a page") {
  const TempFolder temp;
  // A record of an event of step 3 with an image: summary { value { tag "p", image { encoded_image_string } } }.
  const auto image = [](const std::string& bytes) {
    const auto field = [](char number, const std::string& content) {
      return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(content.size()) + content;
    };
    const std::string event = "\x10\x03" + field(5, field(1, field(1, "p") + field(4, field(4, bytes))));
    return std::string(1, static_cast<char>(event.size())) + std::string(11, '\0') + event + "crc4";
  };
  write(temp.path() / "a" / "events.out.tfevents.1", image("\x89PNG...") + image("<script>"));
  Serving serving(temp.path());
  const std::string id = serving.runs()[0]["id"], key = "&token=" + serving.token();
  CHECK(serving.of("media", id)[0] == json{{"kind", "image"}, {"tag", "p"}, {"step", 3.0}, {"place", 0}});
  CHECK(serving.status("/media?run=" + id + "&place=0" + key) == 200);
  CHECK(serving.last().get_header_value("Content-Type") == "image/png");
  CHECK(serving.last().body == "\x89PNG...");
  CHECK(serving.status("/media?run=" + id + "&place=1" + key) == 200);
  CHECK(serving.last().get_header_value("Content-Type") == "application/octet-stream");
  for (const char* wrong : {"2", "-1", "x", "99999999999999999999"})
    CHECK(serving.status("/media?run=" + id + "&place=" + wrong + key) == 404);
}

TEST_CASE("a run that goes on, and one that goes, are seen") {
  const TempFolder temp;
  const auto folder = temp.path() / "version_0";
  make_run(folder, "0.1");
  Serving serving(temp.path());
  const std::string id = serving.runs()[0]["id"];
  CHECK(serving.of("metrics", id)["loss"]["points"] == 3);
  std::ofstream(folder / "metrics.csv", std::ios::app) << "0,4,0.5\n";
  CHECK(serving.of("metrics", id)["loss"]["points"] == 4);
  for (int i = 0; i < 100 && serving.runs()[0]["step"] != 4; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(serving.runs()[0]["step"] == 4);
  std::filesystem::remove_all(folder);
  CHECK(serving.of("metrics", id).empty());
  for (int i = 0; i < 300 && !serving.runs().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(serving.runs().empty());
}

TEST_CASE("damaged run folders are shown with their problem") {
  const TempFolder temp;
  write(temp.path() / "a" / "config.json", "{\"model\": ");
  write(temp.path() / "b" / "config.json", "[]");
  write(temp.path() / "c" / "config.json", "{}");
  write(temp.path() / "c" / "metrics.csv", std::string("step,\xff\n1,2\n", 10));
  write(temp.path() / "d" / "events.out.tfevents.0", std::string(1000, '\x7f'));
  Serving serving(temp.path());
  const json runs = serving.runs();
  REQUIRE(runs.size() == 4);
  CHECK(runs[0]["state"] == "broken");
  CHECK(runs[0]["problem"] != "");
  for (const json& run : runs) {
    CHECK_NOTHROW(serving.get("/api/metrics?run=" + run["id"].get<std::string>()));
    CHECK_NOTHROW(serving.get("/api/run?run=" + run["id"].get<std::string>()));
  }
}

TEST_CASE("a port that is taken is an error") {
  const TempFolder temp;
  Serving serving(temp.path());
  RunStore store({temp.path()});
  try {
    Server second(store, serving.port());
    FAIL("no error");
  } catch (const Error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("is taken; --port 0 takes a free one"));
    CHECK(text_of(e.code()) == "E0225");
  }
}

TEST_CASE("while a long file is read, other requests are answered, and its own get what is there") {
  const TempFolder temp;
  make_run(temp.path() / "short", "0.1");
  make_run(temp.path() / "long", "0.2");
  {
    std::ofstream out(temp.path() / "long" / "metrics.csv");
    out << "epoch,step,loss,acc\n";
    for (int step = 0; step < 2000000; ++step) out << "0," << step << ",0.12345678,0.87654321\n";
  }
  Serving serving(temp.path());
  const json runs = serving.runs();
  const std::string slow = runs[0]["id"], quick = runs[1]["id"];
  json first = serving.get_once("/api/metrics?run=" + slow);
  CHECK(first["reading"] == json{slow});
  CHECK(first["runs"][slow]["loss"]["points"] < 2000000);
  CHECK(serving.of("metrics", quick)["loss"]["points"] == 3);
  CHECK_FALSE(serving.get_once("/api/run?run=" + quick).is_null());
  CHECK(serving.get_once("/api/metrics?run=" + slow)["reading"] == json{slow});  // all of this was before its end
  for (int i = 0; i < 600 && first["reading"] != json::array(); ++i)
    first = serving.get_once("/api/metrics?run=" + slow);
  CHECK(first["runs"][slow]["loss"]["points"] == 2000000);
}

TEST_CASE("checkpoints say what made them, and are verified on request") {
  const TempFolder temp;
  const auto run = temp.path() / "version_0";
  make_run(run, "0.1");
  std::filesystem::create_directories(run / "checkpoints");
  const std::vector<float> numbers(1000, 1.5f);
  const json manifest = {
      {"epoch", 2},
      {"global_step", 30},
      {"levin_version", "0.1.0"},
      {"plugins", {{{"id", "levin.mlp"}, {"version", "0.1.0"}, {"file", "/x/libmlp.so"}, {"sha256", "ab"}}}}};
  for (const char* name : {"good.ckpt", "bad.ckpt"})
    write_safetensors((run / "checkpoints" / name).string(),
                      {{{"w", "F32", {1000}, numbers.data(), 4000}}, {}, manifest});
  write(run / "checkpoints/index.json", R"({"best": {"path": "checkpoints/good.ckpt", "score": 0.5}})");
  {
    std::fstream file(run / "checkpoints/bad.ckpt", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-100, std::ios::end);
    file.put('!');
  }
  Serving serving(temp.path());
  const std::string id = serving.runs()[0]["id"];
  const json list = serving.get("/api/run?run=" + id)["checkpoints"];
  REQUIRE(list.size() == 2);
  const json& good = list[0]["best"] == true ? list[0] : list[1];
  CHECK(good["file"] == "checkpoints/good.ckpt");
  CHECK(good["epoch"] == 2);
  CHECK(good["global_step"] == 30);
  CHECK(good["plugins"][0]["id"] == "levin.mlp");
  const auto verified = [&](const std::string& file) {
    json out;
    do out = serving.get("/api/verify?run=" + id + "&file=" + file);
    while (out["state"] == "waiting");
    return out;
  };
  CHECK(verified("checkpoints/good.ckpt")["state"] == "whole");
  CHECK(verified("checkpoints/bad.ckpt")["state"] == "damaged");
  CHECK_THAT(verified("checkpoints/bad.ckpt")["reason"].get<std::string>(), ContainsSubstring("bad.ckpt"));
  for (const char* wrong : {"config.json", "checkpoints/gone.ckpt", "../version_0/checkpoints/good.ckpt"})
    CHECK(serving.status("/api/verify?run=" + id + "&file=" + wrong + "&token=" + serving.token()) == 404);
}

TEST_CASE("lost ranks, tables and components are those of the folder") {
  const TempFolder temp;
  const auto run = temp.path() / "version_0";
  make_run(run, "0.1");
  write(run / "log.rank-1.txt", "2026-01-02T03:04:05.678 info begins\n");
  write(run / "log.txt",
        "2026-01-02T03:04:05.678 info begins\n"
        "2026-01-02T03:04:06.678 warning rank 1 (host a, pid 7) has been silent for 2 s\n"
        "2026-01-02T03:04:07.678 error lost rank 1 (host a, pid 7) in all_gather\n");
  write(run / "confusion_matrix_val.csv", "target,cat,\"a,b\"\ncat,3,1\n\"a,b\",0,4\n");
  Serving serving(temp.path());
  const json row = serving.runs()[0], details = serving.get("/api/run?run=" + row["id"].get<std::string>());
  CHECK(row["ranks"] == 2);
  CHECK(row["started"] == "2026-01-02T03:04:05");
  CHECK(details["ranks"]["lost"] == json{"1"});
  CHECK(details["ranks"]["lines"].size() == 2);
  CHECK(details["ranks"]["list"][1]["lost"] == true);
  CHECK(details["tables"].size() == 1);
  CHECK(details["tables"][0]["columns"] == json{"target", "cat", "a,b"});
  CHECK(details["tables"][0]["rows"][1] == json{"a,b", "0", "4"});
  CHECK(details["components"][0]["component"] == "mlp");
}

TEST_CASE("hostile run folders are shown, and nothing outside of them") {
  const TempFolder temp;
  write(temp.path() / "outside" / "secret.txt", "a,b\nstep,secret\n1,2\n");
  const auto run = temp.path() / "runs" / "a", secret = temp.path() / "outside/secret.txt";
  make_run(run, "0.1");
  for (const char* name : {"metrics.csv", "log.txt"}) std::filesystem::remove(run / name);
  for (const char* name : {"metrics.csv", "log.txt", "table.csv", "events.out.tfevents.1", "log.rank-1.txt"})
    std::filesystem::create_symlink(secret, run / name);
  std::filesystem::create_directory_symlink("/", run / "checkpoints");
  for (const char* name : {"b", "c"}) std::filesystem::create_directories(temp.path() / "runs" / name);
  for (const char* name : {"config.json", "metrics.csv", "log.txt", "table.csv", "events.out.tfevents.1"})
    REQUIRE(::mkfifo((temp.path() / "runs/b" / name).c_str(), 0600) == 0);
  write(temp.path() / "runs/c/config.json", "");
  std::filesystem::resize_file(temp.path() / "runs/c/config.json", uintmax_t{1} << 40);  // sparse
  write(temp.path() / "runs/c/metrics.csv", "step,loss\n1,2\n");
  std::filesystem::resize_file(temp.path() / "runs/c/metrics.csv", uintmax_t{1} << 40);
  write(temp.path() / "runs/d/config.json", R"({"model": {"component": "<img src=x>"}})");
  write(temp.path() / "runs/d/<b>x</b>.csv", "<i>,b\n1,<script>\n");
  Serving serving(temp.path() / "runs");
  const json runs = serving.runs();
  REQUIRE(runs.size() == 4);
  for (const json& row : runs) {
    const std::string id = row["id"];
    CHECK_THAT(serving.get_once("/api/metrics?run=" + id).dump(), !ContainsSubstring("secret"));
    CHECK_THAT(serving.get_once("/api/media?run=" + id).dump(), !ContainsSubstring("secret"));
    CHECK_THAT(serving.get("/api/run?run=" + id).dump(), !ContainsSubstring("step,secret"));
  }
  CHECK(runs[2]["state"] == "broken");
  CHECK_THAT(runs[2]["problem"].get<std::string>(), ContainsSubstring("larger than 64 MiB"));
}

TEST_CASE("folders that come and go while they are read do no harm") {
  const TempFolder temp;
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for (int n = 0; !ends; ++n) {
      const auto run = temp.path() / ("version_" + std::to_string(n % 5));
      std::error_code ignored;
      std::filesystem::remove_all(run, ignored);
      make_run(run, std::to_string(n));
      std::ofstream(run / "events.out.tfevents.1") << std::string(static_cast<size_t>(n % 100), 'x');
    }
  });
  {
    Serving serving(temp.path());
    for (int i = 0; i < 100; ++i) {
      const json runs = serving.get_once("/api/runs")["runs"];
      for (const json& row : runs) {
        const std::string query = "?run=" + row["id"].get<std::string>();
        serving.get_once("/api/metrics" + query);
        serving.status("/api/run" + query + "&token=" + serving.token());
      }
    }
  }
  ends = true;
  writer.join();
}
