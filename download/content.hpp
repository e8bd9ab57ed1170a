// What the first bytes of a downloaded file say.
#pragma once
#include <string>

#include "plugins/common/download/download.hpp"

namespace download {

// Returns what is wrong with a file that was downloaded; "" = nothing. Many servers answer with a page for people where
// there is no file.
std::string problem_of(const Address& address, const std::string& path);

// Says how to unpack an archive whose name does not tell that it is one.
void tell_archive(const Address& address, const std::string& path, const Progress& progress);

}  // namespace download
