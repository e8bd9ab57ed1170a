// Runs of the real host and its engine with scripted plugins, in a temporary folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

struct Outcome {
  int code = -1;
  std::string out, err;
  std::vector<std::string> trace;  // calls recorded by the plugins, in order
  std::string error() const;       // the last line "host: error: ...", "" if none
};

class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Runs `host WORDS` with one thread and a new trace. A run that takes minutes is killed: code 124. limits: a shell
  // command that runs before it.
  Outcome host(const std::string& words, const std::string& limits = "ulimit -c 0") const;
  // Runs host(COMMAND WORDS) with the data module "rows", batches of one row, and by default no callbacks and loggers.
  Outcome bare(const std::string& command, const std::string& words, const std::string& limits = "ulimit -c 0") const;
  std::filesystem::path folder() const { return folder_; }
  std::filesystem::path run(int version = 0) const;  // path of the run folder
  std::string read(const std::filesystem::path& file) const;

 private:
  std::filesystem::path folder_;
};

// Returns the words, preceded by the defaults ("--option value ") whose option is not among them.
std::string with_defaults(const std::vector<std::string>& defaults, const std::string& words);

// Returns the lines that start with the text.
std::vector<std::string> starting(const std::vector<std::string>& lines, const std::string& text);
