#include "core/checkpoint/state/loop_states.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"

using levin::core::step_rows;
using nlohmann::json;

TEST_CASE("what a batch takes of an epoch depends on the number of processes where they share out its rows") {
  const auto config = [](json batch, json global, bool shared) -> json {
    return {{"loader", {{"batch_size", std::move(batch)}, {"global_batch_size", std::move(global)}}},
            {"trainer", {{"use_distributed_sampler", shared}}}};
  };
  struct Case {
    json before;
    int64_t processes_before;
    json now;
    int64_t processes, rows_before, rows_now;
  };
  const Case cases[] = {
      {config(32, nullptr, true), 4, config(32, nullptr, true), 2, 2, 1},    // half of the rows
      {config(32, 8, true), 4, config(32, 8, true), 2, 1, 1},                // the same rows
      {config(32, 8, true), 4, config(2, nullptr, true), 2, 2, 1},           // 8 rows, then 2 * 2
      {config(2, nullptr, true), 4, config(32, 8, true), 1, 1, 1},           // the same number, configured differently
      {config(2, nullptr, true), 4, config(3, nullptr, true), 2, 4, 3},      // 8 rows, then 6
      {config(32, nullptr, false), 4, config(32, nullptr, false), 2, 1, 1},  // each process has all rows
      {config(32, 8, false), 4, config(32, 8, false), 2, 1, 2},              // 2 rows, then 4
      {config(32, nullptr, false), 4, config(32, nullptr, true), 2, 1, 2},   // processes share the rows from now on
      {json(), 4, config(32, nullptr, true), 2, 2, 1},                       // no information on the saved run
      {config("many", nullptr, true), 3, config(32, nullptr, true), 2, 3, 2},
      {config(-5, nullptr, true), 3, config(32, nullptr, true), 2, 3, 2},
      {config(int64_t{1} << 60, nullptr, true), 3, config(32, nullptr, true), 2, 3, 2},
  };
  for (const Case& c : cases) {
    INFO(c.before.dump() << " to " << c.now.dump());
    const auto rows = step_rows(c.before, c.processes_before, c.now, c.processes);
    CHECK(rows.before == c.rows_before);
    CHECK(rows.now == c.rows_now);
  }
}
