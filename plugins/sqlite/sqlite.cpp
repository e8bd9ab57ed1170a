// Rows of queries of SQLite databases, for classification and regression.
#include "../common/tables/table_module.hpp"
#include "database.hpp"

namespace sqlite {

constexpr levin_option own_options[] = {
    levin::required(levin::path("file", nullptr, "SQLite database, which is only read")),
    levin::required(levin::text("query", nullptr,
                                "SELECT of the training rows, from which validation and test rows are taken too; or of "
                                "new rows to predict")),
    levin::text("val_query", "\"\"", "SELECT of the validation rows, instead of a fraction of query"),
    levin::text("test_query", "\"\"", "SELECT of the test rows"),
    levin::text("predict_query", "\"\"",
                "SELECT of the rows to predict, with or without the target; empty = the test rows, or all")};
constexpr auto sqlite_options = common::joined(own_options, tables::table_options);

class Queries : public tables::Source {
 public:
  explicit Queries(const levin::Args& o) : path_(o.text("file")), leave_out_damaged_(o.text("damaged") != "stop") {
    for (const char* option : {"query", "val_query", "test_query", "predict_query"})
      names_.emplace_back(o.text(option), option);
  }
  static tables::Names names(const levin::Args&) {
    return {"query", "val_query", "test_query", "predict_query", true, ": select more columns"};
  }
  common::CsvFile read(const std::string& sql) const override {
    for (const auto& [query, option] : names_)
      if (query == sql) return read_query(path_, sql, option, leave_out_damaged_);
    return read_query(path_, sql, "query", leave_out_damaged_);
  }

 private:
  std::string path_;
  std::vector<std::pair<std::string, std::string>> names_;  // queries, and the options that give them
  bool leave_out_damaged_;
};

}  // namespace sqlite

LEVIN_PLUGIN("levin.sqlite", "0.1.0", "Apache-2.0",
             (levin::data_module<tables::TableModule<sqlite::sqlite_options, sqlite::Queries>>(
                 "sqlite", "Rows of queries of SQLite databases, for classification and regression")));
