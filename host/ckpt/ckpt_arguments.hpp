// The arguments after `host ckpt VERB`.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace levin::core::ckpt {

struct CkptArguments {
  std::vector<std::string> files;  // the arguments without dashes
  bool json = false, all = false, dry_run = false, force = false;
  std::string output;
  int64_t keep = 0;
};

struct CkptVerb {
  const char* name;
  const char* usage;              // after "host ckpt "
  std::set<std::string> options;  // the options that the verb accepts
  size_t least_files, most_files;
  int (*run)(const CkptArguments& arguments);
};

// Throws Error{usage} for an option that the verb does not accept, and for too few or too many files.
CkptArguments read_ckpt_arguments(const CkptVerb& verb, const std::vector<std::string>& arguments);

}  // namespace levin::core::ckpt
