// What is known of a job: its settings, and of each task its state, attempts, worker, time and error. One SQLite file,
// or a schema of PostgreSQL, written by the driver alone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tasks/common/record_file.hpp"
#include "tasks/ledger/database.hpp"

namespace levin::core::tasks {

enum class TaskState { waiting, done, failed };

struct WaitingTask {
  uint64_t index = 0;
  double weight = 1;
  uint32_t attempts = 0;  // that have ended
  Place data;             // in the file of tasks
  uint32_t needs = 0;     // place in Ledger::needs()
};

struct TaskCounts {
  uint64_t all = 0, done = 0, failed = 0;
  double weight = 0, weight_done = 0;
};

struct TaskRow {
  uint64_t index = 0;
  TaskState state = TaskState::waiting;
  std::string name, worker, error;
  uint32_t attempts = 0;
  double seconds = 0;  // of the last attempt that ended
  uint64_t result_size = 0;
  double ended = 0;  // when it did, in seconds since 1970; 0 = never
  std::string needs;
};

// How an attempt has ended.
struct Attempt {
  uint64_t index = 0;
  uint32_t number = 0;
  std::string worker;
  double seconds = 0;
  double ended = 0;  // seconds since 1970
};

// Every function throws Error{run} if the database cannot be read or written.
class Ledger {
 public:
  // Opens the ledger of a job, or makes it: a file of SQLite, or ledger.url, which says where it is in PostgreSQL.
  // read_only: for a report beside a running driver.
  explicit Ledger(const std::filesystem::path& path, bool read_only = false);

  // Changes after begin() are kept together by commit(), or not at all.
  void begin();
  void commit();

  std::string get(const std::string& key);  // "" = not set
  void set(const std::string& key, const std::string& value);

  void remove_tasks();
  void add(uint64_t index, const TaskData& task, Place data);
  std::vector<std::string> needs();    // of the tasks, each once, sorted
  std::vector<WaitingTask> waiting();  // heaviest first, then by index
  TaskCounts counts();

  // Returns false, and changes nothing, if the task is done already: a late duplicate.
  bool finish(const Attempt& attempt, Place result);
  // Counts the attempt. given_up: the task is set aside.
  void fail(const Attempt& attempt, const std::string& error, bool given_up);
  void note_waiting(const std::string& needs, const std::string& note);  // why tasks with these needs wait
  void retry_failed();  // tasks that were set aside wait again, and begin with their first attempt

  uint64_t results_end();  // the end of the last result in the file of results
  // In the order of the tasks.
  void each_result(const std::function<void(uint64_t index, Place task, Place result)>& use);
  void each_task(const std::function<void(const TaskRow&)>& use);

 private:
  template <class... A>
  Database::Statement& query(const std::string& sql, const A&... values);
  template <class... A>
  uint64_t change(const std::string& sql, const A&... values);
  void run(const std::string& sql);
  std::unique_ptr<Database> database_;
  std::vector<std::pair<std::string, std::unique_ptr<Database::Statement>>> statements_;  // prepared, by their text
};

}  // namespace levin::core::tasks
