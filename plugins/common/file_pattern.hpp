// The files that a pattern names.
#pragma once
#include <string>
#include <vector>

namespace common {

// Replaces each {FIRST..LAST} by its numbers, with the digits that FIRST has, and each {a,b} by its parts. Throws
// levin::Error for more than a million names.
std::vector<std::string> expanded(const std::string& pattern);

// Returns the files that match a pattern of *, ? and [...], sorted.
std::vector<std::string> matching(const std::string& pattern);

// Returns `name` if such a file exists or if it is no pattern; else the files of each expanded pattern, in this order.
// Throws levin::Error for a pattern that no file matches.
std::vector<std::string> files_of(const std::string& name);

}  // namespace common
