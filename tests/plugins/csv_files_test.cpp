// Tables of several CSV files.
#include "csv_driver.hpp"

namespace {

// Days of one month each; the columns of b.csv have another order.
struct Months {
  TempFolder folder;
  Months() {
    folder.write("m/a.csv", "x,kind\n1,p\n2,q\n");
    folder.write("m/b.csv", "kind;x\nq;3\n");
    folder.write("m/c.csv", "x,kind\n4,p\n5,q\n");
  }
  Options options(const std::string& pattern) const {
    return Options({{"file", folder.file(pattern)}, {"target", "kind"}, {"val_rows", 0}, {"normalize", "none"}});
  }
  std::vector<double> numbers(const std::string& pattern) const {
    std::vector<double> out;
    for (const std::vector<double>& row : Csv(options(pattern)).all(Split::train)) out.push_back(row[0]);
    return out;
  }
};

}  // namespace

TEST_CASE("csv reads the files of a pattern behind each other, and matches their columns by name") {
  const Months set;
  CHECK(set.numbers("m/*.csv") == std::vector<double>{1, 2, 3, 4, 5});
  CHECK(set.numbers("m/{c,a}.csv") == std::vector<double>{4, 5, 1, 2});
  CHECK(set.numbers("m/[ab].csv") == std::vector<double>{1, 2, 3});
  set.folder.write("n/9.csv", "x,kind\n9,p\n");
  set.folder.write("n/10.csv", "x,kind\n10,q\n");
  CHECK(set.numbers("n/{9..10}.csv") == std::vector<double>{9, 10});
  set.folder.write("{a,b}.csv", "x,kind\n7,p\n8,q\n");  // a file of this name is no pattern
  CHECK(set.numbers("{a,b}.csv") == std::vector<double>{7, 8});
  Csv data(set.options("m/*.csv"));
  CHECK_THAT(data.said(), ContainsSubstring("m/*.csv: 5 rows, 1 number"));
  const levin::testing::State state = data.data.save();
  Csv again(set.options("m/?.csv"), state);
  CHECK(again.all(Split::predict).size() == 5);
  CHECK_THAT(again.said(), !ContainsSubstring("is not what it was"));
}

TEST_CASE("csv names the file and the column in which files differ") {
  const Months set;
  const auto refused = [&](const char* text, const char* pattern = "m/*.csv") {
    set.folder.write("m/d.csv", text);
    return Csv(set.options(pattern));
  };
  CHECK_THROWS_WITH(refused("x,sort\n1,p\n"),
                    ContainsSubstring("m/d.csv has no column 'kind', and all files need the columns of ") &&
                        ContainsSubstring("m/a.csv, in any order"));
  CHECK_THROWS_WITH(refused("x,kind,y\n1,p,1\n"), ContainsSubstring("m/d.csv has the column 'y', and all files"));
  CHECK_THROWS_WITH(refused("x,kind\n1\n"), ContainsSubstring("m/d.csv:2: 1 field"));
  CHECK_THROWS_WITH(refused("x,kind\n1,\n"), ContainsSubstring("m/d.csv:2: the target 'kind' has no value"));
  CHECK_THROWS_WITH(refused("x,kind\none,p\n"), ContainsSubstring("m/d.csv:2: column 'x' is 'one'"));
  CHECK_THROWS_WITH(refused("", "m/{a,none}.csv"),
                    ContainsSubstring("no file matches ") && ContainsSubstring("m/none.csv"));
  CHECK_THROWS_WITH(refused("", "m/e*.csv"), ContainsSubstring("m/e*.csv"));
  Options bare = set.options("m/{a,d}.csv");
  bare.set({"header", false});
  bare.set({"target", "1"});
  set.folder.write("m/a.csv", "1,p\n2,q\n");
  set.folder.write("m/d.csv", "3,p,4\n");
  CHECK_THROWS_WITH(Csv(bare), ContainsSubstring("m/d.csv:1: 3 columns, where ") && ContainsSubstring("a.csv has 2"));
  set.folder.write("m/d.csv", "3,p\n");
  CHECK(Csv(bare).all(Split::train) == std::vector<std::vector<double>>{{1, 0}, {2, 1}, {3, 0}});
}

TEST_CASE("csv leaves damaged rows of every file out, and names their file") {
  const Months set;
  set.folder.write("m/b.csv", "kind,x\nq\nq,3\n");
  Options options = set.options("m/*.csv");
  options.set({"damaged", "skip"});
  Csv data(options);
  CHECK(data.rows(Split::train) == 5);
  CHECK_THAT(data.said(), ContainsSubstring("left out: 1 of 6 rows") && ContainsSubstring("m/b.csv:2: 1 field"));
}

TEST_CASE("csv splits by file, and makes an input of it, with a column of file names") {
  const Months set;
  Options options = set.options("m/*.csv");
  options.set({"file_column", "month"});
  Csv data(options);
  CHECK(data.all(Split::train)[2] == std::vector<double>{3, 0, 1, 0, 1});
  options.set({"group", "month"});
  options.set({"val_rows", 2});
  Csv split(options);
  const std::vector<std::vector<double>> rows = split.all(Split::val);
  REQUIRE(rows.size() == 2);
  CHECK((rows[0][0] == 1 || rows[0][0] == 4));
  CHECK(rows[1][0] == rows[0][0] + 1);
  CHECK(rows[0].size() == 2);

  set.folder.write("k/a.csv", "x,kind\n1,p\n");
  Options twice = set.options("{m,k}/a.csv");
  twice.set({"file_column", "month"});
  CHECK_THROWS_WITH(Csv(twice), ContainsSubstring("--data.file_column month: two files are called a.csv"));
  Options taken = set.options("m/a.csv");
  taken.set({"file_column", "x"});
  CHECK_THROWS_WITH(Csv(taken), ContainsSubstring("--data.file_column x: ") &&
                                    ContainsSubstring("m/a.csv has a column of this name: choose another one"));
}
