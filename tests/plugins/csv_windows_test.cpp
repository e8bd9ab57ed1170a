// Windows of time series in CSV files.
#include <algorithm>
#include <cmath>

#include "csv_driver.hpp"

namespace {

using Rows = std::vector<std::vector<double>>;

// Numbers 0, 1, 2 ... in y, and their squares in x.
std::string series_of(int n) {
  std::string text = "x,y\n";
  for (int i = 0; i < n; ++i) text += std::to_string(i * i) + "," + std::to_string(i) + "\n";
  return text;
}

struct Series {
  TempFolder folder;
  Options options(const std::string& text, std::initializer_list<Options::Item> more) const {
    Options options({{"file", folder.write("x.csv", text)},
                     {"target", "y"},
                     {"task", "regression"},
                     {"val_rows", 0},
                     {"normalize", "none"}});
    for (const Options::Item& item : more) options.set(item);
    return options;
  }
  Csv open(const std::string& text, std::initializer_list<Options::Item> more) const {
    return Csv(options(text, more));
  }
  Rows train(const std::string& text, std::initializer_list<Options::Item> more) const {
    return open(text, more).all(Split::train);
  }
};

}  // namespace

TEST_CASE("csv makes windows of rows, whose targets lie a horizon ahead") {
  const Series series;
  Csv data = series.open(series_of(6), {{"window", 2}});
  const levin_split split = levin::testing::describe(data.data, Split::train);
  CHECK(split.fields[0].ndim == 2);
  CHECK(split.fields[0].shape[0] == 2);
  CHECK(split.fields[0].shape[1] == 2);
  CHECK(split.fields[1].ndim == 0);
  CHECK(data.all(Split::train) == Rows{{0, 0, 1, 1, 2}, {1, 1, 4, 2, 3}, {4, 2, 9, 3, 4}, {9, 3, 16, 4, 5}});
  CHECK_THAT(data.said(), ContainsSubstring("windows of 2 rows with the horizon 1: 4 to train, 0 to validate, 0 to "
                                            "test; 0 gaps"));
  CHECK(data.rows(Split::predict) == 5);  // without a target, also the last rows
  CHECK(data.all(Split::predict)[4] == std::vector<double>{16, 4, 25, 5, 0});

  CHECK(series.train(series_of(6), {{"window", 2}, {"horizon", "3"}}) == Rows{{0, 0, 1, 1, 4}, {1, 1, 4, 2, 5}});
  CHECK(series.train(series_of(6), {{"window", 2}, {"stride", 2}, {"ignore", "x"}}) == Rows{{0, 1, 2}, {2, 3, 4}});
  CHECK(series.train(series_of(6), {{"window", 2}, {"horizon", "2..3"}, {"ignore", "y"}}) ==
        Rows{{0, 1, 3, 4}, {1, 4, 4, 5}});
  Csv several = series.open(series_of(6), {{"window", 1}, {"horizon", "1..2"}, {"target", "y, x"}, {"ignore", "x"}});
  CHECK(levin::testing::describe(several.data, Split::train).fields[1].ndim == 2);
  CHECK(several.all(Split::train)[0] == std::vector<double>{0, 1, 1, 2, 4});
}

TEST_CASE("windows classify the row a horizon ahead") {
  const Series series;
  std::string text = "x,y\n";
  for (int i = 0; i < 6; ++i) text += std::to_string(i) + (i % 3 == 0 ? ",up\n" : ",down\n");
  Csv data = series.open(text, {{"window", 2}, {"task", "auto"}});
  CHECK(data.classes() == std::vector<std::string>{"down", "up"});
  CHECK(data.all(Split::train)[0] == std::vector<double>{0, 0, 1, 1, 1, 0, 0});
  CHECK(data.all(Split::train)[1].back() == 1);
  CHECK_THROWS_WITH(
      series.open(text, {{"window", 2}, {"task", "auto"}, {"horizon", "1..2"}}),
      ContainsSubstring("--data.horizon of several rows predicts numbers, and the target 'y' has classes"));
}

TEST_CASE("windows are ordered by time, and cross neither series nor gaps") {
  const Series series;
  const std::string text =
      "day,who,y\n2024-01-03,b,12\n2024-01-01,a,1\n2024-01-02,a,2\n2024-01-01,b,10\n2024-01-03,a,3\n2024-01-02,b,11\n"
      "2024-01-05,a,5\n2024-01-06,a,6\n2024-01-07,a,7\n";
  Csv data = series.open(text, {{"window", 2}, {"time", "day"}, {"series", "who"}});
  CHECK(data.all(Split::train) == Rows{{10, 11, 12}, {1, 2, 3}, {5, 6, 7}});
  CHECK_THAT(data.said(), ContainsSubstring("1 gap in the rows"));
  CHECK(series.train(text, {{"window", 2}, {"time", "day"}, {"series", "who"}, {"max_gap", 0}}).size() == 5);
  CHECK(series.train(text, {{"window", 2}, {"time", "day"}, {"series", "who"}, {"max_gap", 2 * 86400}}).size() == 5);
  const Rows with_day =
      series.train(text, {{"window", 1}, {"time", "day"}, {"series", "who"}, {"dates", "day"}, {"categories", "who"}});
  CHECK(with_day[0].size() == 7 + 2 + 1 + 1);
  CHECK_THROWS_WITH(series.open(text, {{"window", 2}, {"time", "day"}}),
                    ContainsSubstring("x.csv:5: the time is that of ") &&
                        ContainsSubstring("x.csv:3: name the column of the series by --data.series"));
  CHECK_THROWS_WITH(series.open("t,y\n1,1\n1,2.5\n", {{"window", 1}, {"time", "t"}, {"series", "t"}}),
                    ContainsSubstring("x.csv:3: the time is that of ") && ContainsSubstring(", in the same series"));
  CHECK_THROWS_WITH(series.open("t,y\n1,1\nlate,2.5\n", {{"window", 1}, {"time", "t"}}),
                    ContainsSubstring("x.csv:3: the column 't' of --data.time is 'late', and no date or time such as"));
  CHECK_THROWS_WITH(
      series.open(text, {{"window", 3}, {"time", "day"}, {"series", "who"}, {"horizon", "9"}}),
      ContainsSubstring("no window fits into the training rows: windows of 3 rows with the horizon 9 need "
                        "12 rows without a gap, and the longest run has 3; a gap is more than 129600"));
}

TEST_CASE("rows that are left out are gaps, and so is the end of a file without times") {
  const Series series;
  CHECK(series.train("y\n0\n1\n\n2\n?\n4\n5\n6\n", {{"window", 2}, {"missing_numbers", "drop"}}) ==
        Rows{{0, 1, 2}, {4, 5, 6}});
  CHECK(series.train("y,w\n0,0\n1,0\n2\n3,0\n4,0\n5,0\n", {{"window", 2}, {"damaged", "skip"}, {"ignore", "w"}}) ==
        Rows{{3, 4, 5}});
  CHECK(series.train("y,w\n0,a\n5,b\n1,a\n9\n6,b\n2,a\n7,b\n3,a\n",
                     {{"window", 1}, {"damaged", "skip"}, {"series", "w"}}) == Rows{{0, 1}, {2, 3}, {6, 7}});
  series.folder.write("s/1.csv", "t,y\n0,0\n1,1\n2,2\n");
  series.folder.write("s/2.csv", "t,y\n3,3\n4,4\n5,5\n");
  const std::string all = series.folder.file("s/*.csv");
  CHECK(series.train("", {{"file", all}, {"window", 2}, {"ignore", "t"}}) == Rows{{0, 1, 2}, {3, 4, 5}});
  CHECK(series.train("", {{"file", all}, {"window", 2}, {"time", "t"}}).size() == 4);
  CHECK(series.train("", {{"file", all}, {"file_column", "f"}, {"window", 2}, {"time", "t"}, {"series", "f"}}).size() ==
        2);
}

TEST_CASE("windows are split by time, share no row, and are normalised by the training rows") {
  const Series series;
  const auto seen = [](Csv& data, Split split) {
    std::vector<double> out;
    for (const std::vector<double>& row : data.all(split)) out.insert(out.end(), row.begin(), row.end());
    return std::pair(*std::min_element(out.begin(), out.end()), *std::max_element(out.begin(), out.end()));
  };
  Csv data = series.open(
      series_of(50),
      {{"window", 3}, {"horizon", "2"}, {"ignore", "x"}, {"val_rows", 10}, {"test_fraction", 0.2}, {"split_seed", 7}});
  CHECK(seen(data, Split::train) == std::pair(0.0, 29.0));
  CHECK(seen(data, Split::val) == std::pair(30.0, 39.0));
  CHECK(seen(data, Split::test) == std::pair(40.0, 49.0));
  CHECK(data.rows(Split::val) == 10 - 4);
  Csv normal =
      series.open(series_of(50), {{"window", 1}, {"ignore", "x"}, {"val_rows", 10}, {"normalize", "standard"}});
  CHECK(normal.all(Split::train)[0][0] == Approx(-19.5 / std::sqrt((1600 - 1) / 12.0)));

  std::string text = "t,who,y\n";  // two series; one begins later
  for (int t = 0; t < 20; ++t) {
    text += std::to_string(t) + ",a," + std::to_string(t) + "\n";
    if (t >= 10) text += std::to_string(t) + ",b," + std::to_string(t) + "\n";
  }
  Csv both = series.open(text, {{"window", 1}, {"time", "t"}, {"series", "who"}, {"val_rows", 9}});
  CHECK(seen(both, Split::train) == std::pair(0.0, 14.0));  // ten rows validate: those of t = 15 stay together
  CHECK(seen(both, Split::val) == std::pair(15.0, 19.0));
  CHECK(both.rows(Split::val) == 8);
  Csv each = series.open(
      text,
      {{"window", 1}, {"series", "who"}, {"ignore", "t"}, {"val_rows", levin::testing::Null{}}, {"val_fraction", 0.2}});
  CHECK(each.rows(Split::val) == 3 + 1);  // the last rows of each series
  Csv groups = series.open(text, {{"window", 1}, {"time", "t"}, {"series", "who"}, {"group", "who"}, {"val_rows", 10}});
  CHECK(seen(groups, Split::val) == std::pair(10.0, 19.0));
  CHECK(groups.rows(Split::train) == 19);
}

TEST_CASE("csv refuses options of windows that do not fit") {
  const Series series;
  const auto refused = [&](std::initializer_list<Options::Item> more) { return series.open(series_of(9), more); };
  CHECK_THROWS_WITH(refused({{"stride", 2}}), ContainsSubstring("--data.stride 2 needs --data.window"));
  CHECK_THROWS_WITH(refused({{"time", "x"}}), ContainsSubstring("--data.time x needs --data.window"));
  CHECK_THROWS_WITH(refused({{"series", "x"}}), ContainsSubstring("--data.series x needs --data.window"));
  CHECK_THROWS_WITH(refused({{"max_gap", 3}}), ContainsSubstring("--data.max_gap needs --data.window"));
  CHECK_THROWS_WITH(refused({{"horizon", "2"}}), ContainsSubstring("--data.horizon 2 needs --data.window"));
  CHECK_THROWS_WITH(
      series.open("t,w,y\n1,a,1.5\n1,b,2\n2,a,3\n", {{"window", 1}, {"time", "t"}, {"series", "w"}, {"val_rows", 2}}),
      ContainsSubstring("x.csv:2: all rows that could train have the time of this one"));
  for (const char* horizon : {"0", "", "x", "3..2", "1..", "..2", "1-2", "-1", "1.5"}) {
    INFO(horizon);
    CHECK_THROWS_WITH(refused({{"window", 2}, {"horizon", horizon}}), ContainsSubstring("--data.horizon is '"));
  }
  CHECK_THROWS_WITH(refused({{"window", 2}, {"time", "y"}}), ContainsSubstring("--data.time y is the target"));
  CHECK_THROWS_WITH(refused({{"window", 2}, {"time", "z"}}), ContainsSubstring("has no column 'z'"));
  CHECK_THROWS_WITH(refused({{"window", 2}, {"val_rows", levin::testing::Null{}}, {"folds", 2}}),
                    ContainsSubstring("--data.folds 2: the last rows validate here"));
  CHECK_THROWS_WITH(refused({{"window", 2}, {"stratify", true}}), ContainsSubstring("--data.stratify true: the last"));
  CHECK_THROWS_WITH(
      refused({{"window", 4}, {"val_rows", 4}}),
      ContainsSubstring("no window fits into the validation rows: windows of 4 rows with the horizon 1 need "
                        "5 rows without a gap, and the longest run has 4"));
}

TEST_CASE("a checkpoint knows its windows, and predicts what follows new rows") {
  const Series series;
  const std::initializer_list<Options::Item> windows = {{"window", 2}, {"horizon", "1..2"}, {"time", "x"}};
  Csv data = series.open(series_of(9), windows);
  const levin::testing::State state = data.data.save();
  const TempFolder folder;
  const std::string file = folder.write("new.csv", "y,x\n6,3\n5,2\n7,4\n");
  Csv again({{"file", file}}, state);
  CHECK(again.all(Split::predict) == Rows{{5, 6, 0, 0}, {6, 7, 0, 0}});
  CHECK(again.data.save().bytes == state.bytes);
  CHECK(Csv({{"file", file}, {"window", 2}, {"horizon", "1..2"}}, state).rows(Split::predict) == 2);
  CHECK_THROWS_WITH(Csv({{"file", file}, {"window", 3}}, state),
                    ContainsSubstring("the checkpoint was made for windows of 2 rows with the horizon 1..2, and there "
                                      "are windows of 3 rows with the horizon 1: leave out"));
  CHECK_THROWS_WITH(Csv({{"file", folder.write("one.csv", "y,x\n6,3\n")}}, state),
                    ContainsSubstring("no window fits into the prediction rows"));
  CHECK_THROWS_WITH(Csv({{"file", folder.write("old.csv", "x\n6\n7\n")}}, state),
                    ContainsSubstring("old.csv has no column 'y', which the checkpoint has"));
  Csv other = series.open(series_of(9), {{"window", 3}});
  CHECK_THROWS_WITH(
      other.data.load(state),
      ContainsSubstring("it had windows of 2 rows with the horizon 1..2, and now there are windows of 3"));
  Csv none = series.open(series_of(9), {});
  CHECK_THROWS_WITH(none.data.load(state), ContainsSubstring("and now there are rows without windows"));
  levin::testing::State damaged = state;
  damaged.bytes["window"].resize(8);
  CHECK_THROWS_WITH(data.data.load(damaged), ContainsSubstring("the window that the checkpoint keeps is damaged"));
  damaged.bytes["window"].assign(24, '\x7f');  // longer than any table
  CHECK_THROWS_WITH(data.data.load(damaged), ContainsSubstring("the window that the checkpoint keeps is damaged"));
  Csv test({{"file", "gone"}, {"target", "y"}, {"test_file", folder.write("t.csv", series_of(5))}}, state,
           levin::Stage::test);
  CHECK(test.all(Split::test) == Rows{{0, 1, 2, 3}, {1, 2, 3, 4}});
}
