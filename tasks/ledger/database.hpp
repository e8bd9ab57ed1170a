// One connection to the database of a ledger.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace levin::core::tasks {

// Every function throws Error{run} if the database cannot be read or written.
class Database {
 public:
  using Value = std::variant<int64_t, double, std::string>;

  class Statement {
   public:
    virtual ~Statement() = default;
    // Begins anew with a value for each '?' in order.
    virtual void bind(const std::vector<Value>& values) = 0;
    // Goes on to the next row. Returns false after the last one.
    virtual bool row() = 0;
    virtual uint64_t integer(int column) = 0;  // NULL is 0 or ""
    virtual double real(int column) = 0;
    virtual std::string text(int column) = 0;
    virtual uint64_t changed() = 0;  // rows
  };

  virtual ~Database() = default;
  virtual std::unique_ptr<Statement> prepare(const std::string& sql) = 0;
  virtual void run(const std::string& sql) = 0;
  virtual void begin() = 0;
  virtual bool has_column(const std::string& table, const std::string& column) = 0;
};

// read_only: for a report beside a running driver.
std::unique_ptr<Database> open_sqlite(const std::filesystem::path& file, bool read_only);

// Where a ledger in PostgreSQL is: a schema for each job.
struct LedgerPlace {
  std::string url, schema;
};
std::unique_ptr<Database> open_postgresql(const LedgerPlace& place, bool read_only);

// Throws Error{usage} if the text is no URL of a database, has a password, or this build lacks PostgreSQL.
void check_ledger_url(const std::string& url);

// The file ledger.url of a job. Throws Error{run}.
void write_ledger_place(const std::filesystem::path& file, const std::string& url);
LedgerPlace read_ledger_place(const std::filesystem::path& file);

}  // namespace levin::core::tasks
