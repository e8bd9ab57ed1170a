// Loggers that are called on their own thread.
#include "core/logging/run_logger.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "scripted_logger.hpp"

using namespace scripted_logger;

TEST_CASE("a logger off the training thread gets every call in order, on one other thread, with copies of everything") {
  for (const uint64_t flags : {uint64_t{0}, uint64_t{LEVIN_F_OFF_THREAD}}) {
    Scripted scripted(flags);
    Warnings warnings;
    LoggerList list = list_of({&scripted}, warnings);
    list.hparams("{\"early\":1}");
    list.begin(begin_in(""));
    CHECK(list.all()[0]->url() == "https://example.org/7");
    row(list, 1);
    {
      uint8_t pixel[] = {7};
      int64_t shape[] = {1, 1, 1};
      const levin_view view = {pixel, {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, shape, nullptr, 0};
      const std::string caption = " dog";
      levin_media media{sizeof media, 0, "image", "tag", 3, &view, nullptr, caption.c_str(), 0};
      list.media(media);
      if (flags) pixel[0] = 9;
    }
    list.artifact({sizeof(levin_artifact), 0, "/tmp", "weights", nullptr});
    list.hparams("{\"late\":1}");
    levin_saved saved{sizeof saved, LEVIN_SAVED_BEST, "/tmp", "val_loss", 0.5, 1, 2};
    list.after_save(saved);
    saved.path = "/tmp/no such file";
    if (flags) list.after_save(saved);  // the file cannot be read any more
    row(list, 2);
    list.finalize("success", 60);
    Lines expected = {"begin",
                      "save",
                      "hparams {\"early\":1}",
                      "metrics 1 m=1.0",
                      "media image tag 7 dog",
                      "artifact weights",
                      "hparams {\"late\":1}",
                      "after_save best val_loss",
                      "metrics 2 m=2.0",
                      "flush"};
    if (flags) expected.push_back("save");  // the current state, for the next checkpoint
    expected.push_back("finalize success");
    CHECK(scripted.seen() == expected);
    CHECK((scripted.thread != std::this_thread::get_id()) == (flags != 0));
    CHECK(warnings.all().empty());
  }
}

TEST_CASE("a failure off the training thread is told once, with what is lost, and the run goes on") {
  Scripted scripted;
  scripted.held = scripted.fails = "metrics";
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  list.begin(begin_in(""));
  row(list, 1);
  scripted.wait_inside();
  row(list, 2);
  list.flush();
  const StateBag waiting = list.all()[0]->waiting_calls();
  CHECK(WaitingCalls::read(waiting).calls.size() == 3);  // includes the call in progress
  scripted.let_go();
  list.finalize("success", 60);
  CHECK(scripted.seen() == Lines({"begin", "save", "metrics 1 m=1.0"}));
  REQUIRE(warnings.all().size() == 1);
  CHECK_THAT(warnings.all()[0], ContainsSubstring("liblog.so: log.metrics") && ContainsSubstring("is skipped") &&
                                    ContainsSubstring("lost: 1 row of metrics"));
  CHECK(list.all()[0]->state().bytes().at("id") == std::string("remote-7"));
}

TEST_CASE("training never waits for a full queue: rows and media are dropped, and nothing else") {
  Scripted scripted;
  scripted.held = "metrics";
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings, {3, 1 << 20});
  list.begin(begin_in(""));
  row(list, 0);
  scripted.wait_inside();
  for (int64_t step = 1; step < 9; ++step) row(list, step);
  list.hparams("{}");
  for (int i = 0; i < 4; ++i) list.flush();  // consecutive flushes are merged
  scripted.let_go();
  list.finalize("success", 60);
  Lines seen = scripted.seen();
  const auto flushes = std::count(seen.begin(), seen.end(), "flush");
  CHECK((flushes == 1 || flushes == 2));  // finalize also flushes, possibly after the first flush is done
  const auto of_flush = [](const std::string& line) { return line == "flush" || line == "save"; };
  seen.erase(std::remove_if(seen.begin(), seen.end(), of_flush), seen.end());
  CHECK(seen ==
        Lines({"begin", "metrics 0 m=0.0", "metrics 1 m=1.0", "metrics 2 m=2.0", "hparams {}", "finalize success"}));
  REQUIRE(warnings.all().size() == 2);
  CHECK_THAT(warnings.all()[0], ContainsSubstring("liblog.so: log: 3 calls wait for this logger"));
  CHECK_THAT(warnings.all()[1], ContainsSubstring("too slow: dropped: 6 rows of metrics"));
}

TEST_CASE("the bytes of media count, too") {
  Scripted scripted;
  scripted.held = "media";
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings, {1000, 5000});
  list.begin(begin_in(""));
  std::vector<uint8_t> pixels(4000);
  int64_t shape[] = {4000, 1, 1};
  const levin_view view = {pixels.data(), {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, shape, nullptr, 0};
  const levin_media media{sizeof media, 0, "image", "tag", 3, &view, nullptr, nullptr, 0};
  for (int i = 0; i < 3; ++i) list.media(media);
  scripted.let_go();
  list.finalize("success", 60);
  CHECK_THAT(warnings.all().back(), ContainsSubstring("dropped: 1 media"));
}

TEST_CASE("a logger that hangs at the end is given up, with a word on what is lost, and is not destroyed") {
  static Scripted scripted;  // the abandoned thread may still use it when the test ends
  static bool destroyed = false;
  scripted.held = "metrics";
  scripted.table.o.destroy = [](void*) { destroyed = true; };
  Warnings warnings;
  {
    std::vector<std::unique_ptr<Logger>> loggers;
    loggers.push_back(std::make_unique<Logger>(ComponentOrigin{"log", "liblog.so", &scripted.schema, true},
                                               &scripted.table.o, &scripted));
    LoggerList list(std::move(loggers), [&](const std::string& line) { warnings.add(line); });
    list.begin(begin_in(""));
    row(list, 1);
    scripted.wait_inside();
    row(list, 2);
    list.finalize("success", 0);
    row(list, 3);
    list.finalize("success", 0);
  }
  CHECK_FALSE(destroyed);
  REQUIRE(warnings.all().size() == 1);
  CHECK_THAT(warnings.all()[0], ContainsSubstring("liblog.so: log.metrics has not returned for") &&
                                    ContainsSubstring("2 rows of metrics, 1 flush and 1 finalize"));
  scripted.let_go();
}

TEST_CASE("what waited for a logger when a checkpoint was made reaches it after a resume, once") {
  const TempFolder folder;
  StateBag state, calls;
  {
    Scripted scripted;
    scripted.held = "metrics";
    Warnings warnings;
    LoggerList list = list_of({&scripted}, warnings);
    list.begin(begin_in(folder.path().c_str()));
    row(list, 1);
    scripted.wait_inside();
    uint8_t pixel[] = {5};
    int64_t shape[] = {1, 1, 1};
    const levin_view view = {pixel, {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, shape, nullptr, 0};
    list.media({sizeof(levin_media), 0, "image", "tag", 1, &view, nullptr, nullptr, 0});
    list.metrics(2, std::vector<const char*>{"nan", "not utf-8 \xff"}.data(), std::vector<double>{NAN, 2}.data(), 2);
    list.flush();
    state = list.all()[0]->state();
    calls = list.all()[0]->waiting_calls();  // as saved in a checkpoint
    scripted.let_go();
    list.finalize("success", 60);
  }
  {  // all calls were delivered after the checkpoint, so none is repeated
    Scripted scripted;
    Warnings warnings;
    LoggerList list = list_of({&scripted}, warnings);
    load_all(list, state, calls);
    list.begin(begin_in(folder.path().c_str(), 1));
    list.finalize("success", 60);
    CHECK(scripted.seen() == Lines({"load", "begin", "save", "flush", "save", "finalize success"}));
  }
  DeliveredMark(folder.path(), "log").write(1);  // as if the process was killed after the first call
  Scripted scripted;
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  load_all(list, state, calls);
  list.begin(begin_in(folder.path().c_str(), 1));
  row(list, 3);
  list.finalize("success", 60);
  CHECK(scripted.seen() ==
        Lines({"load", "begin", "save", "media image tag 5", "metrics 2 nan=nan not utf-8 \xef\xbf\xbd=2.0", "flush",
               "save", "metrics 3 m=3.0", "flush", "save", "finalize success"}));
}
