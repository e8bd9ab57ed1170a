// Rows of CSV files, for classification and regression.
#include "../common/tables/table_module.hpp"

namespace csv_data {

constexpr levin_option own_options[] = {
    levin::required(levin::path(
        "file", nullptr,
        "CSV file of the training rows, from which validation and test rows are taken too; or of new rows to predict")),
    levin::path("val_file", "\"\"", "CSV file of the validation rows, instead of a fraction of file"),
    levin::path("test_file", "\"\"", "CSV file of the test rows"),
    levin::path("predict_file", "\"\"",
                "CSV file of the rows to predict, with or without the target; empty = the test rows, or all"),
    levin::flag("header", "true", "the first line holds the column names"),
    levin::text("delimiter", "\"auto\"",
                "a character, or comma, semicolon, tab, space; auto = detected in the first line"),
    levin::flag("decimal_comma", "false", "numbers have a decimal comma (1,5)")};
constexpr auto csv_options = common::joined(own_options, tables::table_options);

class CsvFiles : public tables::Source {
 public:
  explicit CsvFiles(const levin::Args& o)
      : delimiter_(common::delimiter_of(o.text("delimiter"))),
        decimal_comma_(o.flag("decimal_comma")),
        leave_out_damaged_(o.text("damaged") != "stop") {}
  static tables::Names names(const levin::Args& o) {
    return {"file",         "val_file",       "test_file",
            "predict_file", o.flag("header"), ": is another delimiter used? (--data.delimiter)"};
  }
  common::CsvFile read(const std::string& path) const override {
    common::CsvFile file = common::read_csv(path, delimiter_, leave_out_damaged_);
    if (!decimal_comma_) return file;
    for (const std::string_view cell : file.cells)
      if (tables::has_decimal_comma(cell))
        file.buffer[static_cast<size_t>(cell.data() - file.buffer.data()) + cell.find(',')] = '.';
    return file;
  }

 private:
  char delimiter_;  // 0 = detected in the file
  bool decimal_comma_, leave_out_damaged_;
};

}  // namespace csv_data

LEVIN_PLUGIN("levin.csv_data", "0.1.0", "Apache-2.0",
             (levin::data_module<tables::TableModule<csv_data::csv_options, csv_data::CsvFiles>>(
                 "csv", "Rows of CSV files, for classification and regression")));
