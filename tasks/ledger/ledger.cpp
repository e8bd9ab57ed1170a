#include "tasks/ledger/ledger.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <type_traits>

#include "core/base/error.hpp"

namespace levin::core::tasks {
namespace {

constexpr const char* schema = R"(
CREATE TABLE IF NOT EXISTS job(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tasks(
  idx INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  weight REAL NOT NULL,
  data_offset INTEGER NOT NULL,
  data_size INTEGER NOT NULL,
  state INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  seconds REAL NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  result_offset INTEGER NOT NULL DEFAULT 0,
  result_size INTEGER NOT NULL DEFAULT 0,
  ended REAL NOT NULL DEFAULT 0,
  needs TEXT NOT NULL DEFAULT '');
)";

// Columns that older ledgers do not have.
struct AddedColumn {
  const char *name, *type;
};
constexpr AddedColumn added_columns[] = {{"ended", "REAL NOT NULL DEFAULT 0"}, {"needs", "TEXT NOT NULL DEFAULT ''"}};

}  // namespace

// A prepared statement. bind() takes all of its parameters in order.
class Ledger::Statement {
 public:
  Statement(Ledger& ledger, const char* sql) : ledger_(ledger) {
    if (sqlite3_prepare_v3(ledger.db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &raw_, nullptr) != SQLITE_OK)
      ledger.fail_with("read");
  }
  ~Statement() { sqlite3_finalize(raw_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... A>
  Statement& bind(const A&... arguments) {
    sqlite3_reset(raw_);
    int place = 0;
    (bind_one(++place, arguments), ...);
    return *this;
  }
  bool row() {
    const int code = sqlite3_step(raw_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) ledger_.fail_with("written");
    sqlite3_reset(raw_);
    return false;
  }
  void run() {
    while (row()) {
    }
  }
  uint64_t integer(int column) { return static_cast<uint64_t>(sqlite3_column_int64(raw_, column)); }
  double real(int column) { return sqlite3_column_double(raw_, column); }
  std::string text(int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw_, column));
    return text ? std::string(text, static_cast<size_t>(sqlite3_column_bytes(raw_, column))) : "";
  }

 private:
  template <class A>
  void bind_one(int place, const A& value) {
    int code;
    if constexpr (std::is_integral_v<A>)
      code = sqlite3_bind_int64(raw_, place, static_cast<int64_t>(value));
    else if constexpr (std::is_floating_point_v<A>)
      code = sqlite3_bind_double(raw_, place, value);
    else
      code = sqlite3_bind_text(raw_, place, value.empty() ? "" : value.data(), static_cast<int>(value.size()),
                               SQLITE_TRANSIENT);
    if (code != SQLITE_OK) ledger_.fail_with("written");
  }
  Ledger& ledger_;
  sqlite3_stmt* raw_ = nullptr;
};

Ledger::Ledger(const std::filesystem::path& path, bool read_only) : path_(path.string()) {
  const int how = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path_.c_str(), &db_, how | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) fail_with("opened");
  sqlite3_busy_timeout(db_, 10000);
  if (read_only) return;
  run("PRAGMA journal_mode=WAL");
  run("PRAGMA synchronous=NORMAL");
  run(schema);
  for (const auto& [name, type] : added_columns)
    if (!has_column(name)) run((std::string("ALTER TABLE tasks ADD COLUMN ") + name + " " + type).c_str());
}

bool Ledger::has_column(const std::string& name) {
  Statement& s = prepared("SELECT COUNT(*) FROM pragma_table_info('tasks') WHERE name = ?").bind(name);
  bool out = false;
  while (s.row()) out = s.integer(0) > 0;
  return out;
}

Ledger::~Ledger() {
  statements_.clear();
  sqlite3_close(db_);
}

void Ledger::fail_with(const std::string& what) const {
  throw Error(ErrorKind::run, path_ + " cannot be " + what + ": " + (db_ ? sqlite3_errmsg(db_) : "out of memory"));
}

void Ledger::run(const char* sql) {
  if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail_with("written");
}

Ledger::Statement& Ledger::prepared(const char* sql) {
  for (auto& [known, statement] : statements_)
    if (known == sql) return *statement;
  statements_.emplace_back(sql, std::make_unique<Statement>(*this, sql));
  return *statements_.back().second;
}

void Ledger::begin() { run("BEGIN IMMEDIATE"); }
void Ledger::commit() { run("COMMIT"); }

std::string Ledger::get(const std::string& key) {
  Statement& s = prepared("SELECT value FROM job WHERE key = ?").bind(key);
  std::string out;
  while (s.row()) out = s.text(0);
  return out;
}

void Ledger::set(const std::string& key, const std::string& value) {
  prepared("INSERT OR REPLACE INTO job VALUES (?, ?)").bind(key, value).run();
}

void Ledger::remove_tasks() { run("DELETE FROM tasks"); }

void Ledger::add(uint64_t index, const TaskData& task, Place data) {
  prepared("INSERT INTO tasks(idx, name, weight, data_offset, data_size, needs) VALUES (?, ?, ?, ?, ?, ?)")
      .bind(index, task.name, task.weight, data.offset, data.size, task.needs)
      .run();
}

std::vector<std::string> Ledger::needs() {
  Statement& s = prepared("SELECT DISTINCT needs FROM tasks ORDER BY needs").bind();
  std::vector<std::string> out;
  while (s.row()) out.push_back(s.text(0));
  return out;
}

std::vector<WaitingTask> Ledger::waiting() {
  const std::vector<std::string> all = needs();
  Statement& s = prepared(
                     "SELECT idx, weight, attempts, data_offset, data_size, needs FROM tasks WHERE state = 0 "
                     "ORDER BY weight DESC, idx")
                     .bind();
  std::vector<WaitingTask> out;
  while (s.row()) {
    const auto place = std::lower_bound(all.begin(), all.end(), s.text(5)) - all.begin();
    out.push_back({s.integer(0),
                   s.real(1),
                   static_cast<uint32_t>(s.integer(2)),
                   {s.integer(3), s.integer(4)},
                   static_cast<uint32_t>(place)});
  }
  return out;
}

TaskCounts Ledger::counts() {
  Statement& s = prepared("SELECT state, COUNT(*), SUM(weight) FROM tasks GROUP BY state").bind();
  TaskCounts out;
  while (s.row()) {
    const auto state = static_cast<TaskState>(s.integer(0));
    out.all += s.integer(1);
    out.weight += s.real(2);
    if (state == TaskState::done) out.done = s.integer(1), out.weight_done = s.real(2);
    if (state == TaskState::failed) out.failed = s.integer(1);
  }
  return out;
}

bool Ledger::finish(const Attempt& attempt, Place result) {
  prepared(
      "UPDATE tasks SET state = 1, attempts = ?, worker = ?, seconds = ?, error = '', result_offset = ?, result_size = "
      "?, ended = ? "
      "WHERE idx = ? AND state <> 1")
      .bind(attempt.number, attempt.worker, attempt.seconds, result.offset, result.size, attempt.ended, attempt.index)
      .run();
  return sqlite3_changes(db_) == 1;
}

void Ledger::fail(const Attempt& attempt, const std::string& error, bool given_up) {
  prepared(
      "UPDATE tasks SET state = ?, attempts = ?, worker = ?, seconds = ?, error = ?, ended = ? WHERE idx = ? "
      "AND state <> 1")
      .bind(given_up ? 2 : 0, attempt.number, attempt.worker, attempt.seconds, error, attempt.ended, attempt.index)
      .run();
}

void Ledger::note_waiting(const std::string& needs, const std::string& note) {
  prepared("UPDATE tasks SET error = ? WHERE state = 0 AND needs = ?").bind(note, needs).run();
}

void Ledger::retry_failed() { run("UPDATE tasks SET state = 0, attempts = 0 WHERE state = 2"); }

uint64_t Ledger::results_end() {
  Statement& s = prepared("SELECT MAX(result_offset + result_size) FROM tasks WHERE state = 1").bind();
  uint64_t end = 0;
  while (s.row()) end = s.integer(0);
  return end;
}

void Ledger::each_result(const std::function<void(uint64_t, Place, Place)>& use) {
  Statement& s = prepared(
                     "SELECT idx, data_offset, data_size, result_offset, result_size FROM tasks WHERE state = 1 "
                     "ORDER BY idx")
                     .bind();
  while (s.row()) use(s.integer(0), {s.integer(1), s.integer(2)}, {s.integer(3), s.integer(4)});
}

void Ledger::each_task(const std::function<void(const TaskRow&)>& use) {
  // A report may read an older ledger.
  const std::string sql = std::string("SELECT idx, state, name, worker, error, attempts, seconds, result_size, ") +
                          (has_column("ended") ? "ended, " : "0, ") + (has_column("needs") ? "needs" : "''") +
                          " FROM tasks ORDER BY idx";
  Statement& s = prepared(sql.c_str()).bind();
  while (s.row())
    use({s.integer(0), static_cast<TaskState>(s.integer(1)), s.text(2), s.text(3), s.text(4),
         static_cast<uint32_t>(s.integer(5)), s.real(6), s.integer(7), s.real(8), s.text(9)});
}

}  // namespace levin::core::tasks
