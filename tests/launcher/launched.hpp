// A launcher of fake ranks as a child process, with its output and the records of its ranks.
#pragma once
#include "core/config/run_config.hpp"
#include "host_process/host_process.hpp"
#include "temp_folder.hpp"

struct Launch {
  int ranks = 2;
  std::vector<std::string> steps{};  // see fake_rank.cpp
  int max_restarts = 0;
  std::string hosts{}, ssh{};                        // ssh = text of a script
  std::map<std::string, std::string> environment{};  // additional variables
  bool nobody_reads = false;                         // do not read its output until read_late()
};

class Launched {
 public:
  explicit Launched(const Launch& launch);
  ~Launched();
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

  pid_t pid() const { return process_->pid(); }
  ExitCode code() { return process_->code(); }  // waits for its end
  std::string out() const { return process_->out(); }
  std::string err() const { return process_->err(); }
  // Returns the lines recorded by a rank. Waits up to 20 s for at_least lines.
  std::vector<std::string> notes(int rank, size_t at_least = 0) const;
  pid_t pid_of(int rank, size_t attempt = 0) const;               // waits until the rank has started
  std::string err_with(const std::string& text) const;            // waits until the text is in the output
  std::string read_late() const { return process_->read_all(); }  // returns all output, with nobody_reads
  bool lets_go() const;  // waits; true if it closed the descriptor that it inherited
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  Program program(const Launch& launch) const;
  TempFolder folder_;
  int given_[2] = {-1, -1};  // pipe
  std::optional<HostProcess> process_;
};

// Returns true if the process exists and is not a zombie.
bool runs(pid_t pid);
bool ends_soon(pid_t pid);  // within 20 s
levin::core::RunConfig fake_config(int ranks, int max_restarts);
