#include "tasks/ledger/ledger.hpp"

#include <algorithm>
#include <type_traits>

namespace levin::core::tasks {
namespace {

constexpr const char* schema = R"(
CREATE TABLE IF NOT EXISTS job(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS tasks(
  idx INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  weight DOUBLE PRECISION NOT NULL,
  data_offset BIGINT NOT NULL,
  data_size BIGINT NOT NULL,
  state INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  result_offset BIGINT NOT NULL DEFAULT 0,
  result_size BIGINT NOT NULL DEFAULT 0,
  ended DOUBLE PRECISION NOT NULL DEFAULT 0,
  needs TEXT NOT NULL DEFAULT '');
)";

// Columns that older ledgers do not have.
struct AddedColumn {
  const char *name, *type;
};
constexpr AddedColumn added_columns[] = {{"ended", "DOUBLE PRECISION NOT NULL DEFAULT 0"},
                                         {"needs", "TEXT NOT NULL DEFAULT ''"}};

template <class T>
Database::Value value_of(const T& value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<int64_t>(value);
  else
    return value;
}

}  // namespace

Ledger::Ledger(const std::filesystem::path& path, bool read_only)
    : database_(path.extension() == ".url" ? open_postgresql(read_ledger_place(path), read_only)
                                           : open_sqlite(path, read_only)) {
  if (read_only) return;
  run(schema);
  for (const auto& [name, type] : added_columns)
    if (!database_->has_column("tasks", name)) run(std::string("ALTER TABLE tasks ADD COLUMN ") + name + " " + type);
}

void Ledger::run(const std::string& sql) { database_->run(sql); }

template <class... A>
Database::Statement& Ledger::query(const std::string& sql, const A&... values) {
  auto found =
      std::find_if(statements_.begin(), statements_.end(), [&](const auto& known) { return known.first == sql; });
  if (found == statements_.end()) found = statements_.insert(found, {sql, database_->prepare(sql)});
  found->second->bind({value_of(values)...});
  return *found->second;
}

template <class... A>
uint64_t Ledger::change(const std::string& sql, const A&... values) {
  Database::Statement& s = query(sql, values...);
  while (s.row()) {
  }
  return s.changed();
}

void Ledger::begin() { database_->begin(); }
void Ledger::commit() { run("COMMIT"); }

std::string Ledger::get(const std::string& key) {
  Database::Statement& s = query("SELECT value FROM job WHERE key = ?", key);
  std::string out;
  while (s.row()) out = s.text(0);
  return out;
}

void Ledger::set(const std::string& key, const std::string& value) {
  change("INSERT INTO job VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value);
}

void Ledger::remove_tasks() { run("DELETE FROM tasks"); }

void Ledger::add(uint64_t index, const TaskData& task, Place data) {
  change("INSERT INTO tasks(idx, name, weight, data_offset, data_size, needs) VALUES (?, ?, ?, ?, ?, ?)", index,
         std::string(task.name), task.weight, data.offset, data.size, std::string(task.needs));
}

std::vector<std::string> Ledger::needs() {
  Database::Statement& s = query("SELECT DISTINCT needs FROM tasks");
  std::vector<std::string> out;
  while (s.row()) out.push_back(s.text(0));
  std::sort(out.begin(), out.end());  // a database may have another order of texts
  return out;
}

std::vector<WaitingTask> Ledger::waiting() {
  const std::vector<std::string> all = needs();
  Database::Statement& s = query(
      "SELECT idx, weight, attempts, data_offset, data_size, needs FROM tasks WHERE state = 0 ORDER BY weight DESC, "
      "idx");
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
  Database::Statement& s = query("SELECT state, COUNT(*), SUM(weight) FROM tasks GROUP BY state");
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
  return change(
             "UPDATE tasks SET state = 1, attempts = ?, worker = ?, seconds = ?, error = '', result_offset = ?, "
             "result_size = ?, ended = ? WHERE idx = ? AND state <> 1",
             attempt.number, attempt.worker, attempt.seconds, result.offset, result.size, attempt.ended,
             attempt.index) == 1;
}

void Ledger::fail(const Attempt& attempt, const std::string& error, bool given_up) {
  change(
      "UPDATE tasks SET state = ?, attempts = ?, worker = ?, seconds = ?, error = ?, ended = ? WHERE idx = ? AND state "
      "<> 1",
      given_up ? 2 : 0, attempt.number, attempt.worker, attempt.seconds, error, attempt.ended, attempt.index);
}

void Ledger::note_waiting(const std::string& needs, const std::string& note) {
  change("UPDATE tasks SET error = ? WHERE state = 0 AND needs = ?", note, needs);
}

void Ledger::retry_failed() { run("UPDATE tasks SET state = 0, attempts = 0 WHERE state = 2"); }

uint64_t Ledger::results_end() {
  Database::Statement& s = query("SELECT MAX(result_offset + result_size) FROM tasks WHERE state = 1");
  uint64_t end = 0;
  while (s.row()) end = s.integer(0);
  return end;
}

void Ledger::each_result(const std::function<void(uint64_t, Place, Place)>& use) {
  Database::Statement& s =
      query("SELECT idx, data_offset, data_size, result_offset, result_size FROM tasks WHERE state = 1 ORDER BY idx");
  while (s.row()) use(s.integer(0), {s.integer(1), s.integer(2)}, {s.integer(3), s.integer(4)});
}

void Ledger::each_task(const std::function<void(const TaskRow&)>& use) {
  // A report may read an older ledger.
  const auto column = [&](const char* name, const char* other) {
    return std::string(database_->has_column("tasks", name) ? name : other);
  };
  const std::string sql = "SELECT idx, state, name, worker, error, attempts, seconds, result_size, " +
                          column("ended", "0") + ", " + column("needs", "''") + " FROM tasks ORDER BY idx";
  Database::Statement& s = query(sql);
  while (s.row())
    use({s.integer(0), static_cast<TaskState>(s.integer(1)), s.text(2), s.text(3), s.text(4),
         static_cast<uint32_t>(s.integer(5)), s.real(6), s.integer(7), s.real(8), s.text(9)});
}

}  // namespace levin::core::tasks
