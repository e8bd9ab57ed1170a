// The rows, monitors and warnings of a run of several processes.
#include "core/logging/logger_connector.hpp"

#include <ATen/core/Tensor.h>

#include <sstream>

#include "catch.hpp"
#include "tests/logging/log_call.hpp"
#include "tests/logging/scripted_logger.hpp"
#include "tests/logging/several_processes.hpp"

using namespace levin::core;

namespace {

struct Lines {
  std::vector<std::string> rows, warnings;
  levin_logger table{};
  ComponentSchema schema;
  Lines() {
    table.o.size = sizeof table;
    table.metrics = [](void* self, int64_t step, const char* const* names, const double* values,
                       uint32_t n) -> levin_status {
      std::ostringstream line;
      for (uint32_t i = 0; i < n; ++i) line << names[i] << '=' << values[i] << ' ';
      line << '@' << step;
      static_cast<Lines*>(self)->rows.push_back(line.str());
      return LEVIN_OK;
    };
  }
  LoggerList list(bool first) {
    std::vector<std::unique_ptr<Logger>> loggers;
    if (first)
      loggers.push_back(std::make_unique<Logger>(ComponentOrigin{"log", "liblog.so", &schema, false}, &table.o, this));
    LoggerList list(std::move(loggers), [](const std::string&) {});
    list.begin({});
    return list;
  }
};

levin_log call(const char* name, double value, int on_step, int on_epoch, bool sync) {
  levin_log l = log_call(name, value, on_step, on_epoch);
  l.sync_dist = sync;
  return l;
}

}  // namespace

TEST_CASE("rows of an evaluation's batches wait for the processes, which have different numbers of them") {
  const auto all = in_processes<std::vector<std::string>>(2, [](int rank, ProcessGroup& group) {
    Lines lines;
    LoggerList loggers = lines.list(rank == 0);
    LoggerConnector log(loggers, {1}, &group);
    log.set_evaluating(true, false);
    for (int batch = 0; batch < 3 - rank; ++batch) {
      log.eval().set_batch(1, -1);
      log.log(LogOrigin::validation_step, call("m", batch + 10 * rank, 1, 1, true));
      log.log(LogOrigin::validation_step, call("own", batch, 1, 0, false));
      log.log_eval_step(100 + batch, batch);
    }
    must(lines.rows.empty(), "rows wait");
    log.eval().set_batch(1, -1);
    log.reach_end();
    log.log_eval_epoch({0, 7});
    return lines.rows;
  });
  CHECK(all[0] == std::vector<std::string>{"m_step=5 own=0 @100", "m_step=6 own=1 @101", "m_step=2 own=2 @102",
                                           "m_epoch=4.8 epoch=0 @7"});
  CHECK(all[1].empty());
}

TEST_CASE("callbacks of all processes see the same at the end of an epoch, and are told what was not reduced") {
  const auto all = in_processes<std::vector<std::string>>(2, [](int rank, ProcessGroup& group) {
    Lines lines;
    LoggerList loggers = lines.list(rank == 0);
    LoggerConnector log(loggers, {1}, &group, [&](const std::string& line) { lines.warnings.push_back(line); });
    log.train().set_batch(1, -1);
    log.log(LogOrigin::training_step, call("on_step", 1 + rank, 1, 0, false));
    log.log(LogOrigin::training_step, call("own", 3 + rank, 0, 1, false));
    log.log(LogOrigin::training_step, call("synced", 5 + rank, 1, 1, true));
    levin_log zero = call("zero", 9, 0, 1, true);
    zero.rank_zero_only = 1;
    log.log(LogOrigin::training_step, zero);
    log.agree_on_step();
    double value = 0;
    must(log.metric(MetricSet::callback, "synced_step", value) && value == 5.5, "synced_step");
    must(!log.metric(MetricSet::callback, "zero", value), "zero is of the epoch");
    if (rank == 0) log.publish("published", 4);
    log.reach_end();
    std::ostringstream text;
    for (const auto& [name, v] : log.metrics(MetricSet::callback).items()) text << name << '=' << v << ' ';
    for (const char* name : {"own", "synced", "zero", "own", "on_step"}) log.metric(MetricSet::callback, name, value);
    std::vector<std::string> out = {text.str()};
    out.insert(out.end(), lines.warnings.begin(), lines.warnings.end());
    return out;
  });
  CHECK(all[0][0] == "on_step=1 synced_step=5.5 synced=5.5 published=4 own=3 synced_epoch=5.5 zero=9 ");
  CHECK(all[1] == std::vector<std::string>{all[0][0]});
  REQUIRE(all[0].size() == 3);
  CHECK(all[0][1] ==
        "'own' is monitored and not reduced over the 2 ranks: the value of rank 0 is used; log it with sync_dist to "
        "reduce it");
  CHECK(all[0][2].find("'on_step' is monitored") == 0);
}

TEST_CASE("a schedule of every process goes by what the first one monitors") {
  const auto all = in_processes<double>(2, [](int rank, ProcessGroup& group) {
    LoggerList none({}, [](const std::string&) {});
    LoggerConnector log(none, {1}, &group);
    log.train().set_batch(1, -1);
    log.log(LogOrigin::training_step, call("m", 1 + rank, 1, 0, false));
    must(!log.monitored("nothing"), "nothing");
    return log.monitored("m").value_or(-1);
  });
  CHECK(all == std::vector<double>{1, 1});
}
