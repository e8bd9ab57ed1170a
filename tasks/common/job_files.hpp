// The files of a job in its run folder.
#pragma once
#include <filesystem>

namespace levin::core::tasks {

struct JobFiles {
  std::filesystem::path folder;
  std::filesystem::path lock() const { return folder / "lock"; }  // of the driver
  // ledger_url() if it is there, else a file of SQLite.
  std::filesystem::path ledger() const {
    std::error_code ignored;
    return std::filesystem::exists(ledger_url(), ignored) ? ledger_url() : folder / "ledger.db";
  }
  std::filesystem::path ledger_url() const { return folder / "ledger.url"; }
  std::filesystem::path tasks() const { return folder / "tasks.bin"; }      // of packed_task()
  std::filesystem::path places() const { return folder / "tasks.places"; }  // of each task, while it is read
  std::filesystem::path results() const { return folder / "results.bin"; }
  std::filesystem::path order() const { return folder / "results.order"; }  // places of the results, for Sum
  std::filesystem::path output() const { return folder / "output"; }
  std::filesystem::path unfinished_output() const { return folder / "output.tmp"; }
  std::filesystem::path workers() const { return folder / "workers"; }  // what they print
};

}  // namespace levin::core::tasks
