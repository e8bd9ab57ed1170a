// Runs of the real host and its engine with scripted plugins, in a temporary folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "host_process/host_process.hpp"
#include "temp_folder.hpp"

// Switches off the callbacks that a run has by default, except model_checkpoint.
#define LEVIN_TEST_QUIET                                                                                      \
  " --callback early_stopping=false --callback model_summary=false --callback progress_bar=false --callback " \
  "results_table=false "

class Sandbox {
 public:
  // Runs `host WORDS` with one thread and a new trace. limits: a shell command that runs before it.
  Outcome host(const std::string& words, const std::string& limits = "ulimit -c 0") const;
  // Runs host(COMMAND WORDS) with the data module "rows", batches of one row, and by default no callbacks and loggers.
  Outcome bare(const std::string& command, const std::string& words, const std::string& limits = "ulimit -c 0") const;
  // Runs `host WORDS` in n processes, told by variables of each other, that meet in a file. last: more variables of the
  // last one.
  std::vector<Outcome> ranks(int n, const std::string& words, const Variables& last = {}) const;
  // A script of the shell in this folder, which is the user's own for it.
  Program script(const std::string& text) const;

  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path run(int version = 0) const;  // path of the run folder
  std::string read(const std::filesystem::path& file) const;
  std::vector<std::string> trace() const;  // calls recorded by the plugins, in order
  void write_program(const std::string& name, const std::string& script) const { folder_.write_program(name, script); }

 private:
  TempFolder folder_;
};

// The last checkpoint of a run.
inline std::string last(const Sandbox& sandbox, int version) {
  return (sandbox.run(version) / "checkpoints" / "last.ckpt").string();
}

// Returns the words, preceded by the defaults ("--option value ") whose option is not among them.
std::string with_defaults(const std::vector<std::string>& defaults, const std::string& words);

// Returns the lines that start with the text.
std::vector<std::string> starting(const std::vector<std::string>& lines, const std::string& text);
