#include <sqlite3.h>

#include "core/base/error.hpp"
#include "tasks/ledger/database.hpp"

namespace levin::core::tasks {
namespace {

class SqliteDatabase : public Database {
 public:
  SqliteDatabase(const std::filesystem::path& file, bool read_only) : path_(file.string()) {
    const int how = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(path_.c_str(), &db_, how | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
      const std::string reason = reason_of("opened");
      sqlite3_close(db_);
      throw Error(ErrorCode::file_not_written, reason);
    }
    sqlite3_busy_timeout(db_, 10000);
    if (read_only) return;
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=NORMAL");
  }
  ~SqliteDatabase() override { sqlite3_close(db_); }
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  std::unique_ptr<Statement> prepare(const std::string& sql) override;
  void run(const std::string& sql) override {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail_with("written");
  }
  void begin() override { run("BEGIN IMMEDIATE"); }
  bool has_column(const std::string& table, const std::string& column) override {
    const auto s = prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
    s->bind({table, column});
    return s->row();
  }

  sqlite3* raw() { return db_; }
  [[noreturn]] void fail_with(const std::string& what) const {
    throw Error(ErrorCode::file_not_written, reason_of(what));
  }

 private:
  std::string reason_of(const std::string& what) const {
    return path_ + " cannot be " + what + ": " + (db_ ? sqlite3_errmsg(db_) : "out of memory");
  }
  const std::string path_;
  sqlite3* db_ = nullptr;
};

class SqliteStatement : public Database::Statement {
 public:
  SqliteStatement(SqliteDatabase& database, const std::string& sql) : database_(database) {
    if (sqlite3_prepare_v3(database.raw(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &raw_, nullptr) != SQLITE_OK)
      database.fail_with("read");
  }
  ~SqliteStatement() override { sqlite3_finalize(raw_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  void bind(const std::vector<Database::Value>& values) override {
    sqlite3_reset(raw_);
    int place = 0;
    for (const Database::Value& value : values)
      if (std::visit([&](const auto& v) { return bind_one(place + 1, v); }, value) != SQLITE_OK)
        database_.fail_with("written");
      else
        ++place;
  }
  bool row() override {
    const int code = sqlite3_step(raw_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail_with("written");
    sqlite3_reset(raw_);
    return false;
  }
  uint64_t integer(int column) override { return static_cast<uint64_t>(sqlite3_column_int64(raw_, column)); }
  double real(int column) override { return sqlite3_column_double(raw_, column); }
  std::string text(int column) override {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw_, column));
    return text ? std::string(text, static_cast<size_t>(sqlite3_column_bytes(raw_, column))) : "";
  }
  uint64_t changed() override { return static_cast<uint64_t>(sqlite3_changes(database_.raw())); }

 private:
  int bind_one(int place, int64_t value) { return sqlite3_bind_int64(raw_, place, value); }
  int bind_one(int place, double value) { return sqlite3_bind_double(raw_, place, value); }
  int bind_one(int place, const std::string& value) {
    return sqlite3_bind_text(raw_, place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  SqliteDatabase& database_;
  sqlite3_stmt* raw_ = nullptr;
};

std::unique_ptr<Database::Statement> SqliteDatabase::prepare(const std::string& sql) {
  return std::make_unique<SqliteStatement>(*this, sql);
}

}  // namespace

std::unique_ptr<Database> open_sqlite(const std::filesystem::path& file, bool read_only) {
  return std::make_unique<SqliteDatabase>(file, read_only);
}

}  // namespace levin::core::tasks
