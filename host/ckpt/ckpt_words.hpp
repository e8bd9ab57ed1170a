// The words after `host ckpt VERB`.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace levin::core::ckpt {

struct CkptWords {
  std::vector<std::string> files;  // the words without dashes
  bool json = false, all = false, dry_run = false, force = false;
  std::string output;
  int64_t keep = 0;
};

struct CkptVerb {
  const char* name;
  const char* usage;              // after "host ckpt "
  std::set<std::string> options;  // that it takes
  size_t least_files, most_files;
  int (*run)(const CkptWords& words);
};

// Throws Error{usage} for an option that the verb does not take, and for too few or too many files.
CkptWords read_ckpt_words(const CkptVerb& verb, const std::vector<std::string>& words);

}  // namespace levin::core::ckpt
