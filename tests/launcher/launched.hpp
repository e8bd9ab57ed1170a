// A launcher of fake ranks in a process of its own, with what it writes and what its ranks note.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"

struct Launch {
  int ranks = 2;
  std::vector<std::string> steps{};  // see fake_rank.cpp
  int max_restarts = 0;
  std::string hosts{}, ssh{};                        // ssh: the text of a script
  std::map<std::string, std::string> environment{};  // more variables
  bool nobody_reads = false;                         // what it writes, until read_late()
};

class Launched {
 public:
  explicit Launched(const Launch& launch);
  ~Launched();
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

  pid_t pid() const { return pid_; }
  int code();  // waits for its end; 128 + the signal that ended it
  std::string out() const, err() const;
  // The lines that a rank has noted. Waits until there are so many, for 20 s at most.
  std::vector<std::string> notes(int rank, size_t at_least = 0) const;
  pid_t pid_of(int rank, size_t attempt = 0) const;     // waits until it has started
  std::string err_with(const std::string& text) const;  // waits until it is there
  std::string read_late();                              // all that it has written, of nobody_reads
  bool lets_go() const;                                 // of what it was given; waits for it
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  pid_t pid_ = -1;
  int unread_[2] = {-1, -1};  // a pipe
  int given_[2] = {-1, -1};   // another one
};

// Whether there is such a process that is not only waiting to be reaped.
bool runs(pid_t pid);
bool ends_soon(pid_t pid);  // within 20 s
levin::core::RunConfig fake_config(int ranks, int max_restarts);
