// The calls that a logger class receives, and the media that components create.
#include <cmath>

#include "catch.hpp"
#include "levin/levin.hpp"
#include "levin/testing.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

std::string logger_got;

struct FullLogger : levin::Logger {
  static constexpr bool off_thread = true;
  void begin(const levin::LoggerBegin& b) {
    logger_got = b.run_name + " " + std::to_string(b.tags.size());
    for (const levin::HParam& p : b.hparams) logger_got += std::string(" ") + p.name + "=" + p.text();
    CHECK(b.hparams.number("model.lr") == 0.5);
    CHECK(b.hparams.number("data.n") == 3);
    CHECK(b.hparams.integer("data.n") == 3);
    CHECK(b.hparams.flag("data.shuffle"));
    CHECK(b.hparams.find("model.none")->is_null());
    CHECK_THROWS_WITH(b.hparams.integer("model.lr"), ContainsSubstring("'model.lr' is 0.5, which is no integer"));
    CHECK_THROWS_WITH(b.hparams.text("model.rate"), ContainsSubstring("no hyper-parameter 'model.rate'"));
  }
  void artifact(const levin::Artifact& a) { logger_got = a.path + " " + a.name + a.type; }
  void hparams(const std::string& json) { logger_got = json; }
  std::string url() { return "https://example.org"; }
  void after_save(const levin::Saved& s) {
    logger_got =
        s.path + (s.best ? " best" : "") + (s.last ? " last" : "") + " " + s.monitor + " " + levin::shortest(s.score);
  }
};
const levin_component full_logger = levin::logger<FullLogger>("full", "");

// Has only after_save with a path. Its members `url`, `hparams` and `artifact` are not functions.
struct SmallLogger : levin::Logger {
  std::string url = "kept", hparams, artifact;
  void after_save(const std::string& path) { logger_got = path; }
};
const levin_component small_logger = levin::logger<SmallLogger>("small", "");

levin_value real_number(double value) {
  levin_value v{};
  v.type = LEVIN_T_FLOAT;
  v.v.f = value;
  return v;
}
levin_value whole_number(int64_t value, uint32_t type = LEVIN_T_INT) {
  levin_value v{};
  v.type = type;
  v.v.i = value;
  return v;
}

}  // namespace

TEST_CASE("a logger gets names, tags, parameters, files, and what a checkpoint is") {
  FakeHost host;
  Component logger(host, full_logger);
  CHECK((full_logger.flags & LEVIN_F_OFF_THREAD) != 0);
  logger.begin("/run", "{}", -1, "first", {"a", "b"},
               {{"model.lr", real_number(0.5)},
                {"data.n", whole_number(3)},
                {"data.shuffle", whole_number(1, LEVIN_T_BOOL)},
                {"model.none", levin_value{}}});
  CHECK(logger_got == "first 2 model.lr=0.5 data.n=3 data.shuffle=true model.none=null");
  logger.artifact("/run/weights.bin", "weights");
  CHECK(logger_got == "/run/weights.bin weights");
  logger.hparams("{}");
  CHECK(logger_got == "{}");
  CHECK(logger.url() == "https://example.org");
  logger.after_save({"/run/a.ckpt", true, false, "val_loss", 0.25, 1, 2});
  CHECK(logger_got == "/run/a.ckpt best val_loss 0.25");
}

TEST_CASE("a logger may do with the path, and have members of the names of calls that it does not take") {
  FakeHost host;
  Component logger(host, small_logger);
  logger.after_save({"/run/a.ckpt"});
  CHECK(logger_got == "/run/a.ckpt");
  CHECK(logger.url().empty());
  CHECK((small_logger.flags & LEVIN_F_OFF_THREAD) == 0);
}

TEST_CASE("media are made of buffers, views and text, and have the step of now unless they say another") {
  const uint8_t pixels[12] = {};
  const levin::Media image = levin::Media::image("a", pixels, 2, 2, 3).caption("c");
  levin_media raw = image.raw();
  CHECK(raw.step == -1);
  CHECK(std::string(raw.kind) == "image");
  CHECK(std::string(raw.caption) == "c");
  CHECK(raw.view->data == pixels);
  CHECK(raw.view->shape[2] == 3);
  const levin::Media copy = levin::Media::view("image", "b", *raw.view);
  CHECK(copy.raw().view->shape[1] == 2);
  CHECK(copy.raw().view->strides == nullptr);
  const float samples[4] = {};
  raw = levin::Media::audio("s", samples, 2, 2, 8000).step(7).raw();
  CHECK(raw.step == 7);
  CHECK(raw.rate == 8000);
  const levin::Media table =
      levin::Media::table("t", {"n\"", "x"}, {{1, "a\\\n"}, {2.5, true}, {std::nan(""), std::string("b")}});
  CHECK(std::string(table.raw().text) ==
        R"({"columns": ["n\"", "x"], "rows": [[1, "a\\\u000a"], [2.5, true], ["nan", "b"]]})");
  CHECK(table.raw().view == nullptr);
}
