#include <cmath>
#include <sstream>

#include "csv_driver.hpp"

namespace {

std::string golden(const std::string& name) { return std::string(LEVIN_GOLDEN) + "/csv/" + name; }

void check_golden(Csv& data, const std::string& name) {
  std::ifstream in(golden(name));
  std::vector<std::vector<double>> wanted;
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    wanted.emplace_back();
    for (double v = 0; numbers >> v;) wanted.back().push_back(v);
  }
  const std::vector<std::vector<double>> rows = data.all(Split::train);
  REQUIRE(!wanted.empty());
  REQUIRE(rows.size() == wanted.size());
  for (size_t r = 0; r < rows.size(); ++r) {
    REQUIRE(rows[r].size() == wanted[r].size());
    for (size_t c = 0; c < rows[r].size(); ++c) {
      INFO(name << ": row " << r << ", column " << c);
      CHECK(rows[r][c] == Approx(wanted[r][c]).epsilon(1e-6).margin(1e-7));
    }
  }
}

// Ten rows with the numbers 0 to 9 and the classes even and odd.
std::string ten_rows() {
  std::string text = "number,class\n";
  for (int i = 0; i < 10; ++i) text += std::to_string(i) + (i % 2 ? ",odd\n" : ",even\n");
  return text;
}

}  // namespace

TEST_CASE("csv makes the numbers that Python makes of categories, missing values and quotes") {
  Csv data({{"file", golden("mixed.csv")},
            {"target", "kind"},
            {"val_rows", 0},
            {"missing_numbers", "median"},
            {"missing_categories", "own"}});
  CHECK(data.classes() == std::vector<std::string>{"bird", "cat", "dog"});
  check_golden(data, "mixed.txt");
  CHECK_THAT(data.said(), ContainsSubstring("6 rows, 2 numbers and 2 categories in, target 'kind': 3 classes"));
}

TEST_CASE("csv makes the numbers that Python makes of a file without a header, for regression") {
  Csv data({{"file", golden("numbers.tsv")}, {"target", "-1"}, {"header", false}, {"val_rows", 0}});
  const levin_split split = levin::testing::describe(data.data, Split::train);
  CHECK(split.fields[1].classes == 0);
  CHECK(split.fields[1].dtype.code == LEVIN_FLOAT);
  check_golden(data, "numbers.txt");
}

TEST_CASE("csv keeps rows for validation and test, by seed, and normalises by the others") {
  const TempFolder folder;
  const std::string file = folder.write("ten.csv", ten_rows());
  Csv data({{"file", file}, {"target", "class"}, {"val_rows", 3}, {"test_fraction", 0.2}, {"normalize", "none"}});
  CHECK(data.rows(Split::train) == 5);
  CHECK(data.rows(Split::val) == 3);
  CHECK(data.rows(Split::test) == 2);
  CHECK(data.all(Split::predict) == data.all(Split::test));
  std::vector<int> seen(10);
  for (const Split split : {Split::train, Split::val, Split::test})
    for (const std::vector<double>& row : data.all(split)) {
      ++seen[static_cast<size_t>(row[0])];
      CHECK(row[1] == static_cast<int>(row[0]) % 2);
    }
  CHECK(seen == std::vector<int>(10, 1));

  Csv normal({{"file", file}, {"target", "class"}, {"val_rows", 3}, {"test_fraction", 0.2}});
  double sum = 0, squares = 0;
  for (const std::vector<double>& row : normal.all(Split::train)) sum += row[0], squares += row[0] * row[0];
  CHECK(sum == Approx(0).margin(1e-5));
  CHECK(squares == Approx(5));
  Csv min_max({{"file", file}, {"target", "class"}, {"val_rows", 0}, {"normalize", "min_max"}});
  CHECK(min_max.all(Split::train)[9][0] == 1);
  Csv folds({{"file", file}, {"target", "class"}, {"folds", 5}, {"fold", 4}});
  CHECK(folds.rows(Split::val) == 2);
}

TEST_CASE("csv scales large numbers that differ in their last digits") {
  const TempFolder folder;
  const auto column = [&](const std::vector<const char*>& cells, const char* normalize) {
    std::string text = "t,y\n";
    for (size_t i = 0; i < cells.size(); ++i) text += std::string(cells[i]) + (i % 2 ? ",p\n" : ",q\n");
    Csv data({{"file", folder.write("t.csv", text)}, {"target", "y"}, {"val_rows", 0}, {"normalize", normalize}});
    std::vector<double> out;
    for (const std::vector<double>& row : data.all(Split::train)) out.push_back(row[0]);
    return std::pair(out, data.said());
  };
  // Nanoseconds since 1970, 400,000 apart. float64 resolves them in steps of 256; the spread is 3e-13 of the mean.
  const std::vector<const char*> times = {"1700000000000000000", "1700000000000400000", "1700000000000800000",
                                          "1700000000001200000"};
  const auto [standard, said] = column(times, "standard");
  for (size_t i = 0; i < 4; ++i)
    CHECK(standard[i] == Approx((static_cast<double>(i) - 1.5) / std::sqrt(1.25)).margin(1e-3));
  CHECK_THAT(said, !ContainsSubstring("in steps of"));
  const std::vector<double> min_max = column(times, "min_max").first;
  for (size_t i = 0; i < 4; ++i) CHECK(min_max[i] == Approx(static_cast<double>(i) / 3).margin(1e-3));
  CHECK_THAT(column(times, "none").second,
             ContainsSubstring("float32 keeps them in steps of 1.37e+11: give --data.normalize standard"));

  CHECK(column({"0.1", "0.1", "0.1"}, "standard").first == std::vector<double>{0, 0, 0});
  CHECK_THAT(column({"0.1", "0.1", "0.1"}, "standard").second, !ContainsSubstring("in steps of"));
  for (const char* other : {"1700000000000000001", "1700000000000003000"})
    CHECK_THAT(column({"1700000000000000000", other, "1700000000000000000"}, "standard").second,
               ContainsSubstring("t.csv: the numbers of 't' are up to 1.7e+18 and differ by no more than ") &&
                   ContainsSubstring("float64 keeps them in steps of 256: subtract a constant from them in the file"));
}

TEST_CASE("csv says that a target of large numbers loses its digits unless it is normalised") {
  const TempFolder folder;
  const std::string file = folder.write("x.csv", "x,y\n1,1700000000\n2,1700000001.5\n3,1700000002\n");
  const auto said = [&](bool normalize) {
    return Csv({{"file", file}, {"target", "y"}, {"val_rows", 0}, {"normalize_target", normalize}}).said();
  };
  CHECK_THAT(said(false),
             ContainsSubstring("'y' are up to 1.7e+09") && ContainsSubstring("--data.normalize_target true"));
  CHECK_THAT(said(true), !ContainsSubstring("in steps of"));
}

TEST_CASE("csv tells categories apart that are numbers of more digits than a double keeps") {
  const TempFolder folder;
  const Options options({{"file", folder.write("x.csv", "id,y\n123456789012345678,p\n123456789012345679,q\n7,q\n")},
                         {"target", "y"},
                         {"categories", "id"},
                         {"val_rows", 0}});
  Csv data(options);
  const std::vector<std::vector<double>> wanted = {{0, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 0, 1}};
  CHECK(data.all(Split::train) == wanted);
  Csv again({{"file", folder.write("new.csv", "id\n123456789012345679\n7.0\n")}}, data.data.save());
  CHECK(again.all(Split::predict) == std::vector<std::vector<double>>{{0, 0, 1, 0}, {1, 0, 0, 0}});
}

TEST_CASE("csv finds the task by the target, or takes the one that is asked for") {
  const TempFolder folder;
  const std::string few = folder.write("few.csv", "x,y\n1,10\n2,9\n3,10\n"),
                    halves = folder.write("halves.csv", "x,y\n1,0.5\n2,1\n");
  std::string text = "x,y\n";
  for (int i = 0; i < 30; ++i) text += "1," + std::to_string(i) + "\n";
  const std::string many = folder.write("many.csv", text);
  const auto classes = [](const std::string& file, const char* task) {
    Csv data({{"file", file}, {"target", "y"}, {"task", task}, {"val_rows", 0}});
    return levin::testing::describe(data.data, Split::train).fields[1].classes;
  };
  CHECK(classes(few, "auto") == 2);
  CHECK(classes(few, "regression") == 0);
  CHECK(classes(halves, "auto") == 0);
  CHECK(classes(halves, "classification") == 2);
  CHECK(classes(many, "auto") == 0);
  CHECK(classes(many, "classification") == 30);
  Csv ordered({{"file", few}, {"target", "y"}, {"val_rows", 0}});
  CHECK(ordered.classes() == std::vector<std::string>{"9", "10"});  // in numerical order
  Csv normal({{"file", halves}, {"target", "y"}, {"normalize_target", true}, {"val_rows", 0}});
  CHECK(normal.all(Split::train)[0][1] == Approx(-1));
}

TEST_CASE("csv takes numbers for categories, and leaves columns out, by option") {
  const TempFolder folder;
  const std::string file = folder.write("x.csv", ",id,code,x,y\n0,a,7,1,p\n1,b,7.0,2,q\n2,c,30,2,q\n");
  Csv data({{"file", file}, {"target", "y"}, {"ignore", "id, x"}, {"categories", "code"}, {"val_rows", 0}});
  CHECK(data.all(Split::train) == std::vector<std::vector<double>>{{1, 0, 0}, {1, 0, 1}, {0, 1, 1}});
  CHECK_THAT(data.said(), ContainsSubstring("column 0 has no name and is left out"));
}

TEST_CASE("csv reads decimal commas") {
  const TempFolder folder;
  Csv data({{"file", folder.write("x.csv", "x;y\n1,5;p, q\n-2;r\n")},
            {"target", "y"},
            {"decimal_comma", true},
            {"val_rows", 0},
            {"normalize", "none"}});
  CHECK(data.all(Split::train) == std::vector<std::vector<double>>{{1.5, 0}, {-2, 1}});
  CHECK(data.classes() == std::vector<std::string>{"p, q", "r"});
}

TEST_CASE("csv tells of a header that looks like a row") {
  const TempFolder folder;
  Csv data({{"file", folder.write("x.csv", "5.1,3,p\n2,3,p\n3,4,q\n")}, {"target", "-1"}, {"val_rows", 0}});
  CHECK_THAT(data.said(), ContainsSubstring("if the first line is a row, give --data.header false"));
}

TEST_CASE("csv drops rows with missing values, and says how many") {
  const TempFolder folder;
  const std::string file = folder.write("x.csv", "x,c,y\n1,a,p\nNA,a,p\n2,,q\n3,b,q\n4,b,\n");
  Csv data({{"file", file},
            {"target", "y"},
            {"missing_numbers", "drop"},
            {"missing_categories", "drop"},
            {"val_rows", 0},
            {"normalize", "none"}});
  CHECK(data.all(Split::train) == std::vector<std::vector<double>>{{1, 1, 0, 0}, {3, 0, 1, 1}});
  CHECK_THAT(data.said(), ContainsSubstring("left out 3 of 5 rows"));
}

TEST_CASE("csv reads validation, test and prediction from files of their own, whatever the order of their columns") {
  const TempFolder folder;
  const std::string file = folder.write("a.csv", "x,c,y\n1,a,p\n2,b,q\n3,b,q\n");
  const Options options({{"file", file},
                         {"target", "y"},
                         {"val_file", folder.write("v.csv", "y;x;c\nq;5;a\n")},
                         {"test_file", folder.write("t.csv", "c,more,x,y\nb,0,4,p\n")},
                         {"predict_file", folder.write("p.csv", "c,x\nb,9\na,8\n")},
                         {"normalize", "none"}});
  Csv data(options);
  CHECK(data.rows(Split::train) == 3);
  CHECK(data.all(Split::val) == std::vector<std::vector<double>>{{5, 1, 0, 1}});
  CHECK(data.all(Split::test) == std::vector<std::vector<double>>{{4, 0, 1, 0}});
  CHECK(data.all(Split::predict) == std::vector<std::vector<double>>{{9, 0, 1, 0}, {8, 1, 0, 0}});

  Csv bare({{"file", folder.write("b.csv", "1,p,5\n2,q,6\n")},
            {"header", false},
            {"target", "1"},
            {"val_rows", 0},
            {"predict_file", folder.write("q.csv", "7,8\n")},
            {"normalize", "none"}});
  CHECK(bare.all(Split::predict) == std::vector<std::vector<double>>{{7, 8, 0}});
}

TEST_CASE("csv says what is wrong with a file, in which line, and what to do") {
  struct Case {
    std::string text;
    Options options;
    std::string says;
  };
  const TempFolder folder;
  const std::string other = folder.write("other.csv", "x,y\n1,p\nabc,q\n"),
                    third = folder.write("third.csv", "x,y\n1,z\n");
  const Case cases[] = {
      {"x,y\n1,p\n2,q\n",
       {{"target", "z"}},
       "--data.target: " + folder.file("x.csv") + " has no column 'z'; its columns are x, y, or 0 to 1"},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"ignore", "k"}}, "--data.ignore: "},
      {"x,y\n", {{"target", "y"}}, "has a header and no rows"},
      {"y\np\nq\n", {{"target", "y"}}, "no column beside the target"},
      {"x,x,y\n1,2,p\n", {{"target", "y"}}, "x.csv:1: two columns are called 'x': rename one of them"},
      {"1,1,2\n1,2,3\n",
       {{"target", "2"}},
       "two columns are called '1': if the first line is data, give --data.header false"},
      {"x,y\n1,p\n2,p\n", {{"target", "y"}}, "the target 'y' is 'p' in every row"},
      {"x,y\n1,p\n,q\nnan,q\n",
       {{"target", "y"}},
       "x.csv:3: column 'x' has no value, nor have 1 other rows: give "
       "--data.missing_numbers drop or mean or median"},
      {"x,y\n1,p\n-inf,q\n", {{"target", "y"}}, "x.csv:3: column 'x' has no value"},
      {"x,y\n1,p\n1e999,q\n", {{"target", "y"}}, "x.csv:3: column 'x' has no value"},
      {"x,y\na,p\n?,q\n", {{"target", "y"}}, "--data.missing_categories drop or own"},
      {"x,y\n1,p\n2,\n3,q\n", {{"target", "y"}, {"missing_categories", "own"}}, "x.csv:3: the target 'y' has no value"},
      {"x,y\n,p\n,q\n", {{"target", "y"}}, "column 'x' has no value in any row: leave it out by --data.ignore 'x'"},
      {"x,y\n,p\n2,\n",
       {{"target", "y"}, {"missing_numbers", "drop"}, {"missing_categories", "drop"}},
       "every row has a missing value"},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"task", "regression"}}, "x.csv:2: the target 'y' is 'p'"},
      {"x,y\na,p\nb,q\nc,q\n",
       {{"target", "y"}, {"max_categories", 2}},
       "column 'x' has 3 different texts, more than --data.max_categories 2: leave it out by --data.ignore 'x'"},
      {"x,y\n1,p\n2,q\n3o,q\n",
       {{"target", "y"}},
       "x.csv:4: column 'x' is '3o', and most of its values are numbers: correct it, add it to --data.missing_texts, "
       "or "
       "give --data.categories 'x'"},
      {"x;y\n1,5;p\n2;q\n3,5;q\n",
       {{"target", "y"}},
       "x.csv:2: column 'x' is '1,5': if these are decimal commas, give"},
      {"x;y\n1,000;p\n-2,345,678.5;q\n3;q\n",
       {{"target", "y"}},
       "'1,000': if these commas separate thousands, take them out"},
      {"x;y\n1,000;p\n2,25;q\n", {{"target", "y"}}, "'1,000': if these are decimal commas, give"},
      {"x,y\n1,1\n2,2\n3,-\n", {{"target", "y"}}, "or give --data.task classification"},
      {"x,y\n1,p\n2,p\n", {{"target", "1"}, {"header", false}}, "is the first line a header, then leave out"},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"val_rows", 2}}, "only 2 training rows"},
      {"x,y\n1,p\n2,q\n",
       {{"target", "y"}, {"val_fraction", 0.9}},
       "--data.val_fraction 0.9 of 2 training rows are 2, and none is left to train: give less, or --data.val_rows"},
      {"x,y\n1,p\n2,q\n",
       {{"target", "y"}, {"val_fraction", 0.9}, {"test_fraction", 0.9}},
       "--data.test_fraction 0.9 takes all of the 2 rows"},
      {"x,y\n1,p\n1e300,q\n2,q\n",
       {{"target", "y"}},
       "x.csv:3: column 'x' has no value: '1e300' is more than float32 can hold, and counts as none: give "
       "--data.missing_numbers drop or mean or median"},
      {"x,y\n1,p\n2,q\n",
       {{"target", "y"}, {"val_rows", 5}, {"val_fraction", 0.5}},
       "--data.val_fraction 0.5 and --data.val_rows 5 exclude each other: give one of them"},
      {"x,y\n1,p\n2,q\n",
       {{"target", "y"}, {"val_rows", 0}, {"folds", 2}},
       "--data.val_rows 0 and --data.folds 2 exclude"},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"fold", 1}}, "--data.fold 1 needs --data.folds"},
      {"x,y\n1,p\n2,q\n",
       {{"target", "y"}, {"val_fraction", 0.5}, {"val_file", third}},
       "--data.val_fraction 0.5 and --data.val_file " + third + " exclude"},
      {"x,y\n1,p\n2,q\n",
       {{"target", "y"}, {"test_fraction", 0.5}, {"test_file", third}},
       "--data.test_fraction 0.5 and --data.test_file " + third + " exclude"},
      {"x,y\n1,p\n2,q\n", {}, "--data.target is missing"},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"test_file", other}}, "other.csv:3: column 'x' is 'abc', and in "},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"test_file", third}}, "third.csv:2: the target 'y' is 'z'"},
      {"w,x,y\n1,1,p\n2,2,q\n", {{"target", "y"}, {"test_file", third}}, "third.csv has no column 'w', which "},
      {"x,y\na,p\nb,q\n",
       {{"target", "y"}, {"predict_file", third}},
       "third.csv:2: column 'x' is '1', which no training file has: give --data.unknown_categories zeros"},
      {"x,y\n1,p\n2,q\n", {{"target", "y"}, {"val_file", third}, {"test_fraction", 0.5}}, "test_fraction"},
  };
  for (Case c : cases) {
    c.options.set({"file", folder.write("x.csv", c.text)});
    INFO(c.text);
    CHECK_THROWS_WITH(Csv(c.options), ContainsSubstring(c.says));
  }
}

TEST_CASE("csv refuses devices, which may have no end") {
  CHECK_THROWS_WITH(Csv({{"file", "/dev/zero"}, {"target", "y"}}), ContainsSubstring("/dev/zero is a device"));
}

TEST_CASE("csv refuses a row to predict that has a missing value, since dropping it would move the others") {
  const TempFolder folder;
  Options options({{"file", folder.write("x.csv", "x,y\n1,p\n2,q\n")},
                   {"target", "y"},
                   {"predict_file", folder.write("p.csv", "x\n1\nNA\n")},
                   {"missing_numbers", "drop"}});
  CHECK_THROWS_WITH(Csv(options),
                    ContainsSubstring("p.csv:3") && ContainsSubstring("not dropped: give --data.missing_numbers mean"));
  options.set({"missing_numbers", "mean"});
  CHECK(Csv(options).all(Split::predict)[1][0] == 0);
}

TEST_CASE("csv works with the statistics of a checkpoint, and with their order of categories") {
  const TempFolder folder;
  const auto options = [&](const std::string& text) {
    return Options(
        {{"file", folder.write("x.csv", text)}, {"target", "y"}, {"val_rows", 0}, {"unknown_categories", "zeros"}});
  };
  Csv first(options("x,c,y\n0,a,p\n2,b,q\n"));
  const levin::testing::State state = first.data.save();
  Csv again(options("x,c,y\n10,b,q\n11,a,p\n12,b,q\n"));
  again.data.load(state);
  CHECK(again.all(Split::train) == std::vector<std::vector<double>>{{9, 0, 1, 1}, {10, 1, 0, 0}, {11, 0, 1, 1}});
  CHECK_THAT(again.said(), ContainsSubstring("2 rows then, 3 now"));
  CHECK(again.data.save().bytes == state.bytes);

  Csv other(options("x,c,y\n0,z,p\n2,a,q\n"));  // the same number of categories, but a different one
  other.data.load(state);
  CHECK(other.all(Split::train)[0] == std::vector<double>{-1, 0, 0, 0});
  CHECK_THAT(other.said(), ContainsSubstring("column 'c' is 'z'"));

  const auto load_into = [&](const std::string& text) { Csv(options(text)).data.load(state); };
  CHECK_THROWS_WITH(load_into("x,d,y\n0,a,p\n2,b,q\n"),
                    ContainsSubstring("the inputs were 'x', 'c', and now they are 'x', 'd'"));
  CHECK_THROWS_WITH(load_into("x,c,y\n0,a,p\n2,b,q\n2,z,q\n"),
                    ContainsSubstring("'c' had 2 different texts, and now it has 3"));
  CHECK_THROWS_WITH(load_into("x,c,y\nk,a,p\nl,b,q\n"), ContainsSubstring("'x' had numbers, and now it has text"));
  CHECK_THROWS_WITH(load_into("x,c,y\n0,a,p\n2,b,r\n"), ContainsSubstring("'r', which is none of the classes"));
}

TEST_CASE("csv predicts new rows by what a checkpoint knows, without the file that trained") {
  const TempFolder folder;
  const Options trained({{"file", folder.write("x.csv", "n,c,k,y\n0,a,1,p\n2,b,2,q\n")},
                         {"target", "y"},
                         {"categories", "k"},
                         {"val_rows", 0}});
  const levin::testing::State state = Csv(trained).data.save();
  const auto rows_of = [&](const Options& options) { return Csv(options, state).all(Split::predict); };
  const std::vector<std::vector<double>> wanted = {{1, 0, 1, 1, 0, 0}};
  CHECK(rows_of({{"file", folder.write("new.csv", "k,n,c\n1.0,2,b\n")}}) ==
        wanted);  // without the state other columns would be inferred
  CHECK(rows_of({{"file", folder.file("gone.csv")}, {"predict_file", folder.file("new.csv")}}) == wanted);
  CHECK(rows_of(trained).size() == 2);  // the same file: the rows of training
  // The target is the checkpoint's, too.
  CHECK(rows_of({{"file", folder.file("x.csv")}, {"categories", "k"}, {"val_rows", 0}}) == rows_of(trained));
  CHECK_THROWS_WITH(rows_of({{"file", folder.write("new.csv", "k,n\n1,2\n")}}),
                    ContainsSubstring("new.csv has no column 'c', which the checkpoint has"));
  CHECK_THROWS_WITH(rows_of({{"file", folder.write("new.csv", "k,n,c\n1,two,b\n")}}),
                    ContainsSubstring("new.csv:2: column 'n' is 'two', and in the checkpoint it is a number"));
  CHECK_THROWS_WITH(rows_of({{"file", folder.write("new.csv", "k,n,c\n1,2,z\n")}}),
                    ContainsSubstring("column 'c' is 'z', which no training file has"));
}

TEST_CASE("csv tests and validates on new files by what a checkpoint knows, without the file that trained") {
  const TempFolder folder;
  const Options trained({{"file", folder.write("x.csv", "n,c,y\n0,a,p\n2,b,q\n")}, {"target", "y"}, {"val_rows", 0}});
  const levin::testing::State state = Csv(trained).data.save();
  const std::string gone = folder.file("gone.csv"), fresh = folder.write("new.csv", "y,n,c\nq,1,b\nq,2,b\n");
  const std::vector<std::vector<double>> wanted = {{0, 0, 1, 1}, {1, 0, 1, 1}};
  Csv test({{"file", gone}, {"target", "y"}, {"test_file", fresh}}, state, levin::Stage::test);
  CHECK(test.all(Split::test) == wanted);
  CHECK(test.rows(Split::train) == 0);
  Csv validation({{"file", gone}, {"target", "y"}, {"val_file", fresh}}, state, levin::Stage::validate);
  CHECK(validation.all(Split::val) == wanted);
  const auto refused = [&](const char* text) {
    return Csv({{"file", gone}, {"target", "y"}, {"test_file", folder.write("bad.csv", text)}}, state,
               levin::Stage::test);
  };
  CHECK_THROWS_WITH(refused("n,c\n1,b\n"), ContainsSubstring("bad.csv has no column 'y'"));
  CHECK_THROWS_WITH(refused("n,c,y\n1,b,z\n"), ContainsSubstring("none of the classes that were trained"));
}

TEST_CASE("csv refuses a damaged state, and keeps one that comes before its rows") {
  const TempFolder folder;
  const Options options({{"file", folder.write("x.csv", "x,y\n0,p\n2,q\n")}, {"target", "y"}, {"val_rows", 0}});
  levin::testing::State state = Csv(options).data.save();
  FakeHost host;
  Component early(host, "csv", options);
  early.load(state);
  CHECK(early.save().bytes == state.bytes);
  levin::testing::setup(early, levin::Stage::predict);
  CHECK(early.save().bytes == state.bytes);
  for (const char* key : {"kinds", "shift_scale_fill", "category_counts", "categories"}) {
    levin::testing::State damaged = state;
    damaged.bytes[key].resize(damaged.bytes[key].size() / 2 / 8 * 8);
    INFO(key);
    CHECK_THROWS_WITH(early.load(damaged), ContainsSubstring("damaged"));
  }
}
