// Programs that tests start, above all the host: their output, their end, their signals and their terminal.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"

// A program's exit code; 128 + N if signal N ended it, 124 if it took too long. An assertion that fails on it prints
// the command and the end of its output.
struct ExitCode {
  int value = -1;
  std::string account;
  operator int() const { return value; }
};
template <>
struct Catch::StringMaker<ExitCode> {
  static std::string convert(const ExitCode& code) { return std::to_string(code.value) + code.account; }
};

struct Outcome {
  ExitCode code;
  std::string out, err;
  std::vector<std::string> trace;  // of the host: calls recorded by its plugins, in order
  std::string error_line() const;  // the last error line as it was printed; "" if none
  // The last error line, "host: error: ...", without its code; "" if none. A line without a code is a failure.
  std::string error() const;
  std::string error_code() const;  // of that line: "E0204"
};

using Variables = std::map<std::string, std::optional<std::string>>;  // nullopt = unset

struct Program {
  std::vector<std::string> command;
  std::filesystem::path folder;  // the working folder, which gets the output as out.txt and err.txt
  Variables variables{};
  std::string suffix{};  // of the names of these files: out.txt.1
  int seconds = 300;     // a program that takes longer is killed
  enum class Output { files, pipe, terminal } output = Output::files;
  unsigned short columns = 80;  // of the terminal
};

// Returns the command that runs a script of the shell.
std::vector<std::string> shell_command(const std::string& script);

// Returns the variables of a host whose user's folder is `home`.
Variables at_home(const std::filesystem::path& home, const std::string& cache);

struct Typed {
  std::string after;  // text that must be written before the keys are sent
  std::string keys;   // "\x03" is Ctrl-C
};

// A program that runs. It is killed with its process group if it has not ended before the destructor.
class HostProcess {
 public:
  explicit HostProcess(Program program);
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  pid_t pid() const { return pid_; }
  ExitCode code();  // waits until the program has ended
  Outcome end();    // likewise
  std::string out() const { return written("out"); }
  std::string err() const { return written("err"); }
  // Returns what is written next to the pipe or terminal; "" if it was closed, or nothing comes for two minutes.
  std::string read_some() const;
  // Returns all that is written to the pipe or terminal, until the program closes it or writes nothing for two minutes.
  std::string read_all(std::vector<Typed> typed = {}) const;

 private:
  std::string written(const char* what) const;
  bool ends_within(int milliseconds);
  Program program_;
  pid_t pid_ = -1;
  int output_ = -1;              // of a pipe or terminal: the end that is read
  std::optional<int> status_{};  // as waitpid() gives it
  bool late_ = false;
};

// Runs the program to its end.
Outcome run_program(Program program);
