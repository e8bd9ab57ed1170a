// A JSON text with a table, as a whole and as lines.
#include "plugins/common/json_table.hpp"

#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(json_table) {
  for (const bool lines : {false, true}) try {
      common::json_table(levin::fuzz::text_of(data, size), lines, "table");
    } catch (const levin::Error&) {
    }
}
