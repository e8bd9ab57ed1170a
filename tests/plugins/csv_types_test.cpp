// Which columns are numbers, categories and dates, and which are left out.
#include <cmath>

#include "csv_driver.hpp"
#include "plugins/common/tables/times.hpp"

namespace {

using Numbers = std::vector<double>;

struct Table {
  TempFolder folder;
  Csv open(const std::string& text, std::initializer_list<Options::Item> more) const {
    Options options({{"file", folder.write("x.csv", text)}, {"target", "y"}, {"val_rows", 0}, {"normalize", "none"}});
    for (const Options::Item& item : more) options.set(item);
    return Csv(options);
  }
  Numbers first(const std::string& text, std::initializer_list<Options::Item> more) const {
    return open(text, more).all(Split::train)[0];
  }
};

constexpr const char* wide = "a1,a2,b1,b2,y\n1,2,3,4,p\n5,6,7,8,q\n";

}  // namespace

TEST_CASE("csv takes names, indices and patterns of columns; a name goes before a pattern") {
  const Table table;
  CHECK(table.first(wide, {{"ignore", "a*"}}) == Numbers{3, 4, 0});
  CHECK(table.first(wide, {{"ignore", "*"}, {"numbers", "b1, 0"}}) == Numbers{1, 3, 0});
  CHECK(table.first(wide, {{"categories", "?1"}, {"ignore", "b1, b2, a2"}}) == Numbers{1, 0, 0});
  CHECK(table.first("a*,b,y\n1,2,p\n3,4,q\n", {{"ignore", "a*"}}) == Numbers{2, 0});
  CHECK_THROWS_WITH(table.open(wide, {{"ignore", "a1"}, {"categories", "a1"}}),
                    ContainsSubstring("--data.categories and --data.ignore both name the column 'a1'"));
  CHECK_THROWS_WITH(table.open(wide, {{"ignore", "a*"}, {"numbers", "?1"}}),
                    ContainsSubstring("--data.numbers and --data.ignore both name the column 'a1'"));
  CHECK_THROWS_WITH(table.open(wide, {{"ignore", "c*"}}),
                    ContainsSubstring("--data.ignore: no column of ") && ContainsSubstring("x.csv is like 'c*'"));
  CHECK_THROWS_WITH(table.open(wide, {{"numbers", "c"}}), ContainsSubstring("--data.numbers: "));
}

TEST_CASE("csv refuses text in a column of numbers, or leaves its row out") {
  const Table table;
  const char* codes = "x,y\nA7,p\n2,p\nB,q\n3,q\nC,q\n";
  CHECK(table.first(codes, {}).size() == 6);  // five categories
  CHECK_THROWS_WITH(table.open(codes, {{"numbers", "x"}}),
                    ContainsSubstring("x.csv:2: column 'x' is 'A7', and --data.numbers names this column: "));
  CHECK(table.open(codes, {{"numbers", "x"}, {"damaged", "skip"}}).rows(Split::train) == 2);
}

TEST_CASE("dates and times of ISO 8601 are seconds since 1970") {
  const auto seconds = [](const char* text) { return tables::time_in(text).value_or(NAN); };
  CHECK(seconds("1970-01-01") == 0);
  CHECK(seconds("2024-02-29") == 1709164800);
  CHECK(seconds("2024-02-29 12:30") == 1709209800);
  CHECK(seconds(" 2024-02-29T12:30:05.25Z ") == 1709209805.25);
  CHECK(seconds("2024-02-29T12:30:05+05:30") == 1709190005);
  CHECK(seconds("2024-02-29T12:30:05-0100") == 1709213405);
  CHECK(seconds("2024-02-29 12:30:05 +01") == 1709206205);
  CHECK(seconds("1949-01") == -662688000);
  CHECK(seconds("0001-01-01") == -62135596800);
  CHECK(seconds("17.5") == 17.5);
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "24-01-01", "2024-01-32",
                           "2024-01-01T", "2024-01-01 24:00", "2024-01-01 12", "2024-01-01 12:60", "2024-01-01x",
                           "2024-01-01 12:00+1", "01.02.2024", "", "2024-", "2024-01 12:00", "1900-02-29"}) {
    INFO(text);
    CHECK(std::isnan(seconds(text)));
  }
  CHECK(tables::is_full_date("2024-03-01 10:00"));
  CHECK_FALSE(tables::is_full_date("2024-03"));
  CHECK_FALSE(tables::is_full_date("17"));
}

TEST_CASE("csv makes a number and the place in day, week and year of a date") {
  const Table table;
  const char* text = "when,y\n1970-01-01 06:00,p\n1970-01-02 06:00,q\n";
  Csv data = table.open(text, {});
  CHECK_THAT(data.said(), ContainsSubstring("2 rows, 0 numbers, 1 date and 0 categories in"));
  const Numbers row = data.all(Split::train)[0];
  REQUIRE(row.size() == 8);
  CHECK(row[0] == 6 * 3600);
  CHECK(row[1] == Approx(1));
  CHECK(row[2] == Approx(0).margin(1e-6));
  CHECK(row[3] == Approx(std::sin(2 * M_PI * 0.25 / 7)));
  CHECK(row[6] == Approx(std::cos(2 * M_PI * 0.25 / 365.2425)));
  CHECK(table.open(text, {{"normalize", "standard"}}).all(Split::train)[1][0] == Approx(1));
  CHECK(table.first(text, {{"categories", "when"}}) == Numbers{1, 0, 0});
  CHECK(table.first("when,y\n0,p\n86400,q\n", {{"dates", "when"}}).size() == 8);
  CHECK(table.first("when,y\n1949-01,p\n1949-02,q\n", {{"dates", "w*"}}).size() == 8);
  CHECK_THROWS_WITH(table.open("when,y\n1949-01,p\nnever,q\n", {{"dates", "when"}}),
                    ContainsSubstring("x.csv:3: column 'when' is 'never', which is no date or time such as "));

  const TempFolder folder;
  const levin::testing::State state = data.data.save();
  Csv later({{"file", folder.write("new.csv", "when\n1970-01-03\n")}}, state);
  CHECK(later.all(Split::predict)[0][0] == 2 * 86400);
  CHECK_THROWS_WITH(
      Csv({{"file", folder.write("new.csv", "when\nsoon\n")}}, state),
      ContainsSubstring("new.csv:2: column 'when' is 'soon', and in the checkpoint it is a date or time"));
}

TEST_CASE("csv predicts several numbers") {
  const Table table;
  const char* text = "a,y,z\n1,10,0.5\n2,20,1.5\n3,30,\n";
  Csv data = table.open(text, {{"target", "z, y"}, {"missing_numbers", "drop"}});
  const levin_split split = levin::testing::describe(data.data, Split::train);
  CHECK(split.fields[1].ndim == 1);
  CHECK(split.fields[1].shape[0] == 2);
  CHECK(data.all(Split::train) == std::vector<Numbers>{{1, 0.5, 10}, {2, 1.5, 20}});
  CHECK_THAT(data.said(), ContainsSubstring("in, targets 'z', 'y': numbers"));
  const TempFolder folder;
  Csv again({{"file", folder.write("new.csv", "a\n7\n")}}, data.data.save());
  CHECK(again.all(Split::predict) == std::vector<Numbers>{{7, 0, 0}});
  CHECK(table.open("a,\"y,z\"\n1,10\n2,20.5\n", {{"target", "y,z"}}).all(Split::train)[0] == Numbers{1, 10});
  CHECK_THROWS_WITH(
      table.open("a,b,y\n1,p,1\n2,q,2\n", {{"target", "b, y"}}),
      ContainsSubstring("x.csv:2: the target 'b' is 'p'") && ContainsSubstring("several targets need numbers"));
  CHECK_THROWS_WITH(table.open(text, {{"target", "y, z"}, {"task", "classification"}}),
                    ContainsSubstring("--data.target names 2 columns, and --data.task classification predicts one"));
  CHECK_THROWS_WITH(table.open(text, {{"target", "y, 1"}}), ContainsSubstring("names the column 'y' twice"));
}
