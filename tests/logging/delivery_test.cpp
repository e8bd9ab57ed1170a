// Loggers in a run: which calls they get, and those that are called on a thread of their own. The tests hold such a
// logger in a call until they let it go, so that nothing depends on time.
#include "core/logging/logger_list.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

namespace {

using Lines = std::vector<std::string>;

// A logger that writes down its calls, and waits in each call of `held` until it is let go.
struct Scripted {
  std::mutex mutex;
  std::condition_variable changed;
  Lines lines;
  std::string fails, held;
  bool inside = false, go = false;
  std::thread::id thread;
  levin_logger table{};
  ComponentSchema schema;

  explicit Scripted(uint64_t flags = LEVIN_F_OFF_THREAD) {
    schema.flags = flags;
    table.o.size = sizeof table;
    table.o.save = [](void* self, const levin_writer* w) -> levin_status {
      const levin_status status = of(self).call("save", "");
      if (status == LEVIN_OK) w->put(w, "id", "remote-7", 8);
      return status;
    };
    table.o.load = [](void* self, const levin_reader*) -> levin_status { return of(self).call("load", ""); };
    table.begin = [](void* self, const levin_logger_begin*) -> levin_status { return of(self).call("begin", ""); };
    table.url = [](void*) -> const char* { return "https://example.org/7"; };
    table.metrics = [](void* self, int64_t step, const char* const* names, const double* values,
                       uint32_t n) -> levin_status {
      std::string text = " " + std::to_string(step);
      for (uint32_t i = 0; i < n; ++i)
        text += std::string(" ") + names[i] + "=" + std::to_string(values[i]).substr(0, 3);
      return of(self).call("metrics", text);
    };
    table.media = [](void* self, const levin_media* m) -> levin_status {
      const auto* pixels = static_cast<const uint8_t*>(m->view->data);
      return of(self).call("media", std::string(" ") + m->kind + " " + m->tag + " " + std::to_string(pixels[0]) +
                                        (m->view->strides ? " strided" : "") + (m->caption ? m->caption : ""));
    };
    table.artifact = [](void* self, const levin_artifact* a) -> levin_status {
      return of(self).call("artifact", std::string(" ") + a->name);
    };
    table.hparams = [](void* self, const char* json) -> levin_status {
      return of(self).call("hparams", std::string(" ") + json);
    };
    table.after_save = [](void* self, const levin_saved* s) -> levin_status {
      return of(self).call("after_save", (s->flags & LEVIN_SAVED_BEST ? " best " : " ") +
                                             std::string(s->monitor ? s->monitor : "unmonitored"));
    };
    table.flush = [](void* self) -> levin_status { return of(self).call("flush", ""); };
    table.finalize = [](void* self, const char* status) -> levin_status {
      return of(self).call("finalize", std::string(" ") + status);
    };
  }
  static Scripted& of(void* self) { return *static_cast<Scripted*>(self); }
  levin_status call(const std::string& name, const std::string& text) {
    std::unique_lock<std::mutex> lock(mutex);
    lines.push_back(name + text);
    thread = std::this_thread::get_id();
    if (name == held) {
      inside = true;
      changed.notify_all();
      changed.wait(lock, [this] { return go; });
      inside = false;
    }
    return name == fails ? LEVIN_E_IO : LEVIN_OK;
  }
  void wait_inside() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return inside; });
  }
  void let_go() {
    const std::lock_guard<std::mutex> lock(mutex);
    held.clear();
    go = true;
    changed.notify_all();
  }
  Lines seen() {
    const std::lock_guard<std::mutex> lock(mutex);
    return lines;
  }
  std::unique_ptr<Logger> logger(const char* name = "log") {
    return std::make_unique<Logger>(ComponentOrigin{name, "liblog.so", &schema, false}, &table.o, this);
  }
};

class Warnings {
 public:
  void add(const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(line);
  }
  Lines all() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  Lines lines_;
};

LoggerList list_of(const std::vector<Scripted*>& scripted, Warnings& warnings, const DeliveryLimits& limits = {}) {
  std::vector<std::unique_ptr<Logger>> loggers;
  const char* names[] = {"log", "second", "third"};
  for (size_t i = 0; i < scripted.size(); ++i) loggers.push_back(scripted[i]->logger(names[i]));
  return LoggerList(
      std::move(loggers), [&warnings](const std::string& line) { warnings.add(line); }, limits);
}

void row(LoggerList& list, int64_t step) {
  OrderedMetrics metrics;
  metrics.set("m", static_cast<double>(step));
  list.metrics(step, metrics);
}

levin_logger_begin begin_in(const char* folder, int64_t resumed_step = -1) {
  levin_logger_begin begin{};
  begin.size = sizeof begin;
  begin.run_dir = folder;
  begin.resumed_step = resumed_step;
  return begin;
}

struct Folder {
  std::filesystem::path path;
  Folder() {
    char name[] = "/tmp/levin_delivery_test_XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

void load_all(LoggerList& list, const StateBag& state, const StateBag& calls) {
  for (const auto& logger : list.all())
    logger->load(state, calls, [&](Component& component) {
      const levin_reader reader = state.reader("1");
      component.load(reader);
    });
}

}  // namespace

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
    if (flags) list.after_save(saved);  // nobody can read it any more
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
    if (flags) expected.push_back("save");  // the state as of now, for the next checkpoint
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
  CHECK(WaitingCalls::read(waiting).calls.size() == 3);  // the one that is being made, too
  scripted.let_go();
  list.finalize("success", 60);
  CHECK(scripted.seen() == Lines({"begin", "save", "metrics 1 m=1.0"}));
  REQUIRE(warnings.all().size() == 1);
  CHECK_THAT(warnings.all()[0], ContainsSubstring("liblog.so: log.metrics") && ContainsSubstring("left out") &&
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
  for (int i = 0; i < 4; ++i) list.flush();  // one flush after another is one
  scripted.let_go();
  list.finalize("success", 60);
  Lines seen = scripted.seen();
  const auto flushes = std::count(seen.begin(), seen.end(), "flush");
  CHECK((flushes == 1 || flushes == 2));  // finalize flushes, too, perhaps when the first one is done
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
  static Scripted scripted;  // the thread that is left to itself may still be in it when the test ends
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
  const Folder folder;
  StateBag state, calls;
  {
    Scripted scripted;
    scripted.held = "metrics";
    Warnings warnings;
    LoggerList list = list_of({&scripted}, warnings);
    list.begin(begin_in(folder.path.c_str()));
    row(list, 1);
    scripted.wait_inside();
    uint8_t pixel[] = {5};
    int64_t shape[] = {1, 1, 1};
    const levin_view view = {pixel, {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, shape, nullptr, 0};
    list.media({sizeof(levin_media), 0, "image", "tag", 1, &view, nullptr, nullptr, 0});
    list.metrics(2, std::vector<const char*>{"nan", "not utf-8 \xff"}.data(), std::vector<double>{NAN, 2}.data(), 2);
    list.flush();
    state = list.all()[0]->state();
    calls = list.all()[0]->waiting_calls();  // of a checkpoint
    scripted.let_go();
    list.finalize("success", 60);
  }
  {  // everything was delivered after the checkpoint: nothing is repeated
    Scripted scripted;
    Warnings warnings;
    LoggerList list = list_of({&scripted}, warnings);
    load_all(list, state, calls);
    list.begin(begin_in(folder.path.c_str(), 1));
    list.finalize("success", 60);
    CHECK(scripted.seen() == Lines({"load", "begin", "save", "flush", "save", "finalize success"}));
  }
  DeliveredMark(folder.path, "log").write(1);  // as if the process had been killed after the first
  Scripted scripted;
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  load_all(list, state, calls);
  list.begin(begin_in(folder.path.c_str(), 1));
  row(list, 3);
  list.finalize("success", 60);
  CHECK(scripted.seen() ==
        Lines({"load", "begin", "save", "media image tag 5", "metrics 2 nan=nan not utf-8 \xef\xbf\xbd=2.0", "flush",
               "save", "metrics 3 m=3.0", "flush", "save", "finalize success"}));
}

TEST_CASE("nothing but destroy is called after a begin or a load that failed") {
  for (const char* fails : {"begin", "load"}) {
    for (const uint64_t flags : {uint64_t{0}, uint64_t{LEVIN_F_OFF_THREAD}}) {
      Scripted first(flags), bad(flags), last(flags);
      bad.fails = fails;
      Warnings warnings;
      LoggerList list = list_of({&first, &bad, &last}, warnings);
      StateBag old;
      old.bytes()["id"] = "remote-6";
      const auto set_up = [&] {
        load_all(list, old, {});
        list.begin(begin_in("", 3));
      };
      CHECK_THROWS_WITH(set_up(), ContainsSubstring(std::string("liblog.so: second.") + fails));
      row(list, 1);
      CHECK(list.all()[1]->state().bytes().at("id") == "remote-6");  // a checkpoint of the failed run keeps it
      list.finalize("failed", 60);
      INFO(fails);
      const bool begins = fails == std::string("begin");
      CHECK(bad.seen() == (begins ? Lines({"load", "begin"}) : Lines({"load"})));
      CHECK(last.seen() == (begins ? Lines({"load"}) : Lines()));
      CHECK(first.seen().back() == (begins ? "finalize failed" : "load"));
      CHECK(warnings.all().empty());
    }
  }
}

TEST_CASE("a logger that is left out keeps the state that it had") {
  Scripted scripted(0);
  scripted.fails = "metrics";
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  list.begin(begin_in(""));
  row(list, 1);
  list.flush();
  CHECK(list.all()[0]->state().bytes().count("id") == 1);
  list.finalize("success", 60);
  CHECK(scripted.seen() == Lines({"begin", "save", "metrics 1 m=1.0"}));
  Scripted cannot_save(0);
  LoggerList other = list_of({&cannot_save}, warnings);
  other.begin(begin_in(""));
  cannot_save.fails = "save";
  CHECK(other.all()[0]->state().bytes().count("id") == 1);  // and the checkpoint is saved
  CHECK_THAT(warnings.all().back(), ContainsSubstring("log.save") && ContainsSubstring("left out"));
}

TEST_CASE("media and artifacts that no logger takes are told of once") {
  Scripted scripted(0);
  scripted.table.media = nullptr;
  scripted.table.artifact = nullptr;
  Warnings warnings;
  LoggerList list = list_of({&scripted}, warnings);
  list.begin(begin_in(""));
  for (int i = 0; i < 2; ++i) {
    list.media({sizeof(levin_media), 0, "text", "notes", 0, nullptr, "hello", nullptr, 0});
    list.artifact({sizeof(levin_artifact), 0, "/tmp/x", "x", nullptr});
  }
  CHECK(warnings.all() == Lines({"no logger of this run takes media: text 'notes' is kept nowhere",
                                 "no logger of this run takes artifacts: /tmp/x is kept nowhere"}));
}
