#include "database.hpp"

#include <sqlite3.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <vector>

#include "../common/utf8.hpp"

namespace sqlite {
namespace {

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

constexpr int longest_cell = 1 << 20, longest_query = 1 << 20;

[[noreturn]] void refuse_query(const std::string& name, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, name + ": " + what);
}

Database open_read_only(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw levin::Error(LEVIN_E_NOT_FOUND, "--data.file " + path + ": there is no such file");
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_FULLMUTEX, nullptr);
  Database database(raw, &sqlite3_close);
  if (code != SQLITE_OK || !raw) refuse_query(path, std::string("cannot be opened: ") + sqlite3_errstr(code));
  // The database may be somebody else's: its views must not call functions with effects, and it is not to be believed.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_exec(raw, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", nullptr, nullptr, nullptr);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);  // no other file is opened
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, longest_cell);
  sqlite3_limit(raw, SQLITE_LIMIT_SQL_LENGTH, longest_query);
  sqlite3_busy_timeout(raw, 10000);  // milliseconds, while another program writes
  return database;
}

Statement prepare(sqlite3* database, const std::string& sql, const std::string& name) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  if (sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size() + 1), &raw, &rest) != SQLITE_OK)
    refuse_query(name, std::string("the query fails: ") + sqlite3_errmsg(database));
  Statement statement(raw, &sqlite3_finalize);
  if (rest && std::string(rest).find_first_not_of(" \t\r\n;") != std::string::npos)
    refuse_query(name, "several statements: give one SELECT");
  if (!raw || sqlite3_stmt_readonly(raw) == 0 || sqlite3_column_count(raw) == 0)
    refuse_query(name, "the query reads no rows: give a SELECT");
  return statement;
}

// Collects texts of cells; the table points into one buffer, which must not move before it is complete.
class Cells {
 public:
  void add(std::string_view text) {
    file_.buffer.insert(file_.buffer.end(), text.begin(), text.end());
    ends_.push_back(file_.buffer.size());
  }
  void end_record(uint32_t number) { file_.lines.push_back(number); }
  // Removes the cells of the record that was not ended.
  void drop_record() {
    ends_.resize(file_.lines.size() * file_.columns);
    file_.buffer.resize(ends_.empty() ? 0 : ends_.back());
  }
  common::CsvFile take() {
    size_t begin = 0;
    for (const size_t end : ends_) {
      file_.cells.emplace_back(file_.buffer.data() + begin, end - begin);
      begin = end;
    }
    return std::move(file_);
  }
  common::CsvFile& file() { return file_; }

 private:
  common::CsvFile file_;
  std::vector<size_t> ends_;
};

// Adds a cell. Returns "" or what is wrong with it.
std::string add_cell(sqlite3_stmt* row, int column, Cells& cells) {
  char digits[64];
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
      cells.add("");
      return "";
    case SQLITE_INTEGER:
      cells.add(std::to_string(sqlite3_column_int64(row, column)));
      return "";
    case SQLITE_FLOAT:
      cells.add({digits,
                 static_cast<size_t>(
                     std::to_chars(digits, digits + sizeof digits, sqlite3_column_double(row, column)).ptr - digits)});
      return "";
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
      const std::string cell(text ? text : "", static_cast<size_t>(sqlite3_column_bytes(row, column)));
      if (!text) return "the text does not fit into memory";
      if (!common::is_utf8(cell)) return "the text is not UTF-8";
      cells.add(cell);
      return "";
    }
    default:
      return "is a BLOB: select numbers and texts";
  }
}

void add_record(sqlite3_stmt* row, uint32_t number, bool leave_out_damaged, Cells& cells) {
  common::CsvFile& file = cells.file();
  for (int c = 0; c < static_cast<int>(file.columns); ++c) {
    const std::string wrong = add_cell(row, c, cells);
    if (wrong.empty()) continue;
    const std::string text = file.path + ":" + std::to_string(number) + ": column '" +
                             std::string(sqlite3_column_name(row, c)) + "': " + wrong;
    if (!leave_out_damaged) throw levin::Error(LEVIN_E_IO, text);
    file.damaged.push_back(text);
    file.left_out.push_back(file.records());
    return cells.drop_record();
  }
  cells.end_record(number);
}

}  // namespace

common::CsvFile read_query(const std::string& path, const std::string& sql, const std::string& name,
                           bool leave_out_damaged) {
  const Database database = open_read_only(path);
  Cells cells;
  common::CsvFile& file = cells.file();
  file.path = std::filesystem::path(path).filename().string() + ":" + name;
  const Statement statement = prepare(database.get(), sql, file.path);
  file.columns = static_cast<size_t>(sqlite3_column_count(statement.get()));
  for (int c = 0; c < static_cast<int>(file.columns); ++c) cells.add(sqlite3_column_name(statement.get(), c));
  cells.end_record(0);
  uint32_t number = 0;
  for (int code; (code = sqlite3_step(statement.get())) != SQLITE_DONE;) {
    if (code != SQLITE_ROW) refuse_query(file.path, std::string("the query fails: ") + sqlite3_errmsg(database.get()));
    if (number == UINT32_MAX) refuse_query(file.path, "more than 4294967295 rows");
    add_record(statement.get(), ++number, leave_out_damaged, cells);
  }
  if (number == 0) refuse_query(file.path, "the query returns no row");
  return cells.take();
}

}  // namespace sqlite
