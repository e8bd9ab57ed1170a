// Unpacks archives.
#pragma once
#include <string>

#include "plugins/common/download/progress.hpp"

namespace download {

// Unpacks the files and folders of the archive into the folder, which is created and has to be new. Links and devices
// are left out; their number is told. Throws levin::Error: LEVIN_E_INVALID if the archive is damaged, with a message
// that follows its name, LEVIN_E_IO if the folder cannot be written. Throws Ended.
void unpack(const std::string& archive, const std::string& folder, const Progress& progress);

}  // namespace download
