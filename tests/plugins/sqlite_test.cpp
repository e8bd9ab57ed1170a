#include <sqlite3.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "catch.hpp"
#include "data_driver.hpp"
#include "plugins/sqlite/database.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

class Set {
 public:
  TempFolder folder;
  std::string path = folder.file("set.db");
  Set() {
    run("CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b REAL, kind TEXT, y TEXT);"
        "INSERT INTO t(a, b, kind, y) VALUES (1, 0.5, 'x', 'cat'), (2, 1.5, 'z', 'dog'), (3, 2.5, 'x', 'cat'), (4, "
        "3.5, 'z', 'dog');");
  }
  void run(const std::string& sql) const {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(database);
    REQUIRE(code == SQLITE_OK);
  }
  DataDriver open(const char* query, std::initializer_list<Options::Item> more = {}) const {
    Options options({{"file", path}, {"query", query}, {"target", "y"}, {"val_rows", 0}, {"normalize", "none"}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("sqlite", options);
  }
};

}  // namespace

TEST_CASE("sqlite reads the rows of a query, numbers and texts") {
  const Set set;
  DataDriver data = set.open("SELECT a, b, kind, y FROM t ORDER BY id");
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK((train.rows == 4 && train.fields[0].shape[0] == 4 && train.fields[1].classes == 2));
  const FilledRows rows = data.fill(LEVIN_TRAIN, {0, 1});
  CHECK(rows.x == std::vector<float>{1, 0.5f, 1, 0, 2, 1.5f, 0, 1});
  CHECK(rows.y == std::vector<int64_t>{0, 1});
  DataDriver splits =
      set.open("SELECT a, b, y FROM t WHERE id < 4", {{"val_rows", levin::testing::Null()},
                                                      {"val_query", "SELECT y, b, a FROM t WHERE id = 4;"},
                                                      {"test_query", "SELECT * FROM t"},
                                                      {"predict_query", "SELECT a, b FROM t"}});
  CHECK((splits.rows(LEVIN_TRAIN) == 3 && splits.rows(LEVIN_VAL) == 1 && splits.rows(LEVIN_TEST) == 4));
  CHECK(splits.fill(LEVIN_VAL, {0}).x == std::vector<float>{4, 3.5f});
  CHECK(splits.rows(LEVIN_PREDICT) == 4);
  CHECK(set.open("SELECT a, y, id / 3 AS who FROM t", {{"group", "who"}, {"val_rows", 2}}).rows(LEVIN_VAL) == 2);
}

TEST_CASE("sqlite makes windows of the rows of a query") {
  const Set set;
  DataDriver data = set.open("SELECT id, a, b FROM t ORDER BY id DESC",
                             {{"target", "b"}, {"window", 2}, {"time", "id"}, {"horizon", "1..2"}});
  CHECK(data.rows(LEVIN_TRAIN) == 1);
  CHECK(data.rows(LEVIN_PREDICT) == 3);
  CHECK(data.describe(LEVIN_TRAIN).fields[1].shape[0] == 2);
  set.run("UPDATE t SET a = x'00' WHERE id = 2; INSERT INTO t(a, b) VALUES (5, 4.5), (6, 5.5)");
  DataDriver cut = set.open("SELECT a, b FROM t ORDER BY id", {{"target", "b"}, {"window", 2}, {"damaged", "skip"}});
  CHECK(cut.rows(LEVIN_TRAIN) == 2);  // no window crosses the row that is left out
}

TEST_CASE("sqlite refuses what is no query, and never writes") {
  const Set set;
  const std::string before = bytes_of(set.path);
  CHECK_THROWS_WITH(set.open("SELECT * FROM nowhere"),
                    ContainsSubstring("set.db:query: the query fails: no such table: nowhere"));
  CHECK_THROWS_WITH(set.open("SELECT a, y FROM t; SELECT 1"), ContainsSubstring("several statements"));
  for (const char* sql : {"DELETE FROM t", "DROP TABLE t", "INSERT INTO t(a) VALUES (1) RETURNING a, y", "",
                          "-- nothing", "UPDATE t SET a = 1", "CREATE TABLE u(a)"})
    CHECK_THROWS_WITH(set.open(sql), ContainsSubstring("the query reads no rows: give a SELECT"));
  CHECK_THROWS(set.open(("ATTACH '" + set.folder.file("other.db") + "' AS o").c_str()));
  CHECK_THROWS_WITH(set.open("SELECT load_extension('/tmp/x.so'), y FROM t"),
                    ContainsSubstring("not authorized") || ContainsSubstring("no such function"));
  CHECK_THROWS_WITH(set.open("SELECT a, y FROM t WHERE a > 9"), ContainsSubstring("the query returns no row"));
  CHECK_THROWS_WITH(set.open("SELECT zeroblob(2000000000) AS a, y FROM t"), ContainsSubstring("too big"));
  CHECK_THROWS_WITH(set.open("SELECT y FROM t"),
                    ContainsSubstring("has no column beside the target 'y': select more columns"));
  CHECK_THROWS_WITH(set.open("SELECT a, b FROM t"), ContainsSubstring("'y'"));
  CHECK_THROWS_WITH(set.open("SELECT a, a, y FROM t"), ContainsSubstring("a"));
  CHECK(bytes_of(set.path) == before);
  CHECK(set.folder.entries() == 1);
  CHECK_THROWS_WITH(
      DataDriver("sqlite", Options({{"file", set.folder.file("none.db")}, {"query", "SELECT 1"}, {"target", "y"}})),
      ContainsSubstring("none.db: there is no such file"));
  CHECK(set.folder.entries() == 1);
}

TEST_CASE("damaged rows and databases are named") {
  const Set set;
  set.run(
      "INSERT INTO t(a, b, kind, y) VALUES (x'00ff', 1, 'x', 'cat'), (5, 1, CAST(x'ff' AS TEXT), 'cat'), (6, NULL, "
      "'x', 'cat')");
  const char* all = "SELECT a, b, kind, y FROM t ORDER BY id";
  CHECK_THROWS_WITH(set.open(all), ContainsSubstring("set.db:query:5: column 'a': is a BLOB"));
  CHECK_THROWS_WITH(set.open(all, {{"damaged", "check"}, {"missing_numbers", "drop"}}),
                    ContainsSubstring("query:6: column 'kind': the text is not UTF-8"));
  CHECK(set.open(all, {{"damaged", "skip"}, {"missing_numbers", "drop"}}).rows(LEVIN_TRAIN) == 4);
  CHECK_THROWS_WITH(set.open(all, {{"damaged", "skip"}}), ContainsSubstring("set.db:query:7"));

  const std::string whole = bytes_of(set.path);
  for (const size_t n : {whole.size() - 1, whole.size() / 2, size_t{1000}, size_t{50}}) {
    INFO(n);
    set.folder.write("set.db", whole.substr(0, n));
    CHECK_THROWS(set.open(all, {{"damaged", "skip"}}));
  }
  for (size_t at = 100; at < whole.size(); at += 37) {  // an answer or an error, whatever is overwritten
    std::string bytes = whole;
    bytes.replace(at, 3, "\xff\x81\x7f");
    set.folder.write("set.db", bytes);
    try {
      sqlite::read_query(set.path, all, "query", true);
    } catch (const levin::Error&) {
    }
  }
  set.folder.write("set.db", "no database at all, but a text that is long enough to have a header");
  CHECK_THROWS_WITH(set.open(all), ContainsSubstring("not a database"));
}

// Called by sqlite_golden.py, which describes its cases in lines: database, expected file, number of rows, query.
TEST_CASE("numbers are those that Python's sqlite3 reads", "[.sqlite]") {
  const char* folder = std::getenv("LEVIN_SQLITE_CASES");
  REQUIRE(folder != nullptr);
  std::ifstream in(std::string(folder) + "/cases.txt");
  int cases = 0;
  for (std::string line; std::getline(in, line); ++cases) {
    std::istringstream words(line);
    std::string path, expected, query;
    words >> path >> expected;
    std::getline(words, query);
    INFO(line);
    DataDriver data("sqlite", Options({{"file", path},
                                       {"query", query},
                                       {"target", "y"},
                                       {"val_rows", 0},
                                       {"normalize", "none"},
                                       {"missing_numbers", "mean"}}));
    const FilledRows rows = data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN));
    const std::string numbers = bytes_of(expected);
    REQUIRE(numbers.size() == rows.x.size() * sizeof(float));
    CHECK(std::memcmp(numbers.data(), rows.x.data(), numbers.size()) == 0);
  }
  CHECK(cases == 4);
}
