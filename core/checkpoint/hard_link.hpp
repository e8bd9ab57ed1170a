// A second name for a file that is on the disk.
#pragma once
#include <string>

namespace levin::core {

// `path` becomes a hard link to `file`, or a copy of it where the file system has no such links, in one step and
// durably; what was at `path` is replaced. Both files stay what they are when one of them is replaced or removed later.
// Throws Error{checkpoint}; then `path` is what it was.
void name_also(const std::string& file, const std::string& path);

}  // namespace levin::core
