// A CSV file, with and without its damaged records, and the dates in it.
#include "plugins/common/csv_file.hpp"

#include <cmath>

#include "plugins/common/csv_columns.hpp"
#include "plugins/common/tables/times.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(csv_file) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  for (const bool skip_damaged : {false, true}) try {
      const common::CsvFile table = common::read_csv(file.path(), '\0', skip_damaged);
      if (table.cells.size() != table.columns * table.records()) std::abort();
      for (const std::string_view cell : table.cells)
        if (!std::isfinite(tables::time_in(cell).value_or(0))) std::abort();
      common::column_names(table, true);
    } catch (const levin::Error&) {
    }
}
