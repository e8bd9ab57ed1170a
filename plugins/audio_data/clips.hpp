// Sound files in folders that are named after their classes.
#pragma once
#include <string>
#include <vector>

#include "../common/other_files.hpp"

namespace audio {

struct Clip {
  std::string path;
  int64_t label = -100;  // -100 = unknown
  std::string group;
};

// A table with the classes of sound files.
struct LabelFile {
  std::string path, file_column, label_column, group_column;  // group_column "" = none
};

// Returns the files of a folder, sorted by path. classes: of the training folder, filled in if it is empty; files
// outside class folders are left out. others: gets the files that are no sound. Throws levin::Error for a class that is
// not known, and for folders without sound.
std::vector<Clip> labelled_clips(const std::string& folder, std::vector<std::string>& classes,
                                 common::OtherFiles& others);

// Returns the files that a CSV or JSON file names, with their classes. folder: of the paths in it. classes: as above.
// Throws levin::Error for a file that does not exist or leads out of the folder, and for one with two classes.
std::vector<Clip> listed_clips(const std::string& folder, const LabelFile& labels, std::vector<std::string>& classes);

// Returns all files below a folder, without classes. others: as above.
std::vector<Clip> unlabelled_clips(const std::string& folder, common::OtherFiles& others);

}  // namespace audio
