// The file that is taken where a run folder is named in its place.
#pragma once
#include <string>

namespace levin::core {

struct ExportedFile {
  std::string path;
  std::string which;  // "best" or "last" of a run, or ""
};

// source: a run folder or a file. which: "best", "last", or "" for the best one, and the last one of a run that has
// none. The last one is the newest that is whole. Throws Error that says what there is instead.
ExportedFile exported_file(const std::string& source, const std::string& which);

}  // namespace levin::core
