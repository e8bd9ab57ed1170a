// metrics.csv and metrics.jsonl of an earlier session, which a resumed run truncates.
#include "loggers/csv/table.hpp"
#include "loggers/jsonl/line.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(log_rows) {
  const std::string text = levin::fuzz::text_of(data, size);
  levin::csv::Table table = levin::csv::parse(text);
  if (!table.columns.empty() && levin::csv::parse(table.text()).rows != table.rows) std::abort();
  table.cut(2, "a,step\n");
  table.cut_after(3);
  levin::jsonl::whole_lines(text, size / 2);
  levin::jsonl::lines_until(text, 3);
}
