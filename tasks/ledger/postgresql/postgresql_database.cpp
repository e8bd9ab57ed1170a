#include <libpq-fe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "tasks/ledger/database.hpp"

namespace levin::core::tasks {
namespace {

struct FreePq {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Connection = std::unique_ptr<PGconn, FreePq>;
using Result = std::unique_ptr<PGresult, FreePq>;

constexpr std::chrono::seconds longest_lock{30};  // the server notices within 25 s that a driver's machine is gone

// The connection of the ledger. A lost one ends the job, which goes on with --resume.
class PostgresqlDatabase : public Database {
 public:
  PostgresqlDatabase(const LedgerPlace& place, bool read_only) : place_(place.url + " (" + place.schema + ")") {
    const char* names[] = {"connect_timeout",  "tcp_user_timeout", "dbname",
                           "application_name", "client_encoding",  nullptr};
    const char* values[] = {"10", "30000", place.url.c_str(), "levin tasks", "UTF8", nullptr};
    connection_.reset(PQconnectdbParams(names, values, 1));
    if (PQstatus(connection_.get()) != CONNECTION_OK) fail_with("opened");
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
    if (!read_only) run("CREATE SCHEMA IF NOT EXISTS " + place.schema);
    run("SET search_path TO " + place.schema);
    if (read_only) {
      run("SET default_transaction_read_only = on");
      return;
    }
    for (const char* keepalive : {"idle = 10", "interval = 5", "count = 3"})  // a machine that is gone holds no lock
      run(std::string("SET tcp_keepalives_") + keepalive);
    lock();
  }

  std::unique_ptr<Statement> prepare(const std::string& sql) override;
  void run(const std::string& sql) override { checked(PQexec(connection_.get(), sql.c_str())); }
  void begin() override { run("BEGIN"); }
  bool has_column(const std::string& table, const std::string& column) override {
    const auto s = prepare(
        "SELECT 1 FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ? AND "
        "column_name = ?");
    s->bind({table, column});
    return s->row();
  }

  PGconn* raw() { return connection_.get(); }
  std::string new_name() { return "s" + std::to_string(++statements_); }
  Result checked(PGresult* raw) {
    Result out(raw);
    const ExecStatusType status = PQresultStatus(raw);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail_with("read or written");
    return out;
  }

 private:
  // One driver at a time. The server may still be at the last commit of one that was killed: a driver that reads the
  // ledger before it would lose that commit's results.
  void lock() {
    const auto until = std::chrono::steady_clock::now() + longest_lock;
    const auto taken = prepare("SELECT pg_try_advisory_lock(hashtextextended(current_schema(), 0))::int");
    for (;;) {
      taken->bind({});
      if (taken->row() && taken->integer(0) == 1) return;
      if (std::chrono::steady_clock::now() > until)
        throw Error(ErrorCode::job_in_use, "another host tasks is running the job of the ledger " + place_);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  [[noreturn]] void fail_with(const std::string& what) const {
    const std::string reason = trim(PQerrorMessage(connection_.get()));
    throw Error(ErrorCode::file_not_written,
                "the ledger " + place_ + " cannot be " + what + ": " + join(split(reason, '\n'), "; "));
  }
  const std::string place_;
  Connection connection_;
  size_t statements_ = 0;
};

class PostgresqlStatement : public Database::Statement {
 public:
  PostgresqlStatement(PostgresqlDatabase& database, const std::string& sql)
      : database_(database), name_(database.new_name()) {
    std::string numbered;
    int place = 0;
    for (const char c : sql) numbered += c == '?' ? "$" + std::to_string(++place) : std::string(1, c);
    database.checked(PQprepare(database.raw(), name_.c_str(), numbered.c_str(), 0, nullptr));
  }

  void bind(const std::vector<Database::Value>& values) override {
    std::vector<std::string> texts;
    for (const Database::Value& value : values)
      texts.push_back(std::visit([](const auto& v) { return text_of_value(v); }, value));
    std::vector<const char*> raw;
    for (const std::string& text : texts) raw.push_back(text.c_str());
    result_ = database_.checked(
        PQexecPrepared(database_.raw(), name_.c_str(), static_cast<int>(raw.size()), raw.data(), nullptr, nullptr, 0));
    row_ = -1;
  }
  bool row() override { return ++row_ < PQntuples(result_.get()); }
  uint64_t integer(int column) override { return std::strtoull(value(column), nullptr, 10); }
  double real(int column) override { return std::strtod(value(column), nullptr); }
  std::string text(int column) override { return value(column); }
  uint64_t changed() override { return std::strtoull(PQcmdTuples(result_.get()), nullptr, 10); }

 private:
  static std::string text_of_value(int64_t value) { return std::to_string(value); }
  static std::string text_of_value(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }
  // PostgreSQL's texts are UTF-8 without zero bytes. What a task prints when it crashes may be anything.
  static std::string text_of_value(const std::string& value) { return printable(value); }
  const char* value(int column) const { return PQgetvalue(result_.get(), row_, column); }
  PostgresqlDatabase& database_;
  const std::string name_;
  Result result_;
  int row_ = -1;
};

std::unique_ptr<Database::Statement> PostgresqlDatabase::prepare(const std::string& sql) {
  return std::make_unique<PostgresqlStatement>(*this, sql);
}

}  // namespace

std::unique_ptr<Database> open_postgresql(const LedgerPlace& place, bool read_only) {
  return std::make_unique<PostgresqlDatabase>(place, read_only);
}

void check_ledger_url(const std::string& url) {
  if (!starts_with(url, "postgresql://") && !starts_with(url, "postgres://"))
    throw Error(ErrorCode::option_value_invalid,
                "--ledger '" + url + "': a URL such as postgresql://USER@HOST/DATABASE");
  char* raw = nullptr;
  const std::unique_ptr<PQconninfoOption, FreePq> options(PQconninfoParse(url.c_str(), &raw));
  const std::string why = raw ? trim(raw) : "";
  PQfreemem(raw);
  if (!options) throw Error(ErrorCode::option_value_invalid, "--ledger: " + why);
  for (const PQconninfoOption* option = options.get(); option->keyword; ++option)
    if (option->val && std::string(option->dispchar) == "*")  // libpq's mark of passwords: password, sslpassword
      throw Error(ErrorCode::option_value_invalid,
                  "--ledger: the URL is kept in the run folder, so leave the password to ~/.pgpass");
}

}  // namespace levin::core::tasks
