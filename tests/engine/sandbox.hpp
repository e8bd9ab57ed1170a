// Runs of the real host, with its engine, on the scripted plugins, in a temporary folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

struct Outcome {
  int code = -1;
  std::string out, err;
  std::vector<std::string> trace;  // what the plugins wrote down, in order
  std::string error() const;       // the last line "host: error: ...", "" if there is none
};

class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // `host WORDS` with one thread; the trace starts anew. A run that takes minutes is killed: code 124.
  // limits: a command of the shell that runs before it.
  Outcome host(const std::string& words, const std::string& limits = "ulimit -c 0") const;
  // host(COMMAND WORDS) with the module "rows", batches of one row, and neither callbacks nor loggers by default.
  Outcome bare(const std::string& command, const std::string& words, const std::string& limits = "ulimit -c 0") const;
  std::filesystem::path folder() const { return folder_; }
  std::filesystem::path run(int version = 0) const;  // of the run folders
  std::string read(const std::filesystem::path& file) const;

 private:
  std::filesystem::path folder_;
};

// The words, behind those of the defaults, "--option value ", whose options they do not have.
std::string with_defaults(const std::vector<std::string>& defaults, const std::string& words);

// The lines that start with the text.
std::vector<std::string> starting(const std::vector<std::string>& lines, const std::string& text);
