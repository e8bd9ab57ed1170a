// Gives a file on the disk a second name.
#pragma once
#include <string>

namespace levin::core {

// Makes `path` a hard link to `file`, or a copy where the file system has no hard links, atomically and durably.
// Replaces a file at `path`. Replacing or removing one of the two files later leaves the other unchanged. Throws
// Error{checkpoint}; then `path` is unchanged.
void name_also(const std::string& file, const std::string& path);

}  // namespace levin::core
