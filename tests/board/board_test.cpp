#include <httplib.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "board/run_store.hpp"
#include "board/server.hpp"
#include "board/thinned.hpp"
#include "catch.hpp"
#include "core/base/error.hpp"
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
  json get(const std::string& path) {
    REQUIRE(status(path + (path.find('?') == std::string::npos ? "?" : "&") + "token=" + token()) == 200);
    return json::parse(last_.body);
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
  for (const char* asset : {"/board.js", "/board.css", "/dygraph.js", "/dygraph.css"}) {
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
  const json runs = serving.get("/api/runs");
  REQUIRE(runs.size() == 3);
  CHECK(runs[0]["name"] == "deeper/version_1");
  CHECK(runs[0]["options"] == json{{"model.lr", "0.2"}});
  CHECK(runs[0]["state"] == "interrupted");
  CHECK(runs[2]["step"] == 3);
  const std::string id = runs[2]["id"];
  const json curve = serving.get("/api/metrics?run=" + id)[id]["loss"];
  CHECK(curve["steps"] == json{1.0, 2.0, 3.0});
  CHECK(curve["values"] == json{3.0, nullptr, 1.0});
  const json details = serving.get("/api/run?run=" + id);
  CHECK(details["settings"][1] == json{"model.lr", "0.1", ""});
  CHECK_THAT(details["log"].get<std::string>(), ContainsSubstring("info begins"));
  CHECK(serving.get("/api/metrics?run=/etc").empty());
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
  const std::string id = serving.get("/api/runs")[0]["id"], key = "&token=" + serving.token();
  CHECK(serving.get("/api/media?run=" + id)[id][0] == json{{"kind", "image"}, {"tag", "p"}, {"step", 3.0}});
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
  const std::string id = serving.get("/api/runs")[0]["id"];
  CHECK(serving.get("/api/metrics?run=" + id)[id]["loss"]["points"] == 3);
  std::ofstream(folder / "metrics.csv", std::ios::app) << "0,4,0.5\n";
  CHECK(serving.get("/api/metrics?run=" + id)[id]["loss"]["points"] == 4);
  for (int i = 0; i < 100 && serving.get("/api/runs")[0]["step"] != 4; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(serving.get("/api/runs")[0]["step"] == 4);
  std::filesystem::remove_all(folder);
  CHECK(serving.get("/api/metrics?run=" + id)[id].empty());
  for (int i = 0; i < 300 && !serving.get("/api/runs").empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(serving.get("/api/runs").empty());
}

TEST_CASE("damaged run folders are shown with their problem") {
  const TempFolder temp;
  write(temp.path() / "a" / "config.json", "{\"model\": ");
  write(temp.path() / "b" / "config.json", "[]");
  write(temp.path() / "c" / "config.json", "{}");
  write(temp.path() / "c" / "metrics.csv", std::string("step,\xff\n1,2\n", 10));
  write(temp.path() / "d" / "events.out.tfevents.0", std::string(1000, '\x7f'));
  Serving serving(temp.path());
  const json runs = serving.get("/api/runs");
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
  }
}
