// Completes the words of a command line, for the shells' own completion. No plugin code runs.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

struct Candidate {
  std::string word;   // the whole word, such as "--model=mlp"; after a last '.' the user types on
  std::string about;  // one line for shells that show it; may be ""
};

struct Completion {
  enum class Paths { none, files, folders };

  std::vector<Candidate> candidates;
  Paths paths = Paths::none;  // what the shell adds from the file system

  void add(std::string word, std::string about = "") { candidates.push_back({std::move(word), std::move(about)}); }
};

// words: those after `host` up to the cursor; the last one, which may be "", is completed. Candidates begin with it and
// come in the order of the help. A mistake in the other words only leaves candidates out.
Completion complete(const std::vector<std::string>& words);

// The hidden command __complete: prints a line WORD<tab>ABOUT for each candidate, then :files or :folders. Returns 0.
int complete_command(const std::vector<std::string>& words);

}  // namespace levin::core
