// The file to use where a run folder may be named instead.
#pragma once
#include <string>

namespace levin::core {

struct ExportedFile {
  std::string path;
  std::string which;  // "best" or "last" if the source is a run folder, else ""
};

// source: a run folder or a file. which: "best", "last", or "" for the best checkpoint, or the last if the run has no
// best one. The last checkpoint is the newest valid one. Throws Error if there is no such file; the message names
// alternatives.
ExportedFile exported_file(const std::string& source, const std::string& which);

}  // namespace levin::core
