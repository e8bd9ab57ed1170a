// The values that reach loggers, callbacks and the progress bar, and their step: Lightning's table for two epochs of
// three training and two validation batches, where the n-th call logs n.
#include "core/logging/logger_connector.hpp"

#include <sstream>

#include "catch.hpp"
#include "core/config/schema.hpp"
#include "tests/logging/log_call.hpp"

using namespace levin::core;

namespace {

struct Recorder {
  std::vector<std::string> lines;  // e.g. "m=1 epoch=0 @2"
  bool fails = false;
  levin_logger table{};
  ComponentSchema schema;
  Recorder() {
    table.o.size = sizeof table;
    table.metrics = [](void* self, int64_t step, const char* const* names, const double* values,
                       uint32_t n) -> levin_status {
      auto& r = *static_cast<Recorder*>(self);
      if (r.fails) return LEVIN_E_IO;
      std::ostringstream line;
      for (uint32_t i = 0; i < n; ++i) line << names[i] << '=' << values[i] << ' ';
      line << '@' << step;
      r.lines.push_back(line.str());
      return LEVIN_OK;
    };
  }
  std::unique_ptr<Logger> logger() {
    return std::make_unique<Logger>(ComponentOrigin{"log", "liblog.so", &schema, false}, &table.o, this);
  }
};

LoggerList list_of(Recorder& recorder, std::vector<std::string>* warnings = nullptr) {
  std::vector<std::unique_ptr<Logger>> loggers;
  loggers.push_back(recorder.logger());
  LoggerList list(std::move(loggers), [warnings](const std::string& line) {
    if (warnings) warnings->push_back(line);
  });
  list.begin({});
  return list;
}

struct Case {
  LogOrigin origin;
  int on_step, on_epoch;
  std::vector<std::string> logged;
  std::string callback, progress;
};

std::string shown(const OrderedMetrics& metrics) {
  std::ostringstream out;
  for (const auto& [name, value] : metrics.items()) out << name << '=' << value << ' ';
  return out.str();
}

// The logging calls of the loops in a fit, with a bar that reads the metrics after each batch.
class Fit {
 public:
  Fit(LoggerConnector& log, const Case& c) : log_(log), case_(c) {}
  void run() {
    if (case_.origin == origin_of_hook(LEVIN_HOOK_TRAIN_START)) call();
    for (axis_.epoch = 0; axis_.epoch < 2; ++axis_.epoch) {
      for (int batch = 0; batch < 3; ++batch) train(batch);
      log_.train().reach_end();
      if (case_.origin == origin_of_hook(LEVIN_HOOK_TRAIN_EPOCH_END)) call();
      log_.log_train_epoch(axis_);
    }
  }

 private:
  void call() { log_.active().log(case_.origin, log_call("m", calls_++, case_.on_step, case_.on_epoch)); }
  void train(int batch) {
    log_.train().set_batch(1, -1);
    if (case_.origin == LogOrigin::training_step) call();
    log_.log_train_step(axis_);
    if (batch == 2) validate();
    ++axis_.batches_that_stepped;
  }
  void validate() {
    log_.set_evaluating(true, false);
    log_.eval().reset();
    for (int batch = 0; batch < 2; ++batch) {
      log_.eval().set_batch(1, -1);
      if (case_.origin == LogOrigin::validation_step) call();
      log_.metrics(MetricSet::progress);
      log_.log_eval_step(eval_steps_++);
    }
    log_.eval().set_batch(1, -1);
    log_.eval().reach_end();
    if (case_.origin == origin_of_hook(LEVIN_HOOK_VALIDATION_EPOCH_END)) call();
    log_.log_eval_epoch(axis_);
    log_.set_evaluating(false, false);
  }
  LoggerConnector& log_;
  const Case& case_;
  LogAxis axis_;
  int64_t eval_steps_ = 0;
  double calls_ = 0;
};

}  // namespace

TEST_CASE("what a validation said last is not overwritten by an older value of training under the same name") {
  LoggerList none({}, [](const std::string&) {});
  LoggerConnector log(none, {1});
  log.train().set_batch(1, -1);
  log.train().log(LogOrigin::training_step, log_call("a", 1, 1, 0));
  log.log_train_step({0, 0});
  log.set_evaluating(true, false);
  log.eval().set_batch(1, -1);
  log.eval().log(LogOrigin::validation_step, log_call("a", 2));
  log.reach_end();
  log.log_eval_epoch({0, 0});
  log.set_evaluating(false, false);
  log.reach_end();
  log.log_train_epoch({0, 1});
  CHECK(shown(log.metrics(MetricSet::callback)) == "a=2 ");
}

TEST_CASE("loggers, callbacks and the bar see what Lightning shows them") {
  const std::vector<std::string> by_step = {"m=0 epoch=0 @0", "m=1 epoch=0 @1", "m=2 epoch=0 @2",
                                            "m=3 epoch=1 @3", "m=4 epoch=1 @4", "m=5 epoch=1 @5"};
  const std::vector<std::string> forked = {"m_step=0 epoch=0 @0",  "m_step=1 epoch=0 @1", "m_step=2 epoch=0 @2",
                                           "m_epoch=1 epoch=0 @2", "m_step=3 epoch=1 @3", "m_step=4 epoch=1 @4",
                                           "m_step=5 epoch=1 @5",  "m_epoch=4 epoch=1 @5"};
  const std::vector<std::string> once_an_epoch = {"m=0 epoch=0 @2", "m=1 epoch=1 @5"};
  const Case cases[] = {
      {LogOrigin::training_step, -1, -1, by_step, "m=5 ", "m=5 "},
      {LogOrigin::training_step, 1, 0, by_step, "m=5 ", "m=5 "},
      {LogOrigin::training_step, -1, 1, forked, "m_step=5 m=4 m_epoch=4 ", "m_step=5 m_epoch=4 "},
      {LogOrigin::training_step, 0, 1, {"m=1 epoch=0 @2", "m=4 epoch=1 @5"}, "m=4 ", "m=4 "},
      {origin_of_hook(LEVIN_HOOK_TRAIN_START), -1, -1, {"m=0 epoch=0 @2"}, "m=0 ", "m=0 "},
      {origin_of_hook(LEVIN_HOOK_TRAIN_EPOCH_END), -1, -1, once_an_epoch, "m=1 ", "m=1 "},
      {LogOrigin::validation_step, -1, -1, {"m=0.5 epoch=0 @2", "m=2.5 epoch=1 @5"}, "m=2.5 ", "m=2.5 "},
      {LogOrigin::validation_step,
       1,
       1,
       {"m_step=0 @0", "m_step=1 @1", "m_epoch=0.5 epoch=0 @2", "m_step=2 @2", "m_step=3 @3", "m_epoch=2.5 epoch=1 @5"},
       "m_epoch=2.5 m=2.5 ",
       "m_step=3 m_epoch=2.5 "},
      {LogOrigin::validation_step, 1, 0, {"m=0 @0", "m=1 @1", "m=2 @2", "m=3 @3"}, "", "m=3 "},
      {origin_of_hook(LEVIN_HOOK_VALIDATION_EPOCH_END), -1, -1, once_an_epoch, "m=1 ", "m=1 "},
  };
  for (const Case& c : cases) {
    Recorder recorder;
    LoggerList loggers = list_of(recorder);
    LoggerConnector log(loggers, {1});
    Fit(log, c).run();
    INFO(origin_name(c.origin) << " " << c.on_step << " " << c.on_epoch);
    CHECK(recorder.lines == c.logged);
    CHECK(shown(log.metrics(MetricSet::callback)) == c.callback);
    CHECK(shown(log.metrics(MetricSet::progress)) == c.progress);
  }
}

TEST_CASE("step metrics go to the loggers every n steps, and when a fit stops") {
  struct Case {
    int64_t every, stepped;
    bool stopping, due;
  };
  Recorder recorder;
  LoggerList loggers = list_of(recorder);
  for (const Case& c : {Case{1, 0, false, true},
                        {50, 48, false, false},
                        {50, 49, false, true},
                        {50, 3, true, true},
                        {0, 49, false, false},
                        {0, 49, true, false}})
    CHECK(LoggerConnector(loggers, {c.every}).due(c.stepped, c.stopping) == c.due);
}

TEST_CASE("a metric called step takes the place of the axis") {
  Recorder recorder;
  LoggerList loggers = list_of(recorder);
  LoggerConnector log(loggers, {1});
  log.train().set_batch(1, -1);
  log.train().log(LogOrigin::training_step, log_call("step", 77));
  log.train().log(LogOrigin::training_step, log_call("m", 1));
  log.log_train_step({0, 3});
  CHECK(recorder.lines == std::vector<std::string>{"m=1 @77"});
}

TEST_CASE("what the sanity check logs is forgotten") {
  Recorder recorder;
  LoggerList loggers = list_of(recorder);
  LoggerConnector log(loggers, {1});
  log.set_evaluating(true, true);
  log.eval().set_batch(1, -1);
  log.eval().log(LogOrigin::validation_step, log_call("m", 1));
  log.log_eval_step(0);
  log.eval().reach_end();
  log.log_eval_epoch({});
  log.set_evaluating(false, true);
  log.drop_sanity_metrics();
  CHECK(recorder.lines.empty());
  CHECK(log.metrics(MetricSet::callback).empty());
}

TEST_CASE("a failing logger is named once, and left out") {
  Recorder recorder;
  recorder.fails = true;
  std::vector<std::string> warnings;
  LoggerList loggers = list_of(recorder, &warnings);
  OrderedMetrics metrics;
  metrics.set("m", 1);
  loggers.metrics(0, metrics);
  recorder.fails = false;
  loggers.metrics(1, metrics);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], ContainsSubstring("liblog.so: log.metrics") && ContainsSubstring("is skipped"));
  CHECK(recorder.lines.empty());
}

TEST_CASE("media and log_now have the step of metrics that are logged in the same place") {
  LoggerList none({}, [](const std::string&) {});
  LoggerConnector log(none, {1});
  CHECK(log.step_now(3) == 3);  // within an epoch: the current batch
  log.set_evaluating(true, true);
  CHECK_FALSE(log.reaches_loggers());
  log.set_evaluating(false, true);
  CHECK(log.reaches_loggers());
  CHECK_FALSE(LoggerConnector(none, {1, /*barebones=*/true}).reaches_loggers());
  log.reach_end();
  CHECK(log.step_now(4) == 3);  // on_train_epoch_end: the last batch of the epoch, as for the epoch's row
  log.set_evaluating(true, false);
  CHECK(log.step_now(4) == 4);
  log.set_evaluating(false, false);
  log.log_train_epoch({0, 4});
  CHECK(log.step_now(4) == 4);
}

TEST_CASE("what a resumed run repeats is not logged twice, and nothing else is left out") {
  Recorder first, second;
  LoggerList before = list_of(first), after = list_of(second);
  const auto row = [](LoggerList& loggers, double value) {
    OrderedMetrics metrics;
    metrics.set("m", value);
    loggers.metrics(0, metrics);
  };
  row(before, 1);
  CHECK(before.repeated() == 0);
  before.begin_repeated();
  row(before, 2);
  row(before, 3);
  CHECK(before.repeated() == 2);  // a checkpoint is saved now
  after.leave_out(before.repeated());
  row(after, 10);  // at the start of training: does not count as repeated
  after.begin_repeated();
  for (const double value : {2, 3, 4}) row(after, value);
  CHECK(after.repeated() == 3);
  after.end_repeated();
  after.begin_repeated();
  row(after, 5);
  REQUIRE(second.lines.size() == 3);
  CHECK_THAT(second.lines[0], ContainsSubstring("10"));
  CHECK_THAT(second.lines[1], ContainsSubstring("4"));
}
