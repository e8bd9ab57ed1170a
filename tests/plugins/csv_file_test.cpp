#include "plugins/common/csv_file.hpp"

#include "catch.hpp"
#include "plugins/common/csv_columns.hpp"
#include "temp_folder.hpp"

namespace {

// The records as texts, with a bar between the cells.
std::vector<std::string> records_of(const std::string& text, char delimiter = ',') {
  const TempFolder folder;
  const common::CsvFile file = common::read_csv(folder.write("x.csv", text), delimiter);
  std::vector<std::string> out;
  for (size_t r = 0; r < file.records(); ++r) {
    out.emplace_back();
    for (size_t c = 0; c < file.columns; ++c) out.back() += (c ? "|" : "") + std::string(file.cell(r, c));
  }
  return out;
}
using Records = std::vector<std::string>;

}  // namespace

TEST_CASE("CSV files are cut as RFC 4180 says, with any line ends") {
  CHECK(records_of("a,b\n1,2\n") == Records{"a|b", "1|2"});
  CHECK(records_of("a,b\r\n1,2") == Records{"a|b", "1|2"});
  CHECK(records_of("a,b\r1,2\r") == Records{"a|b", "1|2"});
  CHECK(records_of("\xef\xbb\xbf"
                   "a,b\n,\n") == Records{"a|b", "|"});
  CHECK(records_of("\n\na,b\n\n1,2\n\n") == Records{"a|b", "1|2"});
  CHECK(records_of("\"a \"\"b\"\"\",\"x,\ny\"\n\"\",\"\"\n") == Records{"a \"b\"|x,\ny", "|"});
  CHECK(records_of("a \"b\",2\n") == Records{"a \"b\"|2"});
  CHECK(records_of("a;b\n1,5;2\n", ';') == Records{"a|b", "1,5|2"});
}

TEST_CASE("the delimiter is found in the first line, outside of quotes") {
  CHECK(records_of("a;b;c\n1,5;2;3\n", 0) == Records{"a|b|c", "1,5|2|3"});
  CHECK(records_of("a\tb\n1\t2\n", 0) == Records{"a|b", "1|2"});
  CHECK(records_of("\"a;b;c\",d\n1,2\n", 0) == Records{"a;b;c|d", "1|2"});
  CHECK(records_of("a\n1\n", 0) == Records{"a", "1"});
  CHECK(common::delimiter_of("tab") == '\t');
  CHECK(common::delimiter_of("|") == '|');
  CHECK_THROWS_WITH(common::delimiter_of("||"), ContainsSubstring("one character"));
}

TEST_CASE("damaged CSV files are refused with file and line") {
  struct Case {
    std::string text, says;
  };
  const Case cases[] = {
      {"", "is empty"},
      {"\n\n", "is empty"},
      {"a,b\n1,2\n3\n", "x.csv:3: 1 field, where the first line has 2"},
      {"a,b\n\"1\n1\",2\n3,4,5\n", "x.csv:4: 3 fields"},
      {"a,b\n1,\"2\n3,4\n", "x.csv:2: a quote is opened here and never closed"},
      {"a,b\n\"1\"2,3\n", "x.csv:2: text behind a closing quote"},
      {"a,b\nx,M\xfcller\n", "x.csv:2: not text in UTF-8"},
      {"a\n\xed\xa0\x80\n", "x.csv:2: not text in UTF-8"},
      {"a\n\xc0\xaf\n", "x.csv:2: not text in UTF-8"},
      {std::string("a,b\n1,\0002\n", 9), "x.csv:2: a zero byte"},
      {"\xff\xfe"
       "a",
       "UTF-16"},
      {"\x1f\x8b\x08", "gzip"},
      {"PK\3\4", "spreadsheet"},
      {"a\n" + std::string((1 << 20) + 1, 'x') + "\n", "x.csv:2: a field of more than 1 MiB"},
  };
  for (const Case& c : cases) CHECK_THROWS_WITH(records_of(c.text), ContainsSubstring(c.says));
  const TempFolder folder;
  CHECK_THROWS_WITH(common::read_csv(folder.file("no.csv"), ','), ContainsSubstring("No such file"));
  CHECK_THROWS_WITH(common::read_csv(folder.path().string(), ','), ContainsSubstring("is a folder"));
}

TEST_CASE("columns are found by name, else by index") {
  const std::vector<std::string> names = {"x", "1", "y"};
  CHECK(common::find_column(names, "y", "target", "f.csv") == 2);
  CHECK(common::find_column(names, "0", "target", "f.csv") == 0);
  CHECK(common::find_column(names, "1", "target", "f.csv") == 1);
  CHECK(common::find_column(names, "-1", "target", "f.csv") == 2);
  CHECK_THROWS_WITH(common::find_column(names, "3", "target", "f.csv"),
                    ContainsSubstring("--data.target: f.csv has no column '3'; its columns are x, 1, y, or 0 to 2"));
  CHECK(common::list_of(" a b , \"c,d\",,e") == std::vector<std::string>{"a b", "c,d", "e"});
}
