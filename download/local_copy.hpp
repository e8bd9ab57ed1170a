// What is at an address, as a file or folder of this machine.
#pragma once
#include <string>

#include "plugins/common/download/download.hpp"

namespace download {

// Returns the path of the copy, which is downloaded to download_folder() unless it is there. An archive is unpacked:
// the path is that of the subdirectory that the address names, of the only file or folder that the archive has, or of
// the folder with all of it. The name of an array follows, as in "set.npz:x_train". Throws levin::Error and Ended.
std::string local_copy(const std::string& address, const Progress& progress);

// Returns where the copy is, or would be. Throws levin::Error for a wrong address.
std::string place_of_copy(const std::string& address);

}  // namespace download
