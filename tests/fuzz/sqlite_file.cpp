// An SQLite database with a table t.
#include "plugins/sqlite/database.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(sqlite_file) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    sqlite::read_query(file.path(), "SELECT * FROM t LIMIT 1000", "query", true);
  } catch (const levin::Error&) {
  }
}
