// Rows of CSV files, for classification and regression.
#include <filesystem>
#include <set>

#include "../common/file_pattern.hpp"
#include "../common/tables/table_module.hpp"
#include "joined.hpp"

namespace csv_data {

constexpr levin_option own_options[] = {
    levin::required(levin::path(
        "file", nullptr,
        "CSV file of the training rows, from which validation and test rows are taken too; or of new rows to predict. "
        "Several files: 'part-*.csv', '{a,b}.csv', '{01..12}.csv'")),
    levin::path("val_file", "\"\"", "CSV file of the validation rows, instead of a fraction of file"),
    levin::path("test_file", "\"\"", "CSV file of the test rows"),
    levin::path("predict_file", "\"\"",
                "CSV file of the rows to predict, with or without the target; empty = the test rows, or all"),
    levin::text("file_column", "\"\"",
                "name of a column to add, which holds the name of each row's file; empty = none"),
    levin::flag("header", "true", "the first line holds the column names"),
    levin::text("delimiter", "\"auto\"",
                "a character, or comma, semicolon, tab, space; auto = detected in the first line"),
    levin::flag("decimal_comma", "false", "numbers have a decimal comma (1,5)")};
constexpr auto csv_options = common::joined(own_options, tables::table_options);

class CsvFiles : public tables::Source {
 public:
  explicit CsvFiles(const levin::Args& o)
      : file_column_(o.text("file_column")),
        header_(o.flag("header")),
        delimiter_(common::delimiter_of(o.text("delimiter"))),
        decimal_comma_(o.flag("decimal_comma")),
        leave_out_damaged_(o.text("damaged") != "stop") {}
  static tables::Names names(const levin::Args& o) {
    return {"file",         "val_file",       "test_file",
            "predict_file", o.flag("header"), ": is another delimiter used? (--data.delimiter)"};
  }
  common::CsvFile read(const std::string& pattern) const override {
    const std::vector<std::string> paths = common::files_of(pattern);
    common::CsvFile all = read_one(paths[0]);
    std::set<std::string> names = {name_of(paths[0])};
    for (size_t i = 1; i < paths.size(); ++i) {
      if (!names.insert(name_of(paths[i])).second && !file_column_.empty())
        throw levin::Error(LEVIN_E_INVALID, "--data.file_column " + file_column_ + ": two files are called " +
                                                name_of(paths[i]) + ": give them different names");
      append(all, read_one(paths[i]), header_);
    }
    return all;
  }

 private:
  static std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }
  common::CsvFile read_one(const std::string& path) const {
    common::CsvFile file = common::read_csv(path, delimiter_, leave_out_damaged_);
    if (decimal_comma_)
      for (const std::string_view cell : file.cells)
        if (tables::has_decimal_comma(cell))
          file.buffer[static_cast<size_t>(cell.data() - file.buffer.data()) + cell.find(',')] = '.';
    if (!file_column_.empty()) add_file_column(file, file_column_, header_);
    return file;
  }

  std::string file_column_;  // "" = none
  bool header_;
  char delimiter_;  // 0 = detected in each file
  bool decimal_comma_, leave_out_damaged_;
};

}  // namespace csv_data

LEVIN_PLUGIN("levin.csv_data", "0.1.0", "Apache-2.0",
             (levin::data_module<tables::TableModule<csv_data::csv_options, csv_data::CsvFiles>>(
                 "csv", "Rows of CSV files, for classification and regression")));
